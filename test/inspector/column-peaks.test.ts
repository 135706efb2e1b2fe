import { expect, test } from "vitest";
import { columnPeaks } from "../../inspector/src/column-peaks.ts";

test("of the points in one column of pixels the highest is drawn, wherever in it it stands", () => {
  const y = [1, 9, 2, 3, 3, 7, 5, 4, 4];
  expect(
    columnPeaks({ x: [0, 1, 2, 3, 4, 5, 6, 7, 8], y, from: 0, to: 8, columnOf: (x) => Math.floor(x / 3) }),
  ).toEqual({
    columns: [0, 1, 2],
    peaks: [9, 7, 5],
  });
});

test("with more columns than points, every point is drawn", () => {
  expect(columnPeaks({ x: [0, 1, 1.5], y: [5, 8, 2], from: 0, to: 2, columnOf: (x) => x * 10 })).toEqual({
    columns: [0, 10, 15],
    peaks: [5, 8, 2],
  });
});
