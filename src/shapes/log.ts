/** Shape of logs and build output: errors and warnings with what stands around them, head, tail, one of each kind of line. */
import { findErrorLines, isErrorLine } from "./error-lines.ts";
import { lineShape } from "./line-shape.ts";
import {
  type DescribeGap,
  keepFrom,
  keepLast,
  mustKeep,
  renderSelection,
  roomFor,
  shownOf,
  startSelection,
  tryKeep,
} from "./select-lines.ts";
import type { Shape } from "./shape.ts";
import { gapMark, withNote } from "./shape-note.ts";
import { isCommand } from "./tool-hints.ts";

const WARNING = /\bwarn(?:ing)?s?\b|deprecated|⚠/i;
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
  shape: ({ text }, context) => {
    const lines = text.split("\n");
    const shapes = new Uint32Array(lines.length);
    for (let index = 0; index < lines.length; index++) shapes[index] = lineShape(lines[index]!);
    const selection = startSelection(lines, roomFor(text.length));
    const errors = findErrorLines(lines, "output");
    for (const index of errors) mustKeep(selection, index);
    keepFrom(selection, 0, 12, 0.2);
    keepLast(selection, 20, 0.3);
    for (const index of errors.slice(0, 40)) {
      for (const near of [index - 1, index + 1, index + 2, index + 3]) tryKeep(selection, near);
    }
    const firsts = firstOfEachShape(shapes);
    for (const index of firsts) if (WARNING.test(lines[index]!.slice(0, 400))) tryKeep(selection, index);
    for (const index of firsts) if (!tryKeep(selection, index)) break;
    const body = renderSelection(selection, describeGap(lines, shapes));
    const note = { kind: "log", ...shownOf(selection, body) };
    return withNote(body, note, context);
  },
};

/** Rare shapes first: what was said once is news, what was said a thousand times is a pulse. */
function firstOfEachShape(shapes: Uint32Array): readonly number[] {
  const counts = new Map<number, number>();
  const firsts: number[] = [];
  for (let index = 0; index < shapes.length; index++) {
    const shape = shapes[index]!;
    const count = counts.get(shape);
    if (count === undefined) firsts.push(index);
    counts.set(shape, (count ?? 0) + 1);
  }
  return firsts.sort((a, b) => counts.get(shapes[a]!)! - counts.get(shapes[b]!)! || a - b);
}

/** Says when all lines of a gap are like the line above it, and how many errors like the ones shown it holds. */
function describeGap(lines: readonly string[], shapes: Uint32Array): DescribeGap {
  return (start, end) => {
    let errors = 0;
    for (let index = start; index < end; index++) if (isErrorLine(lines[index]!, "output")) errors++;
    if (errors > 0) return gapMark(end - start, `lines, ${errors} of them errors like those shown`);
    const same = start > 0 && shapes.subarray(start, end).every((shape) => shape === shapes[start - 1]);
    return gapMark(end - start, same ? "lines like the one above" : undefined);
  };
}
