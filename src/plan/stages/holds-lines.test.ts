import { expect, test } from "vitest";
import { holdsLines } from "./holds-lines.ts";

test.each([
  ["a\nb\nc", "b\nc", true],
  ["a\nb\nc", "b\nc\n", true],
  ["a\nb\nc\n", "a\nb\nc\n", true],
  ["a\na\na\nb", "a\na\nb", true],
  ["x\ny\nx\ny\nx\nz", "x\ny\nx\nz", true],
  ["a\nbb\nc", "b\nc", false],
  ["a\nb", "b\nc", false],
  ["a", "a\nb\nc", false],
])("%j holds the lines %j: %s", (text, run, expected) => {
  expect(holdsLines(text, run)).toBe(expected);
});

test.each(["\n", ""])("takes linear time where a plain search would not, with %j between", (between) => {
  const some = `a${between}`.repeat(200_000);
  expect(holdsLines(some.repeat(2), `${some}b${some}`)).toBe(false);
});
