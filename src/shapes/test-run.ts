/** Shape of a test run: every failing test with its assertion, the summary; passing tests become a count. */
import { chooseLines, rankLines } from "./choose-lines.ts";
import { findErrorLines } from "./error-lines.ts";
import { isPassing } from "./line-roles.ts";
import {
  type DescribeGap,
  mustKeep,
  renderSelection,
  roomFor,
  shownOf,
  startSelection,
} from "./select-lines.ts";
import type { Shape } from "./shape.ts";
import { gapMark, withNote } from "./shape-note.ts";
import { describeByTemplates } from "./template-gap.ts";

const SIGNS =
  /=== RUN|--- (?:PASS|FAIL)|test session starts|^[ \t]*Tests?:\s+\d|Test Files\s|test result:|^running \d+ tests|^TAP version|^ok \d+ - |\d+ (?:passing|passed)\b|^(?:ok|FAIL)\s{2,}\t?\S+\t|^[ \t]*[✓✔✗✕] |\d+ examples?, \d+ failures?|Tests run: \d|^PHPUnit |^Ran \d+ tests?|^Passed!|^Failed!/m;

export const testRun: Shape = {
  kind: "test-run",
  recognises: ({ text }, { kind }) => {
    if (kind !== undefined && kind !== "test-run" && kind !== "log") return 0;
    const found = SIGNS.test(text.slice(0, 4_000)) || SIGNS.test(text.slice(-2_000));
    return kind === "test-run" ? (found ? 0.95 : 0.4) : found ? 0.75 : 0;
  },
  shape: ({ text }, context) => {
    const lines = text.split("\n");
    const selection = startSelection(lines, roomFor(text.length, context, { least: 2_000 }));
    const ranking = rankLines(lines, "output");
    for (const index of [...ranking.failures.told, ...findErrorLines(lines, "output")]) {
      mustKeep(selection, index);
    }
    // What passed is told by its count.
    chooseLines(selection, { ...ranking, buckets: ranking.buckets.slice(0, -1) });
    const body = renderSelection(
      selection,
      passingGap(lines, describeByTemplates(ranking, selection.kept)),
    );
    return withNote(body, { kind: "test-run", ...shownOf(selection, body) }, context);
  },
};

function passingGap(lines: readonly string[], describe: DescribeGap): DescribeGap {
  return (start, end) => {
    let passed = 0;
    for (let index = start; index < end; index++) {
      if (isPassing(lines[index]!) && !lines[index]!.startsWith("===")) passed++;
    }
    if (passed === 0) return describe(start, end);
    return gapMark(end - start, `lines, ${passed} of them passing`);
  };
}
