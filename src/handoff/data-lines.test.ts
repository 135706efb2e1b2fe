import { expect, test } from "vitest";
import { dataLines } from "./data-lines.ts";

test("each object is told by its leaves with their keys, what is in it on lines of its own", () => {
  const answer = {
    user_id: "mia_li_3668",
    insurance: null,
    flights: [
      { flight_number: "HAT110", origin: "ATL", prices: { economy: 121, business: 305 } },
      { flight_number: "HAT172", origin: "LGA", seats: [] },
    ],
    reservations: ["M05KNL", "UHDAHF"],
  };
  expect(dataLines(JSON.stringify(answer))!.split("\n")).toEqual([
    "user_id: mia_li_3668",
    "flights: flight_number: HAT110, origin: ATL",
    "prices: economy: 121, business: 305",
    "flights: flight_number: HAT172, origin: LGA",
    "reservations: M05KNL, UHDAHF",
  ]);
});

test("a row that is too long for a line goes on in the next, no leaf is cut, and a text stands alone", () => {
  const row = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`field_${at}`, `value ${at}`]));
  const lines = dataLines(JSON.stringify({ row, note: "First line.\nSecond line." }))!.split("\n");
  expect(lines.join(", ")).toContain("row: field_0: value 0, field_1: value 1");
  expect(lines.slice(2).join(", ")).toContain("field_11: value 11");
  expect(lines.slice(0, 2)).toEqual(["note: First line.", "Second line."]);
  for (const line of lines) expect(line.length).toBeLessThan(100);
});

test("what is no JSON, is only half of one or is short is left as it is", () => {
  expect(
    dataLines("[warn] 12 files were left out because of their size, which is above the limit of 5 MB"),
  ).toBe(undefined);
  expect(dataLines(JSON.stringify({ a: "x".repeat(200) }).slice(0, -1))).toBe(undefined);
  expect(dataLines('{"status": "ok"}')).toBe(undefined);
});

test("numbers stand as they were written", () => {
  const text =
    '[{"tweet_id": 1234567890123456709, "price": 12.50, "likes": 7, "size": 1e400, "of": "the kind of text that fills a line"}]';
  expect(dataLines(text)).toBe(
    "tweet_id: 1234567890123456709, price: 12.50, likes: 7, size: 1e400\nof: the kind of text that fills a line",
  );
});

test("a key that is longer than a line is not repeated for all that stands under it", () => {
  const text = JSON.stringify({ ["k".repeat(10_000)]: Array.from({ length: 1_000 }, (_, at) => ({ at })) });
  expect(dataLines(text)!.length).toBeLessThan(text.length);
});

test("however deep it is nested, nothing breaks", () => {
  const deep = `${"[".repeat(50_000)}"leaf of it all"${"]".repeat(50_000)}`;
  expect(dataLines(deep)).toBe("leaf of it all");
});
