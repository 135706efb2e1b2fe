import { expect, test } from "vitest";
import { SHAPE_NOTE } from "../conversation/shape-note.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { cutLine } from "./cut-line.ts";
import { evenly } from "./select-lines.ts";
import { grouped, type Note, writeNote } from "./shape-note.ts";
import { hintOf } from "./tool-hints.ts";

const counter = createTokenCounter();
const note: Note = { kind: "log", shown: 84, total: 1_912, unit: "lines" };

test("[R42] the note has one fixed form that no tool output has by chance", () => {
  const line = writeNote(note, { counter, handle: "pith:3f9c2a1b" });
  expect(line).toBe("[pith shaped: log, 84 of 1,912 lines shown; rest: pith:3f9c2a1b]");
  expect(SHAPE_NOTE.test(line)).toBe(true);
  expect(writeNote({ ...note, again: "read\nagain]" }, { counter })).toMatch(SHAPE_NOTE);
});

test("numbers are grouped the same everywhere", () => {
  expect([0, 999, 1_000, 1_234_567].map(grouped)).toEqual(["0", "999", "1,000", "1,234,567"]);
});

test("a long line is cut at words, keeps what tells of an error, and never splits a character", () => {
  const line = `start of it ${"words ".repeat(500)}fatal problem ${"words ".repeat(500)}end of it`;
  const cut = cutLine(line, 300);
  expect(cut.startsWith("start of it")).toBe(true);
  expect(cut).toContain("fatal");
  expect(cut.endsWith("end of it")).toBe(true);
  expect(cutLine("😀".repeat(400), 101).isWellFormed()).toBe(true);
  expect(cutLine("short", 300)).toBe("short");
});

test("an even order visits everything once, spread from the start", () => {
  expect([...evenly(6)].sort()).toEqual([0, 1, 2, 3, 4, 5]);
  expect([...evenly(100)].slice(0, 4)).toEqual([0, 64, 32, 96]);
  expect([...evenly(0)]).toEqual([]);
});

test("names and arguments of calls hint at the kind", () => {
  const kindOf = (toolName: string, values: unknown = {}): string | undefined =>
    hintOf({ text: "", toolName, toolArguments: JSON.stringify(values), isError: false }).kind;
  expect(kindOf("Read", { file_path: "a" })).toBe("file-read");
  expect(kindOf("functions.read_file")).toBe("file-read");
  expect(kindOf("mcp__github__list_issues")).toBe("api-response");
  expect(kindOf("Bash", { command: "cd a && npm run test -- x" })).toBe("test-run");
  expect(kindOf("shell", { command: ["bash", "-lc", "git diff HEAD~1"] })).toBe("diff");
  expect(kindOf("exec_command", { cmd: "cd a && rg -n foo" })).toBe("grep-results");
  expect(kindOf("Bash", { command: "echo hi" })).toBeUndefined();
  expect(kindOf("run_commands", { commands: ["cd a", "cat b.ts"] })).toBe("file-read");
  expect(kindOf("ask", { input: "does npm test pass?" })).toBeUndefined();
  expect(kindOf("Glob")).toBe("directory-listing");
  expect(kindOf("execute_sql")).toBe("database-rows");
  expect(hintOf({ text: "", toolName: "Bash", toolArguments: "{broken", isError: false }).command).toBe("");
  expect(
    hintOf({ text: "", toolName: "Read", toolArguments: '{"offset":12}', isError: false }).firstLine,
  ).toBe(12);
  expect(
    hintOf({ text: "", toolName: "x", toolArguments: '{"absolute_path":"a.csv"}', isError: false }).path,
  ).toBe("a.csv");
});
