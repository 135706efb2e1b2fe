import { expect, test } from "vitest";
import { retainedTurns } from "./retention.ts";

test("[F77] keeps the larger of the turns and what fits in the share of the capacity", () => {
  expect(retainedTurns({ turns: 3, percent: 0.1, capacity: 200_000, averageTurnTokens: 2_000 })).toBe(10);
  expect(retainedTurns({ turns: 3, percent: 0.1, capacity: 8_000, averageTurnTokens: 2_000 })).toBe(3);
  expect(retainedTurns({ turns: 0, percent: 0.29, capacity: 100, averageTurnTokens: 1 })).toBe(29);
});

test("keeps the turns when no share is given or no turn has been seen", () => {
  expect(retainedTurns({ turns: 3, capacity: 200_000, averageTurnTokens: 2_000 })).toBe(3);
  expect(retainedTurns({ turns: 3, percent: 0.1, capacity: 200_000, averageTurnTokens: 0 })).toBe(3);
});
