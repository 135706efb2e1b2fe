import { expect, test } from "vitest";
import { windowEntropies } from "./entropy.ts";

const entropyOf = (text: string) => windowEntropies(text)[0] ?? 0;

test("[F70] measures bits per character", () => {
  expect(entropyOf("")).toBe(0);
  expect(entropyOf("aaaa")).toBe(0);
  expect(entropyOf("abab")).toBe(1);
  expect(entropyOf("abcdefgh")).toBe(3);
  expect(entropyOf("漢漢字字")).toBe(1);
});

test("[F70] measures windows, each on its own", () => {
  expect([...windowEntropies("aaaaabababcd", 4)]).toEqual([0, 1, 2].map((bits) => expect.closeTo(bits, 0)));
  expect([...windowEntropies("aaaaab", 4)]).toEqual([0, 1]);
  expect(windowEntropies("x".repeat(600))).toHaveLength(3);
  expect(windowEntropies("", 4)).toHaveLength(0);
  expect(windowEntropies("abc", 0)).toHaveLength(1);
});

test("[F70] tells dense text from filler", () => {
  expect(entropyOf("9fZ3-kQ7x_Lw2/8bTnV")).toBeGreaterThan(entropyOf("-------------------"));
});
