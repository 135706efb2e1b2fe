import { expect, test } from "vitest";
import { itemHeads } from "./item-lines.ts";

test("what is below a number is part of its item until the next number, and of the last as much as of the others", () => {
  const hits = [
    "Found 3:",
    "1. [A](x)",
    "Source: B",
    "It says so.",
    "2. [C](y)",
    "It says less.",
    "The end.",
  ];
  expect(itemHeads(hits)).toEqual([undefined, undefined, 1, 1, undefined, 4, 4]);
});

test("below a dash only what is further in is part of the item", () => {
  const list = ["- name: a", "  size: 3", "- name: b", "  size: 4", "all: 2"];
  expect(itemHeads(list)).toEqual([undefined, 0, undefined, 2, undefined]);
});

test("a number that is no item's holds nothing that follows it", () => {
  expect(itemHeads(["1. Overview", "Some words.", "More words."])).toEqual([undefined, undefined, undefined]);
});

test("many lines are read at once", () => {
  const started = performance.now();
  for (const line of ["1. a", "a", `${" ".repeat(12)}- x`, " ".repeat(200)])
    itemHeads(Array.from({ length: 20_000 }, () => line));
  expect(performance.now() - started).toBeLessThan(1_000);
});
