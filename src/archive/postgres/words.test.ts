import { expect, test } from "vitest";
import { wordsOf } from "./words.ts";

test("splits at everything but letters and digits, and folds case and accents", () => {
  expect(wordsOf("Füße: foo_bar.ts, CAFÉ e\u0301t\u0301 v1.2")).toEqual([
    "fuße",
    "foo",
    "bar",
    "ts",
    "cafe",
    "et",
    "v1",
    "2",
  ]);
  expect(wordsOf("漢字 \0 \ud83d привет")).toEqual(["漢字", "привет"]);
  expect(wordsOf("")).toEqual([]);
});

test("leaves out what nobody searches by word", () => {
  expect(wordsOf(`short ${"x".repeat(65)} ${"y".repeat(64)}`)).toEqual(["short", "y".repeat(64)]);
});

test("counts repeated words less in a long text, so that its last words still fit", () => {
  const words = wordsOf(`${"again and ".repeat(100_000)} needle`);
  expect(words).toEqual([...Array(4).fill(["again", "and"]).flat(), "needle"]);
  const distinct = Array.from({ length: 200_000 }, (_, index) => `w${index}`).join(" ");
  expect(Buffer.byteLength(wordsOf(distinct).join(" "))).toBeLessThanOrEqual(400_000);
});
