import { expect, test } from "vitest";
import { createSurprisalModel } from "../bench/surprisal.ts";

test("is surprised by what is new and not by what was said before", () => {
  const model = createSurprisalModel();
  const first = model.score("the quick brown fox jumps over the lazy dog");
  const again = model.score("the quick brown fox jumps over the lazy dog");
  const other = model.score("Zx9$kQ2-7fVb_Lw0");
  expect(first).toBeGreaterThan(5);
  expect(again).toBeLessThan(1);
  expect(other).toBeGreaterThan(again + 4);
});

test("gives the same bits for the same texts in the same order", () => {
  const texts = ["alpha beta", "beta gamma", "alpha beta", "漢字かな"];
  const scores = () => {
    const model = createSurprisalModel();
    return texts.map(model.score);
  };
  expect(scores()).toEqual(scores());
});

test("stays finite and never negative on odd input", () => {
  const model = createSurprisalModel();
  expect(model.score("")).toBe(0);
  for (const text of ["\0", "\uD800", "a".repeat(1e6), "漢".repeat(1e5), " ".repeat(1e5)]) {
    const bits = model.score(text);
    expect(bits).toBeGreaterThanOrEqual(0);
    expect(bits).toBeLessThan(20);
  }
});

test("costs a long random text about eight bits a character", () => {
  let state = 1;
  const random = Array.from({ length: 5000 }, () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return String.fromCharCode((state >>> 12) & 0xff);
  }).join("");
  const bits = createSurprisalModel().score(random);
  expect(bits).toBeGreaterThan(7.5);
  expect(bits).toBeLessThan(9.5);
});
