import { expect, test } from "vitest";
import { reclaimsEnough, regrowthOf } from "./minimum-reclaim.ts";
import { presets } from "./presets.ts";

test("[R48] a saving counts from a tenth of what came in or 4,096 tokens", () => {
  expect(reclaimsEnough(presets.balanced, 10_000, 9_001)).toBe(false);
  expect(reclaimsEnough(presets.balanced, 10_000, 9_000)).toBe(true);
  expect(reclaimsEnough(presets.balanced, 100_000, 95_905)).toBe(false);
  expect(reclaimsEnough(presets.balanced, 100_000, 95_904)).toBe(true);
});

test("gptme knows only the tenth", () => {
  expect(reclaimsEnough(presets.gptme, 100_000, 91_000)).toBe(false);
  expect(reclaimsEnough(presets.gptme, 100_000, 90_000)).toBe(true);
});

test("nothing saved is never enough", () => {
  expect(reclaimsEnough({ ...presets.balanced, minReclaim: { ratio: 0, tokens: 0 } }, 100, 100)).toBe(false);
});

test("regrowth is a tenth, and at most 4,096 tokens", () => {
  expect([regrowthOf(0), regrowthOf(4_000), regrowthOf(1_000_000)]).toEqual([1, 400, 4096]);
});
