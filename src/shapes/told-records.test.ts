import fc from "fast-check";
import { expect, test } from "vitest";
import { cellOf, recordLines } from "./told-records.ts";

const lines = (value: unknown, used: readonly string[] = []) =>
  recordLines(JSON.stringify(value), (each) => used.includes(each));
const texts = (value: unknown) => lines(value)?.map(({ text }) => text);

test("a list of records is a table: its keys once, a row each, what is the same in all said once", () => {
  const flights = [
    { id: "HAT001", from: "JFK", price: 120, seat: null },
    { id: "HAT002", from: "JFK", price: 99, seat: null },
  ];
  expect(lines(flights)).toEqual([
    { text: "2 rows, all from JFK; id | price", used: 0, leads: true },
    { text: "  HAT001 | 120", used: 0, under: true },
    { text: "  HAT002 | 99", used: 0, under: true },
  ]);
  expect(texts({ flights })![0]).toBe("flights: 2 rows, all from JFK; id | price");
});

test("what was taken up later is counted, row by row", () => {
  const rows = lines(
    [
      { id: "HAT001", price: 120 },
      { id: "HAT002", price: 99 },
    ],
    ["HAT002", "99"],
  )!;
  expect(rows.map(({ used }) => used)).toEqual([0, 0, 2]);
  expect(lines({ status: "paid", total: 99 }, ["99"])!.map(({ used }) => used)).toEqual([0, 1]);
});

test("a record that holds records by their names is a table by those names", () => {
  const flights = { HAT001: { price: 1 }, HAT002: { price: 2 }, HAT003: { price: 3 } };
  expect(texts({ flights })).toEqual([
    "flights: 3 rows;  | price",
    "  HAT001 | 1",
    "  HAT002 | 2",
    "  HAT003 | 3",
  ]);
});

test("a single record is told key by key, what is blank left out, what is nested in its place", () => {
  expect(
    texts({
      id: 7,
      name: "",
      tags: ["a", "b"],
      user: { name: "Ann", age: null, at: { city: "Rome" } },
      none: [],
    }),
  ).toEqual(["id: 7", "tags: [a, b]", "user: name Ann, at {city Rome}"]);
  expect(texts([{ id: 7 }])).toEqual(["1 row; id", "  7"]);
});

test("rows that miss a key leave its cell empty, and rows that are all the same are one line", () => {
  expect(texts([{ a: 1, b: 2 }, { b: 3 }])).toEqual(["2 rows; a | b", "  1 | 2", "   | 3"]);
  expect(texts([{ a: 1 }, { a: 1 }])).toEqual(["2 rows, all a 1"]);
});

test("a list of plain values is one line, an empty one says so", () => {
  expect(texts(["a", 1, true])).toEqual(["[a, 1, true]"]);
  expect(texts([])).toEqual(["empty list"]);
  expect(texts({})).toEqual([]);
});

test("a long cell is cut, and no cell breaks its line", () => {
  const [line] = texts({ text: `${"a\n".repeat(400)}` })!;
  expect(line).not.toContain("\n");
  expect(line!.length).toBeLessThan(340);
  expect(texts([{ note: "a\r\nb\u2028c" }])![1]).toBe("  a b c");
});

test("what is no object or list is no record", () => {
  for (const text of ["", "plain", "{broken", "[1, 2", "12 rows found", "<a/>"]) {
    expect(recordLines(text, () => false)).toBeUndefined();
  }
});

test("any JSON is told without a word that it does not hold, each line on one line", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      for (const { text, used } of lines(value) ?? []) {
        expect(text.split(/[\n\r\u2028\u2029]/)).toHaveLength(1);
        expect(used).toBe(0);
      }
      expect(typeof cellOf(value)).toBe("string");
    }),
  );
});

test("a table of very many rows and records nested very deep are told in bounded time", () => {
  const many = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `n${id}` }));
  const started = performance.now();
  expect(lines(many)![0]!.text).toBe("20000 rows; id | name");
  const deep = `${'{"a":['.repeat(1_500)}${"]}".repeat(1_500)}`;
  expect(() => recordLines(deep, () => false)).not.toThrow();
  const wide = Array.from({ length: 20_000 }, (_, at) => ({ [`key${at}`]: at }));
  lines(wide);
  expect(performance.now() - started).toBeLessThan(3_000);
});
