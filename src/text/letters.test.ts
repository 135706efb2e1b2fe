import { expect, test } from "vitest";
import {
  hasLetter,
  hasLetterOrDigit,
  hasTwoLetters,
  isAscii,
  startsWithLetterOrDigit,
  startsWithLowerCase,
} from "./letters.ts";

test.each([
  "",
  "a",
  "Z",
  "5",
  "-",
  "é",
  "É",
  "Ж",
  "½",
  "—",
  "漢",
  "😀",
  "𝒳",
  "\ud800",
  "- é",
  "- 5",
  "a é",
  "aé",
  "漢字",
  "𝒳𝒳",
])("answers for %j what the Unicode tables say", (text) => {
  expect(isAscii(text)).toBe(!/[^\0-\x7f]/.test(text));
  expect(hasLetter(text)).toBe(/\p{L}/u.test(text));
  expect(hasTwoLetters(text)).toBe(/\p{L}{2}/u.test(text));
  expect(hasLetterOrDigit(text)).toBe(/[\p{L}\p{N}]/u.test(text));
  expect(startsWithLetterOrDigit(text)).toBe(/^[\p{L}\p{N}]/u.test(text));
  expect(startsWithLowerCase(text)).toBe(/^\p{Ll}/u.test(text));
});

test("no sign is passed over that the Unicode tables know as a letter or a digit", () => {
  const characters = Array.from({ length: 0x20000 }, (_, code) => String.fromCodePoint(code));
  const wrongly = (ask: (text: string) => boolean, table: RegExp) =>
    characters.filter((character) => ask(character) !== table.test(character));
  expect(wrongly(hasLetter, /\p{L}/u)).toEqual([]);
  expect(wrongly(hasLetterOrDigit, /[\p{L}\p{N}]/u)).toEqual([]);
  expect(wrongly(startsWithLetterOrDigit, /^[\p{L}\p{N}]/u)).toEqual([]);
});
