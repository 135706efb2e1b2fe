import { expect, test } from "vitest";
import { steadyClock } from "./steady-clock.ts";

test("a clock that is set back stands still until it has caught up", () => {
  const times = [5, 7, 3, 6, 8];
  const clock = steadyClock(() => times.shift()!);
  expect(Array.from({ length: 5 }, clock)).toEqual([5, 7, 7, 7, 8]);
});
