/** Shape of anything else: head, tail, and the lines that say most. */
import { chooseLines, rankLines } from "./choose-lines.ts";
import { findErrorLines } from "./error-lines.ts";
import { mustKeep, renderSelection, roomFor, shownOf, startSelection } from "./select-lines.ts";
import type { Shape } from "./shape.ts";
import { withNote } from "./shape-note.ts";
import { describeByTemplates } from "./template-gap.ts";

export const text: Shape = {
  kind: "text",
  recognises: () => 0.1,
  shape: (output) => (context) => {
    const lines = output.text.split("\n");
    const room = roomFor(output.text.length, context, { share: 0.4, least: 3_000 });
    const selection = startSelection(lines, room);
    const ranking = rankLines(lines, "content");
    const keep = (index: number): void => {
      if (ranking.isNoise[index] === 0) mustKeep(selection, index);
    };
    findErrorLines(lines, "content").forEach(keep);
    // A word of failure here and there is news; a text that is about failures has it everywhere.
    const told = findErrorLines(lines, "output");
    if (told.length <= Math.max(5, lines.length * 0.02)) told.forEach(keep);
    chooseLines(selection, ranking);
    const body = renderSelection(selection, describeByTemplates(ranking, selection.kept));
    return withNote(body, { kind: "text", ...shownOf(selection, body) }, context);
  },
};
