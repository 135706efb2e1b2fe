import { expect, test } from "vitest";
import { characterEntropy, windowEntropies } from "./entropy.ts";

test("[F70] measures bits per character", () => {
  expect(characterEntropy("")).toBe(0);
  expect(characterEntropy("aaaa")).toBe(0);
  expect(characterEntropy("abab")).toBe(1);
  expect(characterEntropy("abcdefgh")).toBe(3);
  expect(characterEntropy("漢漢字字")).toBe(1);
});

test("[F70] measures windows, each on its own", () => {
  expect([...windowEntropies("aaaaabababcd", 4)]).toEqual([0, 1, 2].map((bits) => expect.closeTo(bits, 0)));
  expect([...windowEntropies("aaaaab", 4)]).toEqual([0, 1]);
  expect(windowEntropies("x".repeat(600))).toHaveLength(3);
  expect(windowEntropies("", 4)).toHaveLength(0);
  expect(windowEntropies("abc", 0)).toHaveLength(1);
});

test("[F70] tells dense text from filler", () => {
  expect(characterEntropy("9fZ3-kQ7x_Lw2/8bTnV")).toBeGreaterThan(characterEntropy("-------------------"));
});
