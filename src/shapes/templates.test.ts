import { expect, test } from "vitest";
import { findDeviations } from "./deviations.ts";
import { templatesOf } from "./templates.ts";

function linesOf(count: number, line: (index: number) => string): string[] {
  return Array.from({ length: count }, (_, index) => line(index));
}

function deviationsIn(lines: readonly string[]): readonly number[] {
  return findDeviations(lines, templatesOf(lines), new Uint8Array(lines.length));
}

test("lines that differ in numbers, times, ids, paths and names have one template", () => {
  const lines = [
    '2026-01-02T10:00:00Z INFO api "GET /a/17" 200 3ms id=9f8e7d6c in src/a.ts',
    '2026-01-02T10:00:09Z INFO web "POST /b" 201 1.5s id=0011aabb in src/b/c.ts',
    "[17/400] compiling main.c",
    "[18/400] compiling util.c",
    "----",
  ];
  const { of } = templatesOf(lines);
  expect(of[0]).toBe(of[1]);
  expect(of[2]).toBe(of[3]);
  expect(of[0]).not.toBe(of[2]);
  expect(of[4]).toBe(-1);
});

test("records on lines of their own are grouped by their keys", () => {
  const { of } = templatesOf(['{"level":30,"msg":"a b"}', '{"level":50,"msg":"c"}', '{"other":1}']);
  expect(of[0]).toBe(of[1]);
  expect(of[2]).not.toBe(of[0]);
});

test.each([
  ["a number far off", "GET /cart 200 in 41000 ms"],
  ["another unit", "GET /cart 200 in 41 s"],
  ["another status", "GET /cart 503 in 14 ms"],
  ["a sign", "GET /cart 200 in -14 ms"],
  ["another word", "PURGE /cart 200 in 14 ms"],
  ["another sentence", "the leader moved to node 3"],
])("%s deviates", (_, odd) => {
  const lines = linesOf(200, (index) => `GET /${"abc"[index % 3]} 200 in ${10 + (index % 9)} ms`);
  lines[120] = odd;
  expect(deviationsIn(lines)).toEqual([120]);
});

test("a break in a sequence deviates on both sides: what is missing stood between", () => {
  const lines = linesOf(
    200,
    (index) => `-rw-r--r-- 1 u g ${900 + ((index * 37) % 70)} part-${1_000 + index}.gz`,
  );
  lines.splice(80, 1);
  expect(deviationsIn(lines).toSorted((a, b) => a - b)).toEqual([79, 80]);
});

test("ids that happen to be numbers, and a text without repetition, have no deviations", () => {
  const ids = linesOf(
    100,
    (index) => `served request_id=${index % 30 === 7 ? 10_000_000 + index : `a${index}f9e1`}`,
  );
  expect(deviationsIn(ids)).toEqual([]);
  const words = "one two three four five six seven eight nine ten".split(" ");
  const prose = linesOf(40, (index) =>
    words
      .slice(0, 3 + (index % 7))
      .map((word) => word + "abcdefgh"[index % 8])
      .join(" "),
  );
  expect(deviationsIn(prose)).toEqual([]);
});

test("a megabyte of unlike lines takes time in proportion to its length", () => {
  const word = (seed: number): string => ((seed * 7_919) % 999_983).toString(36).replace(/\d/g, "q");
  const timeFor = (count: number): number => {
    const lines = linesOf(count, (index) => [1, 2, 3, 4, 5].map((each) => word(index * 5 + each)).join(" "));
    const start = process.cpuUsage().user;
    templatesOf(lines);
    return process.cpuUsage().user - start;
  };
  timeFor(4_000);
  expect(timeFor(32_000)).toBeLessThan(Math.max(timeFor(4_000), 4_000) * 40);
});
