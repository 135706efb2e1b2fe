import { expect, test } from "vitest";
import { summaryCost, summaryTokens } from "./summary-cost.ts";

const cost = (after: number) => ({ before: 0, after });

test("what was read from the cache costs a tenth, what was written five times, and failed attempts count", () => {
  const attempts = [
    { summarizer: "a", failure: "empty" as const, usage: { inputTokens: 100, outputTokens: 0 } },
    { summarizer: "b", usage: { inputTokens: 10_000, cachedTokens: 9_000, outputTokens: 200 } },
  ];
  expect(summaryCost(attempts, cost(5_000), cost(4_200))).toEqual({
    inputTokens: 10_100,
    cachedTokens: 9_000,
    outputTokens: 200,
    billed: 100 + 1_000 + 900 + 1_000,
    saves: 800,
  });
});

test("where no provider says what it cost, nothing is told", () => {
  expect(summaryTokens([{ summarizer: "a" }])).toBeUndefined();
  expect(summaryCost([], cost(1), cost(1))).toBeUndefined();
});
