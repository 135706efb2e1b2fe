import { expect, test } from "vitest";
import { counted, percent, thousands } from "./number-words.ts";

test("groups thousands with commas whatever the machine's locale", () => {
  expect([0, 7, 999, 1_000, 1_234_567, -1_200, 1_199.6].map(thousands)).toEqual([
    "0",
    "7",
    "999",
    "1,000",
    "1,234,567",
    "-1,200",
    "1,200",
  ]);
  expect(thousands(Number.POSITIVE_INFINITY)).toBe("Infinity");
});

test("writes shares with at most one decimal", () => {
  expect([0.525, 0.35, 1 / 3, 1.5].map((share) => percent(share))).toEqual(["52.5%", "35%", "33.3%", "150%"]);
  expect(percent(1 / 3, 0)).toBe("33%");
});

test("counts nouns", () => {
  expect([counted(1, "message"), counted(1_200, "message")]).toEqual(["1 message", "1,200 messages"]);
});
