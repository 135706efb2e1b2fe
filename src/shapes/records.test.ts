import { expect, test } from "vitest";
import { type Cell, numberOrText, outliersByWeight, sampleRecords } from "./records.ts";

const rows = (change: (index: number) => readonly unknown[]) =>
  Array.from({ length: 200 }, (_, index) => change(index) as (string | number)[]);

const findOutliers = (table: readonly (readonly Cell[])[], columns: readonly string[]): readonly number[] =>
  outliersByWeight(table, columns).toSorted((a, b) => a - b);

test("finds the number, the state, the missing value and the odd record that few others have", () => {
  const table = rows((index) => [
    index,
    index === 20 ? 5_000 : 10 + (index % 5),
    index === 30 ? "lost" : "fine",
    `name ${index}`,
  ]);
  table[40]![3] = "";
  table[50]!.push("extra");
  expect(findOutliers(table, ["id", "amount", "state", "name"])).toEqual([20, 30, 40, 50]);
});

test("in a column of errors the few filled cells are outliers", () => {
  const table = rows((index) => [index, index % 60 === 7 ? `message ${index}` : ""]);
  expect(findOutliers(table, ["id", "error"])).toEqual([7, 67, 127, 187]);
});

test("where most records are odd, none is for that", () => {
  expect(
    findOutliers(
      rows((index) => [`ERROR: ${index} broke`]),
      ["message"],
    ),
  ).toEqual([]);
});

test("a sample has the first, the last, some between, and the outliers", () => {
  expect(sampleRecords(100, 6, [77])).toEqual([0, 1, 2, 50, 77, 98, 99]);
  expect(sampleRecords(3, 6, [])).toEqual([0, 1, 2]);
});

test("numbers are read from text, with signs, groups and currencies", () => {
  expect(["1,234.5", "-3", "$9", "12%", "1e3", "a1", ""].map(numberOrText)).toEqual([
    1234.5,
    -3,
    9,
    12,
    1000,
    "a1",
    "",
  ]);
});
