import fc from "fast-check";
import { expect, test } from "vitest";
import { IntList } from "../salience/int-list.ts";
import { listPassedWords } from "./passed-words.ts";

function wordsIn(text: string): number[] {
  const words = new IntList();
  listPassedWords(text, words);
  return [...words.items.subarray(0, words.length)];
}

test("a name, a path or an address is one word, in whatever case, without the marks around it", () => {
  expect(wordsIn("Open SRC/a.ts, please.")).toEqual([..."open src/a.ts please".split(" ")].flatMap(wordsIn));
  expect(wordsIn("(me@example.org)")).toEqual(wordsIn("Me@Example.org"));
  expect(wordsIn("_ - 日 x")).toHaveLength(2);
});

const WORD = /[\p{L}\p{N}_][\p{L}\p{N}_@.:/-]*[\p{L}\p{N}_]|[\p{L}\p{N}]/gu;

test("any text has the words that its pattern finds", () => {
  const piece = fc.constantFrom(
    "a",
    "B",
    "_",
    "-",
    ".",
    " ",
    "/",
    "É",
    "ΑΣ",
    "İ",
    "𝗪",
    "😀",
    "\ud83d",
    "—",
    "٣",
    "K",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ unit: "binary", maxLength: 3 }))), (pieces) => {
      const text = pieces.join("");
      const expected = text.toLowerCase().match(WORD) ?? [];
      const found = wordsIn(text);
      expect(found).toHaveLength(expected.length);
      expect(found).toEqual(expected.flatMap(wordsIn));
    }),
  );
});
