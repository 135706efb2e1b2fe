import { expect, test } from "vitest";
import { indexedText } from "../indexed-text.ts";

test("leaves nearly every text as it is", () => {
  for (const text of ["", "a b\nc", "漢".repeat(5_000), "a".repeat(999), `x${" y".repeat(900_000)}`]) {
    expect(indexedText(text)).toBe(text);
  }
});

test("reads over a NUL, takes little of encoded data, and the ends of what is very long", () => {
  expect(indexedText("a\0b")).toBe("a b");
  const encoded = "QUJDREVGSElKS0xN".repeat(1_000);
  expect(indexedText(`before ${encoded} after`)).toBe(`before ${encoded.slice(0, 500)} after`);
  for (const before of [0, 1, 250, 499, 500, 501, 999]) {
    const run = "x".repeat(1_000);
    expect(indexedText(`${" ".repeat(before)}${run}`)).toBe(`${" ".repeat(before)}${run.slice(500)}`);
    expect(indexedText(`${" ".repeat(before)}${run} y`)).toBe(`${" ".repeat(before)}${run.slice(500)} y`);
  }
  const long = `start ${"in between ".repeat(1_000_000)} end`;
  const indexed = indexedText(long);
  expect(indexed.length).toBe(2_000_001);
  expect([indexed.slice(0, 16), indexed.slice(-4)]).toEqual(["start in between", " end"]);
});

test("takes any megabyte in a moment", () => {
  const runs = ["a", " ", "-", "漢", "\0", `${"x".repeat(999)} `].map((unit) =>
    unit.repeat(3_000_000 / unit.length),
  );
  for (const run of runs) expect(indexedText(run).length).toBeLessThanOrEqual(2_000_001);
});
