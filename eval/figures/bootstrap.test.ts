import { expect, test } from "vitest";
import { bootstrapMean } from "./bootstrap.ts";
import { seededRandom } from "./seeded-random.ts";

const groups = [[1, 0.8], [0.2], [0.5, 0.4, 0.6], [0.9]];

test("the same seed gives the same interval, and it lies around the mean over all values", () => {
  const interval = bootstrapMean(groups, seededRandom(1, "a"));
  expect(interval).toEqual(bootstrapMean(groups, seededRandom(1, "a")));
  expect(interval.mean).toBeCloseTo(4.4 / 7);
  expect(interval.low).toBeLessThan(interval.mean);
  expect(interval.high).toBeGreaterThan(interval.mean);
});

test("another seed or label gives other numbers", () => {
  const first = (seed: number, label: string) => seededRandom(seed, label)();
  expect(new Set([first(1, "a"), first(2, "a"), first(1, "b")]).size).toBe(3);
});

test("values of one conversation are drawn together: alone they leave nothing to vary", () => {
  expect(bootstrapMean([[0, 1]], seededRandom(1))).toEqual({ mean: 0.5, low: 0.5, high: 0.5 });
});
