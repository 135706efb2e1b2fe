import { expect, test } from "vitest";
import { isInjected, ownProse } from "./own-prose.ts";
import { looksPasted, pastedLines } from "./pasted-lines.ts";

const proseOf = (text: string) =>
  ownProse(text)
    .map(({ start, end }) => text.slice(start, end).trim())
    .filter(Boolean);

test.each([
  ["fenced code", "Fix it.\n```\nmust\n```\nThanks.", ["Fix it.", "Thanks."]],
  ["quoted lines", "As they said:\n> you must\n\nI agree.", ["As they said:", "I agree."]],
  ["injected blocks", "<system-reminder>\nnever do it\n</system-reminder>\nGo on.", ["Go on."]],
  [
    "injected blocks on one line",
    "<command-name>/x</command-name>\n<command-message>x</command-message>\nGo.",
    ["Go."],
  ],
  ["a block in the middle of a line", "Look <env a='1'>\nmust\n</env> here.", ["Look", "here."]],
  ["messages that a program wrote", "Base directory for this skill: /x\n\nYou must.", []],
  [
    "what a program adds to a plan",
    "Add x.\n\nIf you need specific details from before exiting plan mode, read the full transcript at: /x.jsonl",
    ["Add x."],
  ],
  ["logs", "It fails:\n2024-01-01 10:00:00 ERROR must not\n[WARN] never\nERROR: always\n\nHelp.", ["Help."]],
])("leaves out %s", (_, text, prose) => {
  expect(proseOf(text)).toEqual(prose);
});

test.each([
  ["inline tags", "Make <b>this</b> bold.", ["Make <b>this</b> bold."]],
  ["tags that never close", "Use <T> here.\n<br>\nAlways.", ["Use <T> here.", "Always."]],
  ["what stands in a tag of the user's own", "<task>\nFix it.\n</task>\n<env>\nx\n</env>", ["Fix it."]],
  ["what was given to a command", "<command-args>only src</command-args>", ["only src"]],
  [
    "a task between rules",
    "Hi.\n\n----- TASK -----\nAdd x.\n----- END OF TASK -----",
    ["Hi.\n\n----- TASK -----\nAdd x.\n----- END OF TASK -----"],
  ],
  [
    "what stands between tags of a task",
    "<issue>\nIt fails.\n</issue>\n<task_description>\nFix it.\n</task_description>",
    ["It fails.", "Fix it."],
  ],
  ["indented words", "Hello.\n\n    Keep the API as it is.\n", ["Hello.", "Keep the API as it is."]],
])("keeps %s", (_, text, prose) => {
  expect(proseOf(text)).toEqual(prose);
});

test("looks at the first and the last 32 KB of a very long text", () => {
  const lines = Array.from(
    { length: 4000 },
    (_, index) => `This is line number ${index} of what somebody wrote.`,
  );
  const spans = ownProse(`${lines.join("\n\n")}\n`);
  const total = spans.reduce((sum, { start, end }) => sum + end - start, 0);
  expect(total).toBe(65_536);
  expect(spans[0]?.start).toBe(0);
  const several = ownProse(lines.join("\n> quote\n"));
  expect(several.reduce((sum, { start, end }) => sum + end - start, 0)).toBeLessThanOrEqual(65_536);
  expect(several.length).toBeGreaterThan(100);
});

test.each([
  "| a | b |",
  "2024-05-01T10:00:00Z started",
  "[12:00:01] x",
  "ERROR: it must be set",
  "at Object.run (/a/b.js:1:2)",
  'File "a.py", line 3',
  "TypeError: x is not a function",
  "src/a.ts:12:5: error here",
  "diff --git a/x b/x",
  "+const a = 1;",
  "$ npm test",
  "me@host:~/x$ ls",
  "-rw-r--r-- 1 a",
  '"name": "x",',
  "{",
  "const a = 1;",
  "import { a } from 'b'",
  "foo.bar(1, 2)",
  "⏺ Read(a.ts)",
  "if (a[0] == b) && (c <= d[1]) || (e)",
  "deadbeefdeadbeefdeadbeef 1234567890",
])("knows %j for pasted", (line) => {
  expect(looksPasted(line)).toBe(true);
});

test.each([
  "Please keep the API stable.",
  "- never touch src/a.ts (it is generated)",
  "Use `a = b;` only.",
  "no, that's wrong",
  "1. first do this",
  "不要使用外部库。",
  "**Important:** stay below 5 %.",
  "Note: it's at https://a.b/c?d=e",
])("knows %j for typed", (line) => {
  expect(looksPasted(line)).toBe(false);
});

test("takes a paragraph for pasted when most of its lines are", () => {
  const lines = pastedLines("ERROR: x\nyou must set it\nWARN: y\n\nI typed this.");
  expect(lines.map(({ isPasted }) => isPasted)).toEqual([true, true, true, false, false]);
});

const screen = "\n\n(Open file: n/a)\n(Current directory: /repo)\nbash-$";

test.each([
  "EXECUTION RESULT of [execute_bash]:\nThe value must be an integer.",
  "Here is a demonstration of how to correctly accomplish this task.\nAlways run the tests.",
  `raise TypeError("Register index must be an integer")${screen}`,
  `Welcome! You must log in.\n\n(Open file: n/a)\n(Current directory: /repo)\n(Interactive session: nc)\nbash-$`,
  `README\nINSTRUCTIONS:\nYou must delete the cache first.${screen}`,
])("[R8] what a command printed is nobody's words: %j", (text) => {
  expect(isInjected(text)).toBe(true);
  expect(ownProse(text)).toEqual([]);
});

test.each([
  "Observation: the build fails on Windows. Please fix it.",
  "EXECUTION RESULT of [make test] is wrong since yesterday. Never touch ci.yml.",
  "Fix the failing test. Never touch prod.\n\n$ pytest\n(Current directory: /repo)\nbash-$",
  "Here is a demonstration of how to break the parser. Never let that happen again.",
])("a person may write %j", (text) => {
  expect(isInjected(text)).toBe(false);
});

test("[R8] a task that ends in a shell's prompt is the user's, and what it shows as an example is not", () => {
  const task = `We're currently solving the following issue.\nINSTRUCTIONS:\nNever use the network.${screen}`;
  expect(isInjected(task)).toBe(false);
  const shown = "--- START OF EXAMPLE ---\nUSER: Always use port 5000.\n--- END OF EXAMPLE ---";
  const text = `Here's how it goes.\n${shown}\nDo not use the example's port.`;
  const prose = ownProse(text).map(({ start, end }) => text.slice(start, end).trim());
  expect(prose).toEqual(["Here's how it goes.", "Do not use the example's port."]);
});
