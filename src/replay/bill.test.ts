import { expect, test } from "vitest";
import { billFor } from "./bill.ts";
import { shippedPrices } from "./price-table.ts";

const table = { ...shippedPrices["anthropic-like"]!, cacheSeconds: 300, cacheMinimumTokens: 1024 };
const request = { promptTokens: 10_000, commonTokens: 9_000, outputTokens: 0, idleMs: 1000 };
const perMillion = (cost: number) => cost / 1e6;

test("what the request before had is read from the cache, the rest is written to it", () => {
  const { cost, ...tokens } = billFor([request], table);
  expect(cost).toBeCloseTo(perMillion(9_000 * 0.3 + 1_000 * 3.75), 9);
  expect(tokens).toEqual({ cacheReadTokens: 9_000, cacheWriteTokens: 1_000 });
});

test("after five minutes the cache is gone", () => {
  const [alive, gone] = [300_000, 300_001].map((idleMs) => billFor([{ ...request, idleMs }], table));
  expect([alive!.cacheReadTokens, gone!.cacheReadTokens]).toEqual([9_000, 0]);
});

test("a short prompt is not cached and costs what fresh input costs", () => {
  const short = { ...request, promptTokens: 1_000, commonTokens: 900 };
  expect(billFor([short], table)).toEqual({
    cost: perMillion(1_000 * 3),
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
  });
});

test("output is billed too, and requests add up", () => {
  const spoken = { ...request, outputTokens: 100 };
  const { cost } = billFor([spoken, spoken], table);
  expect(cost).toBeCloseTo(2 * perMillion(9_000 * 0.3 + 1_000 * 3.75 + 100 * 15), 9);
});
