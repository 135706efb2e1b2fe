import { expect, test } from "vitest";
import { createHashTable } from "./hash-table.ts";

test("distinct hashes are numbered from 0 on, known ones keep their number", () => {
  const table = createHashTable();
  expect([7, -7, 0, 7, 0].map(table.add)).toEqual([0, 1, 2, 0, 2]);
  expect([7, -7, 0, 1].map(table.find)).toEqual([0, 1, 2, -1]);
  expect(table.size()).toBe(3);
});

test("numbers stay while the table grows, and hashes that fall on the same slot are told apart", () => {
  const table = createHashTable();
  const hashes = [
    ...Array.from({ length: 30_000 }, (_, at) => Math.imul(at + 1, 0x01000193)),
    ...Array.from({ length: 500 }, (_, at) => (at + 1) << 22),
  ];
  const distinct = [...new Set(hashes)];
  expect(distinct.map(table.add)).toEqual(distinct.map((_, at) => at));
  expect(distinct.map(table.find)).toEqual(distinct.map((_, at) => at));
  expect(table.size()).toBe(distinct.length);
  expect(table.find(0)).toBe(-1);
});

test("a table without anything finds nothing", () => {
  expect(createHashTable().find(1)).toBe(-1);
  expect(createHashTable().size()).toBe(0);
});
