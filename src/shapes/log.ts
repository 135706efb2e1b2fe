/** Shape of logs and build output: errors with what shows them, what deviates, one of each kind of line. */
import { chooseLines, rankLines } from "./choose-lines.ts";
import { findErrorLines } from "./error-lines.ts";
import { mustKeep, renderSelection, roomFor, shownOf, startSelection } from "./select-lines.ts";
import type { Shape } from "./shape.ts";
import { withNote } from "./shape-note.ts";
import { describeByTemplates } from "./template-gap.ts";
import { isCommand } from "./tool-hints.ts";

const LOG_LINE =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|\w{3} +\d{1,2} \d\d:\d\d:\d\d|(?:\[[^\]]{1,30}\] *)?(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b|\{"(?:level|time|ts|msg|timestamp)")/;

export const log: Shape = {
  kind: "log",
  recognises: (output, hint) => {
    const lines = output.text.slice(0, 4_000).split("\n", 40);
    const entries = lines.filter((line) => LOG_LINE.test(line)).length;
    if (entries * 2 > lines.length && lines.length > 3) return 0.85;
    if (/\.log(?:\.\d+)?$/.test(hint.path)) return 0.8;
    return hint.kind === "log" ? 0.45 : isCommand(output, hint) ? 0.3 : 0;
  },
  shape:
    ({ text }) =>
    (context) => {
      const lines = text.split("\n");
      const selection = startSelection(lines, roomFor(text.length, context));
      const ranking = rankLines(lines, "output", "log");
      for (const index of findErrorLines(lines, "output")) {
        if (ranking.isNoise[index] === 0) mustKeep(selection, index);
      }
      chooseLines(selection, ranking);
      const body = renderSelection(selection, describeByTemplates(ranking, selection.kept));
      return withNote(body, { kind: "log", ...shownOf(selection, body) }, context);
    },
};
