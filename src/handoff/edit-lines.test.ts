import { expect, test } from "vitest";
import { editsIn, editText, type LineEdit, netOf } from "./edit-lines.ts";

const edit = (before: string, now: string): LineEdit => editsIn({ old_string: before, new_string: now })[0]!;

test("an edit is the lines that went and those that came; what is in both is neither", () => {
  expect(edit("one\ntwo\n}", "one\nthree\n}")).toEqual({
    gone: ["two"],
    came: ["three"],
    count: { went: 1, came: 1 },
  });
  const several = [
    { oldText: "one", newText: "two" },
    { oldText: "three", newText: "" },
  ];
  expect(editsIn({ path: "a.ts", edits: several })).toEqual([
    { gone: ["one"], came: ["two"], count: { went: 1, came: 1 } },
    { gone: ["three"], came: [], count: { went: 1, came: 0 } },
  ]);
  expect(editsIn({ file_path: "a.ts", content: "whole file" })).toEqual([]);
});

test("what came and went again, or went and came again, is no change", () => {
  const one = edit("before", "between");
  expect(netOf([one, edit("between", "later")])).toEqual([
    { gone: ["before"], came: [] },
    { gone: [], came: ["later"] },
  ]);
  expect(netOf([one, edit("between", "before")])).toEqual([]);
  expect(netOf([one, one])).toEqual([{ gone: ["before"], came: ["between"] }]);
});

test("an edit is told by its declarations, then its code, then its comments; what is named beside it is not told again", () => {
  const came = ["// why this is so", "count += 1;", "function total(x) {", "return x;", "total(1);"];
  expect(editText([{ gone: ["old(1);", "old(1);"], came }], [])).toBe(
    "− old(1); ⏎ + count += 1; ⏎ + function total(x) { ⏎ + return x; ⏎ + total(1);",
  );
  expect(editText([{ gone: [], came: ["function total(x) {"] }], ["total"])).toBe("");
  expect(editText([edit("total(1);", "")], [])).toBe("−1 line: − total(1);");
  expect(editText([{ gone: [], came: ["x".repeat(200)] }], []).length).toBeLessThan(120);
  expect(editText([], [])).toBe("");
});

test("lines are counted exactly, blank and repeated ones included, or not at all", () => {
  const added = edit("one();\n}", "one();\n\ntwo();\ntwo();\n}");
  expect(editText([added], [])).toBe("+3 lines: + two();");
  expect(editText([added, edit("three();", "four();\n")], [])).toMatch(/^−1 \+5 lines: /);
  expect(editText([edit("one();\ntwo();", "two();\nthree();")], [])).toBe("− one(); ⏎ + three();");
  expect(editText([edit("one();", "two();"), edit("two();", "three();")], [])).toMatch(/^− one/);
  const told = (before: string, now: string) => editText([edit(before, now)], []);
  expect(told("first();\nnext();\n", "")).toMatch(/^−2 lines: /);
  expect(told("", "first();\nnext();\n")).toMatch(/^\+2 lines: /);
  expect(told("first();\nnext();\n", "first();\nother();\n")).toMatch(/^−1 \+1 lines: /);
  expect(told("first();\n", "next();")).toMatch(/^− first/);
});

test.each([
  [{ replace_all: true }, "− one(); ⏎ + two();"],
  [{ replace_all: "true" }, "− one(); ⏎ + two();"],
  [{ expected_replacements: 3 }, "− one(); ⏎ + two();"],
  [{ expected_replacements: 1 }, "−1 +1 lines: − one(); ⏎ + two();"],
  [{ replace_all: false }, "−1 +1 lines: − one(); ⏎ + two();"],
])("an edit that is made more than once has no certain number of lines: %j", (often, expected) => {
  expect(editText(editsIn({ old_string: "one();", new_string: "two();", ...often }), [])).toBe(expected);
});

test("of several edits each of the newest is told by a line", () => {
  const edits = Array.from({ length: 7 }, (_, at) => edit(`old(${at});`, `new(${at});\nmore(${at});`));
  expect(editText(edits, [])).toBe("−7 +14 lines: + new(2); ⏎ + new(3); ⏎ + new(4); ⏎ + new(5); ⏎ + new(6);");
  const renamed = edit("list.old();", "list.now();");
  expect(editText([...edits, renamed], [])).toMatch(/ ⏎ − list\.old\(\); ⏎ \+ list\.now\(\);$/);
  expect(editText([...edits, edit("last(1);", "")], [])).toMatch(/ ⏎ − last\(1\);$/);
});

test("lines that differ in nothing but blanks or the comment at their end are not shown while others changed", () => {
  const was = "load(1),  # first\njump(28),  # to 28\nhalt(),";
  const now = "load(1),    # the first\njump(24),  # to 24\nhalt(),";
  expect(editText([edit(was, now)], [])).toMatch(/: − jump\(28\), # to 28 ⏎ \+ jump\(24\), # to 24$/);
  expect(editText([edit("load(1),  # first", "load(1), # 1")], [])).toContain("+ load(1), # 1");
});
