import { expect, test } from "vitest";
import { forEachWord } from "../../text/words.ts";
import { documentFrequencies, tfIdf } from "./tf-idf.ts";

const messages = ["the build is green", "the build is red", "the build is flaky: ERR_17", "the build"];

test("[F69] scores rare words of a conversation above those that all its messages share", () => {
  const frequencies = documentFrequencies(messages);
  expect(frequencies.documents).toBe(4);
  expect(tfIdf("the build", frequencies)).toBe(0);
  expect(tfIdf("ERR_17", frequencies)).toBeCloseTo(Math.log(5 / 2));
  expect(tfIdf("unheard", frequencies)).toBeCloseTo(Math.log(5));
  expect(tfIdf("the ERR_17", frequencies)).toBeCloseTo(Math.log(5 / 2) / 2);
});

test("[F69] counts a document once for a word, however often it says it, in any case", () => {
  const frequencies = documentFrequencies(["red Red RED", "blue"]);
  expect(tfIdf("red", frequencies)).toBeCloseTo(Math.log(3 / 2));
});

test("gives nothing for no words and for no documents", () => {
  expect(tfIdf(" -- ", documentFrequencies(messages))).toBe(0);
  expect(tfIdf("word", documentFrequencies([]))).toBe(0);
});

test("takes each CJK character for a word", () => {
  const words: number[] = [];
  forEachWord("a漢字b c_1é", (hash) => words.push(hash));
  expect(words).toHaveLength(5);
});

test("stays bounded on a vocabulary beyond its cap", () => {
  const frequencies = documentFrequencies([
    Array.from({ length: 200_000 }, (_, index) => `w${index}`).join(" "),
  ]);
  expect(tfIdf("w0", frequencies)).toBe(0);
  expect(tfIdf("w199999", frequencies)).toBeCloseTo(Math.log(2));
});
