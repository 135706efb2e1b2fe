/** Shape of a test run: every failing test with its assertion, the summary; passing tests become a count. */
import { chooseLines, rankLines } from "./choose-lines.ts";
import { findErrorLines } from "./error-lines.ts";
import { mustKeep, renderSelection, roomFor, shownOf, startSelection } from "./select-lines.ts";
import type { Shape } from "./shape.ts";
import { withNote } from "./shape-note.ts";
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
  shape:
    ({ text }) =>
    (context) => {
      const lines = text.split("\n");
      const selection = startSelection(lines, roomFor(text.length, context, { least: 2_000 }));
      const ranking = rankLines(lines, "output", "test-run");
      const { told, retold } = ranking.failures;
      for (const index of [...told, ...retold, ...findErrorLines(lines, "output")]) {
        if (ranking.isNoise[index] === 0) mustKeep(selection, index);
      }
      chooseLines(selection, ranking);
      const body = renderSelection(selection, describeByTemplates(ranking, selection.kept));
      return withNote(body, { kind: "test-run", ...shownOf(selection, body) }, context);
    },
};
