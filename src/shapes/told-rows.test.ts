import { expect, test } from "vitest";
import { NO_USES, type Uses } from "./record-uses.ts";
import { rowLines } from "./told-rows.ts";

const flight = (number: string, economy: number) => ({
  number,
  from: "JFK",
  prices: { economy, business: economy * 3 },
  seats: economy / 10,
  at: `${number}-${economy}`,
  gate: `G${economy}`,
});
const flights = [flight("HAT001", 120), flight("HAT002", 90), flight("HAT003", 140)];
const naming = (...values: readonly string[]): Uses => ({
  ...NO_USES,
  useOf: (value) => Number(values.includes(value)),
  namedBy: (value) => Number(values.includes(value)),
});

test("of rows under many keys, the one that is named elsewhere is told by itself, with what was taken up of it", () => {
  const [first, head, ...rows] = rowLines("", flights, naming("HAT002", "90"));
  expect(first).toEqual({ text: "number HAT002, prices.economy 90", used: 3 });
  expect(head!.leads).toBe(true);
  expect(rows.every(({ used }) => used < 0.7)).toBe(true);
});

test("when it was or is to be is told of a named row, where its key is spoken of", () => {
  const rows = flights.map((each, at) => ({ ...each, departs: `0${at}:30:00`, boards: `0${at}:10:00` }));
  const uses = { ...naming("HAT002"), interestOf: (key: string) => (key === "departs" ? 1.5 : 0.6) };
  expect(rowLines("", rows, uses)[0]!.text).toBe("number HAT002, departs 01:30:00");
});

test("what all rows share and the call was given is not told again", () => {
  const [head] = rowLines("", flights, { ...NO_USES, isGiven: (value) => value === "JFK" });
  expect(head!.text).not.toContain("JFK");
});

test("under few keys the named row stays a row, and the others are told after it", () => {
  const few = flights.map(({ number, seats }) => ({ number, seats }));
  const [head, ...rows] = rowLines("", few, naming("HAT002", "9"));
  expect(head!.text).toBe("3 rows; number | seats");
  expect(rows.map(({ used }) => used)).toEqual([0, 2, 0]);
});

test("what all rows share names none of them", () => {
  const rows = rowLines("", flights, naming("JFK")).filter(({ under }) => under);
  expect(rows.map(({ used }) => used)).toEqual([1, 1, 1]);
});

test("what is nested in a row and nobody asked for comes last, and may be left out", () => {
  const uses = naming("270");
  const [head, ...rows] = rowLines("", flights, uses);
  expect(head!.text).toMatch(/ \| prices \(economy, business\)$/);
  expect(rows[1]).toMatchObject({
    text: "  HAT002 | 9 | HAT002-90 | G90",
    rest: { text: " | 90, 270", used: 1 },
  });
  const asked = { ...uses, interestOf: (key: string) => (key === "economy" ? 4 : 1) };
  expect(rowLines("", flights, asked)[2]).not.toHaveProperty("rest");
  const few = flights.map(({ number, prices }) => ({ number, prices }));
  expect(rowLines("", few, uses)[1]).not.toHaveProperty("rest");
});

test("a value of a few among many rows names them, one of every other row does not", () => {
  const many = Array.from({ length: 30 }, (_, at) => ({ code: `X${at >> 1}00`, gate: `G${at % 2}00`, at }));
  const usedBy = (value: string) =>
    rowLines("", many, naming(value))
      .filter(({ text }) => text.startsWith("  X"))
      .flatMap(({ used }, at) => (used >= 1 ? [at] : []));
  expect(usedBy("X700")).toEqual([14, 15]);
  const named = rowLines("", many, { ...naming("X700"), useOf: () => 1 });
  const used = named.filter(({ text }) => text.startsWith("  X")).map((row) => row.used);
  expect(used[14]).toBeGreaterThan(used[0]!);
  const alike = rowLines("", many, { ...naming("G100"), useOf: () => 1 });
  expect(new Set(alike.filter(({ text }) => text.startsWith("  X")).map((row) => row.used)).size).toBe(1);
});

test("columns that say the same are one, and of many those that tell nobody anything are left out", () => {
  const rows = flights.map((each) => ({ ...each, gateName: each.gate, phone: `555-${each.gate}` }));
  const uses = { ...NO_USES, interestOf: (key: string) => (key === "phone" ? 0.2 : 1) };
  const [head] = rowLines("", rows, uses);
  expect(head!.text).toContain("| gate = gateName");
  expect(head!.text).not.toContain("phone");
  expect(rowLines("", [{ a: "same", b: "same" }], NO_USES)[1]!.text).toBe("  same | same");
});

const days = Array.from({ length: 500 }, (_, at) => ({
  day: new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10),
  close: 100 + ((at * 37) % 50),
  note: at % 2 === 0 ? "a" : "b",
}));

test("of many rows of figures the range of each column is told, and the first and the last row before the others", () => {
  const [head, range, ...rows] = rowLines("", days, NO_USES);
  expect(head!.text).toBe("500 rows; day | close | note");
  expect(range!.text).toBe("  range: day 2024-01-01 to 2025-05-14, close 100 to 149");
  expect(rows.filter(({ interest }) => interest !== undefined)).toEqual([rows[0], rows.at(-1)]);
  expect(rows.at(-1)!.text).toContain("2025-05-14");
});

test("a few rows, ids and columns with gaps have no range", () => {
  const texts = (rows: readonly Record<string, unknown>[]) =>
    rowLines("", rows, NO_USES).filter(({ text }) => text.includes("range: "));
  expect(texts(days.slice(0, 5))).toEqual([]);
  expect(texts(days.map((_, at) => ({ user_id: at, note: String(at % 2) })))).toEqual([]);
  expect(texts(days.map((_, at) => ({ age: at % 2 === 0 ? at : null, note: `${at}x` })))).toEqual([]);
});

test("a named row says which it is first, whatever was taken up of it, and nothing that most rows share", () => {
  const rows = flights.map((each) => ({ status: "open", ...each }));
  const [first] = rowLines("", rows, naming("90", "G90", "open"));
  expect(first!.text).toBe("number HAT002, prices.economy 90, gate G90");
});

test("a row of a kind that a person spoke of is a fact where few others are of it", () => {
  const cards = ["certificate", "gift_card", "credit_card"].map((source, at) => ({
    source,
    amount: at,
    id: `c_${at}`,
  }));
  const uses = { ...NO_USES, isAsked: (value: string) => value === "certificate" };
  const [, asked, other] = rowLines("cards: ", cards, uses);
  expect(asked!.used).toBeGreaterThan(0.6);
  expect(other!.used).toBe(0);
  expect(rowLines("cards: ", cards, { ...uses, isAsked: () => true })[1]!.used).toBe(0);
});

test("the only record under a key is told by its own keys on one line", () => {
  expect(rowLines("payments: ", [{ id: "card_7", amount: 3 }], NO_USES).map(({ text }) => text)).toEqual([
    "payments: id card_7, amount 3",
  ]);
});
