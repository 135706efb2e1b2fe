import { expect, test } from "vitest";
import { compileTrees } from "./boosted-trees.ts";

const stump = { feature: [1, -1, -1], value: [0.5, -2, 2], left: [1, 0, 0], right: [2, 0, 0] };
/** Deeper on its right side only. */
const lopsided = {
  feature: [0, -1, 1, -1, -1],
  value: [10, 1, 0.5, -1, 3],
  left: [1, 0, 3, 0, 0],
  right: [2, 0, 4, 0, 0],
};
const sigmoid = (margin: number) => 1 / (1 + Math.exp(-margin));

test("without trees the bias decides", () => {
  expect(compileTrees({ bias: 0, trees: [] })(new Float32Array(2))).toBe(0.5);
});

test.each([
  [[0, 0], 0.25 - 2 + 1],
  [[0, 1], 0.25 + 2 + 1],
  [[10, 0], 0.25 - 2 - 1],
  [[10, 0.5], 0.25 + 2 + 3],
])("trees of different depths add up: %j", (row, margin) => {
  const chanceOf = compileTrees({ bias: 0.25, trees: [stump, lopsided] });
  expect(chanceOf(Float32Array.from(row))).toBeCloseTo(sigmoid(margin), 6);
});
