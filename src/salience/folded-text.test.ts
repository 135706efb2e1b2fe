import { expect, test } from "vitest";
import { FOLDED_LETTERS, FOLDED_WORD, foldText, isFoldedWord } from "./folded-text.ts";

test.each([
  ["Ne pas ÔTER l’ŵ!", "ne pas ôter l'ª!"],
  ["НЕ МЕНЯЙ Ёлку", "не меняй ёлку"],
  ["ſet 5 Kelvin, ıt, İt, ẞ", "set 5 kelvin, ªt, ªt, ß"],
  ["不要 ルール 꼭 ＡＢ", "不要 ルール 꼭 ªª"],
  ["€5 £6 ½ ① 😀 — →", "$5 $6 ² ² · — →"],
  ["", ""],
])("folds %j to %j", (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

test("keeps one code unit for each character, a letter a letter and a digit a digit", () => {
  const letter = new RegExp(`^[${FOLDED_LETTERS}]$`);
  const word = new RegExp(`^[${FOLDED_WORD}]$`);
  const wrong: string[] = [];
  for (let code = 0; code < 0x20000; code++) {
    const character = String.fromCodePoint(code);
    const folded = foldText(character);
    const isRight =
      folded.length === 1 &&
      letter.test(folded) === /\p{L}/iu.test(character) &&
      word.test(folded) === /[\p{L}\p{N}_]/iu.test(character) &&
      isFoldedWord(folded.charCodeAt(0)) === word.test(folded) &&
      /\s/.test(folded) === /\s/u.test(character) &&
      /\d/.test(folded) === /\d/u.test(character);
    if (!isRight) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});

test("folds just those characters to a letter that the flags i and u hold equal to it", () => {
  const wrong: string[] = [];
  for (const letter of "aiksåßÿвёъ") {
    const pattern = new RegExp(`^${letter}$`, "iu");
    for (let code = 0; code < 0x3000; code++) {
      const character = String.fromCodePoint(code);
      if (pattern.test(character) !== (foldText(character) === letter))
        wrong.push(letter + code.toString(16));
    }
  }
  expect(wrong).toEqual([]);
});
