/** Shape of a test run: every failing test with its assertion, the summary; passing tests become a count. */
import { findErrorLines } from "./error-lines.ts";
import {
  type DescribeGap,
  keepFrom,
  mustKeep,
  renderSelection,
  roomFor,
  type Selection,
  shownOf,
  startSelection,
  tryKeep,
} from "./select-lines.ts";
import type { Shape } from "./shape.ts";
import { gapMark, withNote } from "./shape-note.ts";

/** A line that names a failing test, in the spellings of common runners. None of them is ever left out. */
const FAILING =
  /^\s*(?:--- FAIL|FAIL(?:ED)?[:\s]|[✗✕×✖❌●]|not ok\b|\d{1,5}\) \S|ERROR(?:ED)? \S+::|test \S.* \.\.\. FAILED|_{3,} (?!coverage).+ _{3,}|\S+::\S+ (?:FAILED|ERROR)|FAILURES!)|\bFAILED\b|\bpanicked at\b/;
const PASSING =
  /^\s*(?:--- PASS|PASS(?:ED)?\b|[✓✔√]|ok \d+|test \S.* \.\.\. ok|=== (?:RUN|PAUSE|CONT)|ok\s+\S+)|\bPASSED\b/;
const SUMMARY =
  /^\s*(?:Tests?:|Test Suites?:|Test Files|Snapshots:|Time:|Ran \d+ tests?|test result:|Tests run:|OK\b|FAIL$|PASS$|ok\s+\S+\s+[\d(]|FAIL\s+\S+|# (?:tests|pass|fail)|ℹ (?:tests|pass|fail)|\d+ (?:passed|passing|failed|failing|pending|skipped)|=+ .*(?:passed|failed|error|no tests).* =+|exit status \d|coverage:|TOTAL\s)/;
const ASSERTION =
  /^\s*(?:E\s{2,}|>\s|Expected|Received|expected|actual|got|want|left:|right:|AssertionError|assert|\+ |- |[\w./-]+:\d+(?::\d+)?:|Error Trace:|Error:|Messages:)/;
const SIGNS =
  /=== RUN|--- (?:PASS|FAIL)|test session starts|^[ \t]*Tests?:\s+\d|Test Files\s|test result:|^running \d+ tests|^TAP version|^ok \d+ - |\d+ (?:passing|passed)\b|^(?:ok|FAIL)\s{2,}\t?\S+\t|^[ \t]*[✓✔✗✕] /m;

export const testRun: Shape = {
  kind: "test-run",
  recognises: ({ text }, { kind }) => {
    if (kind !== undefined && kind !== "test-run" && kind !== "log") return 0;
    const found = SIGNS.test(text.slice(0, 4_000)) || SIGNS.test(text.slice(-2_000));
    return kind === "test-run" ? (found ? 0.95 : 0.4) : found ? 0.75 : 0;
  },
  shape: ({ text }, context) => {
    const lines = text.split("\n");
    const selection = startSelection(lines, roomFor(text.length, { least: 2_000 }));
    const failing: number[] = [];
    for (let index = 0; index < lines.length; index++) {
      const start = lines[index]!.slice(0, 300);
      if (FAILING.test(start)) failing.push(index);
      else if (SUMMARY.test(start)) tryKeep(selection, index, selection.budget * 0.3);
    }
    for (const index of failing) mustKeep(selection, index);
    for (const index of findErrorLines(lines, "output")) mustKeep(selection, index);
    keepEnd(selection);
    for (const index of failing) keepAssertion(selection, index);
    for (const index of failing) keepFrom(selection, index + 1, 12, 0.15);
    const body = renderSelection(selection, passingGap(lines));
    const note = { kind: "test-run", ...shownOf(selection, body) };
    return withNote(body, note, context);
  },
};

/** The last lines that are not about a passing test. */
function keepEnd(selection: Selection): void {
  let kept = 0;
  for (let index = selection.lines.length - 1; index >= selection.lines.length - 60 && kept < 10; index--) {
    const line = (selection.lines[index] ?? "").slice(0, 300);
    if (line.trim() === "" || (PASSING.test(line) && !SUMMARY.test(line))) continue;
    if (!tryKeep(selection, index, selection.budget * 0.6)) return;
    kept++;
  }
}

/** The assertion may stand before (go test) or after (most others) the line with the name. */
function keepAssertion(selection: Selection, name: number): void {
  let found = 0;
  for (let near = name + 1; near < name + 40 && near < selection.lines.length && found < 8; near++) {
    const line = selection.lines[near]!.slice(0, 300);
    if (FAILING.test(line) || PASSING.test(line)) break;
    if (ASSERTION.test(line) && tryKeep(selection, near)) found++;
  }
  for (let near = name - 1; near > name - 12 && near >= 0 && found < 8; near--) {
    const line = selection.lines[near]!.slice(0, 300);
    if (FAILING.test(line) || PASSING.test(line)) break;
    if (ASSERTION.test(line) && tryKeep(selection, near)) found++;
  }
}

function passingGap(lines: readonly string[]): DescribeGap {
  return (start, end) => {
    let passed = 0;
    for (let index = start; index < end; index++) {
      const line = lines[index]!.slice(0, 300);
      if (PASSING.test(line) && !line.startsWith("===")) passed++;
    }
    return gapMark(end - start, passed > 0 ? `lines, ${passed} of them passing` : undefined);
  };
}
