import { expect, test } from "vitest";
import { assistant, call, conversation, result, system, user } from "../testing/builders.ts";
import { usedLater } from "./used-later.ts";

const { messages } = conversation(
  user("Book order W2378156."),
  assistant("", call("search", { query: "flights" })),
  result("HAT001 HAT002 4711 New York"),
  assistant("Flight HAT002 to New York it is.", call("book", { flight: "HAT002", price: 4711 })),
  result("HAT001 booked"),
  system("HAT001"),
);
const used = usedLater(messages);

test("a value counts as taken up where somebody said it or passed it to a call afterwards", () => {
  expect(used("HAT002", 2)).toBe(true);
  expect(used("4711", 2)).toBe(true);
  expect(used("hat002", 2)).toBe(true);
  expect(used("New York", 2)).toBe(true);
});

test("what was said before, at the same place, or printed by tools and systems alone was not taken up", () => {
  expect(used("HAT001", 2)).toBe(false);
  expect(used("HAT002", 3)).toBe(false);
  expect(used("W2378156", 0)).toBe(false);
  expect(used("New Orleans", 2)).toBe(false);
});

test("values without a word, too short or too long to mean anything are not looked for", () => {
  expect(used("it", 2)).toBe(false);
  expect(used("---", 2)).toBe(false);
  expect(used("", -1)).toBe(false);
  expect(used("HAT002 ".repeat(100), 2)).toBe(false);
});

test("nothing was said, nothing was taken up", () => {
  expect(usedLater([])("HAT002", -1)).toBe(false);
});

test.each(["a", " ", "a.", "-", "日", "\ud800"])("reads a megabyte of %j in no time", (piece) => {
  const long = conversation(assistant(piece.repeat(1_000_000 / piece.length))).messages;
  const started = performance.now();
  expect(usedLater(long)("never said", -1)).toBe(false);
  expect(performance.now() - started).toBeLessThan(3_000);
});
