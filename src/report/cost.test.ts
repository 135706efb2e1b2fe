import { expect, test } from "vitest";
import { type Message, withParts } from "../conversation/message.ts";
import { rewriteOf } from "../conversation/rewrite.ts";
import { assistant, conversation, system, user } from "../testing/builders.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { commonPrefixTokens, estimateCost, paysOff, prices } from "./cost.ts";

const compaction = {
  promptTokensBefore: 144_000,
  promptTokensAfter: 67_000,
  newestTurnTokens: 1_000,
  commonPrefixTokens: 5_000,
};

test("before, all but the newest turn is read from the cache; after, all but the common front is written", () => {
  expect(estimateCost(compaction)).toEqual({
    before: 143_000 * 0.1 + 1_000 * 1.25,
    after: 5_000 * 0.1 + 62_000 * 1.25,
  });
});

test("without a cache the smaller request is cheaper at once", () => {
  const uncached = { ...compaction, prices: prices.uncached };
  expect(estimateCost(uncached)).toEqual({ before: 144_000, after: 67_000 });
  expect(paysOff(uncached)).toBe(0);
});

test("an unchanged conversation costs the same after as before", () => {
  const same = { ...compaction, promptTokensAfter: 144_000, commonPrefixTokens: 144_000 };
  const { before, after } = estimateCost(same);
  expect(after).toBe(before);
  expect(paysOff(same)).toBe(0);
});

test("a compaction pays for itself after the requests whose savings cover it", () => {
  expect(paysOff(compaction)).toBe(9);
  expect(paysOff({ ...compaction, prices: prices.freeWrites })).toBe(7);
  expect(paysOff({ ...compaction, ownCost: 77_000 })).toBe(19);
});

test("one that saves nothing never does", () => {
  expect(paysOff({ ...compaction, promptTokensAfter: 144_000 })).toBe(Number.POSITIVE_INFINITY);
});

test("sizes that do not fit together give no negative cost", () => {
  const odd = { promptTokensBefore: 10, promptTokensAfter: 5, newestTurnTokens: 50, commonPrefixTokens: 90 };
  expect(estimateCost(odd)).toEqual({ before: 13, after: 6 });
});

test("the common front ends at the first message that differs", () => {
  const counter = { tools: () => 50, message: () => 10 } as unknown as TokenCounter;
  const before = conversation(system("s"), user("a"), assistant("b"), user("c"));
  const [first, second, third] = before.messages;
  const common = (...messages: readonly Message[]) =>
    commonPrefixTokens(rewriteOf(messages), { ...before, messages }, counter);
  expect(common(...before.messages)).toBe(90);
  expect(common(first!, withParts(second!, []), third!)).toBe(60);
  expect(common(first!, third!)).toBe(60);
  expect(common({ ...first!, pinned: true }, second!)).toBe(70);
});
