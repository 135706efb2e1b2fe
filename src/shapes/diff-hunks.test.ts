import { expect, test } from "vitest";
import { createTokenCounter } from "../tokens/counter.ts";
import { hunksOf } from "./diff-hunks.ts";
import { shapeToolResult } from "./shape-tool-result.ts";

const linesOf = (count: number, line: string): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${line} ${index}`);

const file = (name: string, header: string, lines: readonly string[]): readonly string[] => [
  `diff --git a/${name} b/${name}`,
  "index 1..2 100644",
  `--- a/${name}`,
  `+++ b/${name}`,
  header,
  ...lines,
];

/** `[added, removed]` of each file, or undefined where it cannot be told. */
const countsOf = (lines: readonly string[]) =>
  hunksOf(lines).files.map((each) => (each.isWhole ? [each.added, each.removed] : undefined));

test("changed lines that look like the heads of files are counted as changes", () => {
  const changed = [...linesOf(3, "--- old comment"), "+++ i;", ...linesOf(2, " same")];
  expect(countsOf(file("a.sql", "@@ -1,5 +1,3 @@", changed))).toEqual([[1, 3]]);
});

test("what is printed below a diff is not counted", () => {
  const diff = file("a.ts", "@@ -1,3 +1,4 @@ run()", [" one", "+two", " three", " four"]);
  expect(countsOf([...diff, "-rw-r--r-- 1 root root 23 a.ts", "-rw-r--r-- 1 root root 7 b.ts"])).toEqual([
    [1, 0],
  ]);
  const mail = [
    "Subject: [PATCH] x",
    "",
    "- first thing",
    "+ second",
    "---",
    " a.ts | 1 +",
    "",
    ...diff,
    "-- ",
    "2.39.0",
  ];
  expect(countsOf([...mail, ...mail])).toEqual([
    [1, 0],
    [1, 0],
  ]);
});

test("each file is counted by itself, a merge's as well, and one that no line introduces", () => {
  const plain = ["--- c.ts", "+++ c.ts", "@@ -1 +1 @@", "-a", "+b", "\\ No newline at end of file"];
  const merge = ["diff --cc b.ts", "index 1,2..3", "--- a/b.ts", "+++ b/b.ts", "@@@ -1,6 -1,5 +1,6 @@@"];
  const merged = ["  a", "- B2", " -B1", "++B3", "  c", "  d", "- y", "+ x", " +z"];
  const lines = [...file("a.ts", "@@ -1,2 +1,2 @@", [" x", "-y", "+z"]), ...merge, ...merged, ...plain];
  expect(countsOf(lines)).toEqual([
    [1, 1],
    [3, 3],
    [1, 1],
  ]);
});

test("of a file of which a hunk was cut off no count is told, but its changes", () => {
  const cut = file("a.ts", "@@ -1,30 +1,31 @@", [" one", "+two", "[… 20 lines …]", "+three", ""]);
  const whole = file("b.ts", "@@ -1 +1,2 @@", [" one", "+two"]);
  expect(countsOf([...whole, ...cut, ...whole])).toEqual([[1, 0], undefined, [1, 0]]);
  expect(countsOf([...whole.slice(0, -1), ""])).toEqual([undefined]);
  const { changes } = hunksOf(cut);
  expect(cut.filter((_, index) => changes[index] !== 0)).toEqual(["+two", "+three"]);
});

test("in little room the files of a diff have the counts of their hunks only", () => {
  const context = linesOf(40, " context line of the query");
  const sql = (name: string): readonly string[] =>
    file(name, "@@ -1,49 +1,41 @@", [...linesOf(9, "--- old comment"), "+select 2;", ...context]);
  const text = [...sql("a.sql"), ...sql("b.sql"), ...linesOf(9, "-rw-r--r-- 1 root root")].join("\n");
  const output = { text, isError: false, toolName: "Bash", toolArguments: '{"command":"git diff; ls -l"}' };
  const shaped = shapeToolResult(output, { counter: createTokenCounter(), maxTokens: 120 })!;
  for (const name of ["a.sql", "b.sql"]) {
    expect(shaped.text).toContain(`diff --git a/${name} b/${name}: +1 -9\n`);
  }
});
