import fc from "fast-check";
import { expect, test } from "vitest";
import { cellOf } from "./record-cells.ts";
import { NO_USES } from "./record-uses.ts";
import { recordLines, sideBySide } from "./told-records.ts";

const lines = (value: unknown, used: readonly string[] = []) =>
  recordLines(JSON.stringify(value), {
    ...NO_USES,
    useOf: (each) => Number(used.includes(each)),
  });
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

test("a record too long for a line of which something was used later is opened: it is told by its keys", () => {
  const files = [
    { format: "CSV", url: "https://example.org/rows.csv" },
    { format: "XML", url: "https://example.org/rows.xml" },
  ];
  const found = { name: "air-quality", notes: "Measured in the city. ".repeat(20), files };
  const answer = { success: true, result: { count: 1, results: [found] } };
  const opened = (value: unknown) => lines(value, ["https://example.org/rows.csv"])!.map(({ text }) => text);
  expect(opened(answer).filter((text) => !text.startsWith("notes: Measured in the city."))).toEqual([
    "success: true",
    "count: 1",
    "name: air-quality",
    "files: 2 rows; format | url",
    "  CSV | https://example.org/rows.csv",
    "  XML | https://example.org/rows.xml",
  ]);
  // Two of them are told apart by their names.
  expect(opened({ old: found, new: found }).filter((text) => text.includes("name:"))).toEqual([
    "old.name: air-quality",
    "new.name: air-quality",
  ]);
  expect(texts(answer)).toHaveLength(2);
});

test("records that are nested thousands deep are opened a few times and told in bounded time", () => {
  const deep = `${'{"id":"ORD-77412","note":"y","next":'.repeat(5_000)}{"u":"ORD-77412","t":"${"x".repeat(330)}"}${"}".repeat(5_000)}`;
  const told = recordLines(deep, { ...NO_USES, useOf: (value) => Number(value === "ORD-77412") });
  expect(told!.length).toBeLessThan(20);
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
    expect(recordLines(text, NO_USES)).toBeUndefined();
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
  expect(() => recordLines(deep, NO_USES)).not.toThrow();
  const wide = Array.from({ length: 20_000 }, (_, at) => ({ [`key${at}`]: at }));
  lines(wide);
  expect(performance.now() - started).toBeLessThan(3_000);
});

test("what is nested in every row says its keys once", () => {
  const rows = [
    {
      id: "R1",
      flights: [
        { number: "HAT1", price: 65 },
        { number: "HAT2", price: 83 },
      ],
      seats: { economy: 3, business: 1 },
    },
    { id: "R2", flights: [{ number: "HAT3", price: 70 }], seats: { economy: 0, business: 4 } },
  ];
  expect(texts(rows)).toEqual([
    "2 rows; id | flights (number, price) | seats (economy, business)",
    "  R1 | HAT1, 65; HAT2, 83 | 3, 1",
    "  R2 | HAT3, 70 | 0, 4",
  ]);
});

test("records that say themselves by which name they are known do not say it twice, and two are a table", () => {
  const cards = { card_1: { id: "card_1", last: "7447" }, card_2: { id: "card_2", last: "1907" } };
  expect(texts({ cards })).toEqual(["cards: 2 rows; id | last", "  card_1 | 7447", "  card_2 | 1907"]);
});

test("sentences of a list are told one by one, without the marks of the page that they stood in", () => {
  const facts = [
    "About <b>90%</b> are classified as squamous cell cancers.",
    "The diagnosis is confirmed by a tissue biopsy, always.",
  ];
  expect(texts({ facts })).toEqual([
    "facts: 2 rows",
    "  About 90% are classified as squamous cell cancers.",
    "  The diagnosis is confirmed by a tissue biopsy, always.",
  ]);
});

test("ids that nobody reads are left out of a table unless somebody used one", () => {
  const rows = ["a", "b"].map((name) => ({ name, uuid: `${name}621d6bf-b964-305f-bdb6-6efeb1674944` }));
  expect(texts(rows)).toEqual(["2 rows; name", "  a", "  b"]);
  expect(lines(rows, [rows[1]!.uuid])![0]!.text).toBe("2 rows; name | uuid");
});

test("records of one kind stand side by side, what is the same in all said once", () => {
  const records = [
    { id: "R1", user: "ann", paid: [{ by: "card", amount: 296 }] },
    { id: "R2", user: "ann", paid: [{ by: "gift", amount: 624 }] },
  ];
  expect(sideBySide(records, { ...NO_USES, useOf: (value) => Number(value === "624") })).toEqual([
    { text: "id: R1 | R2", used: 0, interest: 1 },
    { text: "paid (by, amount): card, 296 | gift, 624", used: 1, interest: 1 },
    { text: "all user: ann", used: 0, interest: 0.5 },
  ]);
});

test("an answer that was cut off is told up to the last value that is whole", () => {
  const whole = JSON.stringify([
    { id: "A", price: 12 },
    { id: "B", price: 99 },
    { id: "C", price: 7 },
  ]);
  const cut = (chars: number) => recordLines(whole.slice(0, chars), NO_USES)?.map(({ text }) => text);
  expect(cut(whole.indexOf('"C"') + 1)).toEqual(["2 rows; id | price", "  A | 12", "  B | 99"]);
  expect(cut(whole.indexOf("99"))).toEqual(["2 rows; id | price", "  A | 12", "  B | "]);
  expect(cut(5)).toBeUndefined();
  // What a string says is no end of a value.
  const noted = '[{"id":"A","price":12},{"id":"B","note":"late, [by car], \\"and';
  expect(recordLines(noted, NO_USES)?.map(({ text }) => text)).toEqual([
    "2 rows; id | price",
    "  A | 12",
    "  B | ",
  ]);
  expect(recordLines(`${whole}\nError: the disk is full`, NO_USES)).toBeUndefined();
});
