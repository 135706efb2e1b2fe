/** A selection of the lines of a text: what must stay, what may while there is room, and how it reads with gaps. */
import { cutLine, MAX_LINE_CHARS } from "./cut-line.ts";
import type { ShapeContext } from "./shape.ts";
import { gapMark } from "./shape-note.ts";

export interface Selection {
  readonly lines: readonly string[];
  /** 1 for a line that is shown. */
  readonly kept: Uint8Array;
  /** Characters that may be shown; lines that must stay are shown beyond it. */
  readonly budget: number;
  /** Characters that the mark of a gap costs: charged to a line that does not follow a shown one. */
  readonly gapCost: number;
  /** 1 for a line that is not shown without the line before it. */
  readonly continues: Uint8Array | undefined;
  spent: number;
}

/** A single line up to this much longer than its gap mark is shown. */
const SHORT_LINE = 40;

/** Says what lies between two shown lines (`end` exclusive), or nothing for no mark. */
export type DescribeGap = (start: number, end: number) => string | undefined;

/** How many characters of an output a shape shows: those given, else a quarter of it, between one page and three. */
export function roomFor(
  chars: number,
  { room }: ShapeContext,
  { share = 0.25, least = 3_000, most = 8_000 } = {},
): number {
  return room ?? Math.min(most, Math.max(least, Math.floor(chars * share)));
}

export function startSelection(
  lines: readonly string[],
  budget: number,
  gapCost = 14,
  continues?: Uint8Array,
): Selection {
  return { lines, kept: new Uint8Array(lines.length), budget, gapCost, continues, spent: 0 };
}

/** Shows a line whatever it costs. */
export function mustKeep(selection: Selection, index: number): void {
  if (index < 0 || index >= selection.lines.length || selection.kept[index] === 1) return;
  selection.kept[index] = 1;
  selection.spent += costOf(selection, index);
}

/** Shows a line, with those it continues, while there is room; false when there was none. */
export function tryKeep(selection: Selection, index: number, budget: number = selection.budget): boolean {
  const { lines, kept, continues } = selection;
  if (index < 0 || index >= lines.length || kept[index] === 1) return true;
  let first = index;
  let cost = 0;
  while (continues?.[first] === 1 && kept[first - 1] === 0) {
    cost += lines[first]!.length;
    if (selection.spent + cost > budget) return false;
    first--;
  }
  cost += costOf(selection, first);
  if (selection.spent + cost > budget) return false;
  kept.fill(1, first, index + 1);
  selection.spent += cost;
  return true;
}

/** Shows the first lines, while there is room in this share of the whole budget. */
export function keepFirst(selection: Selection, count: number, share: number): void {
  const limit = Math.min(selection.budget, selection.spent + selection.budget * share);
  for (let index = 0; index < count; index++) if (!tryKeep(selection, index, limit)) return;
}

/** Shows lines up to the last, from the end backwards. */
export function keepLast(selection: Selection, count: number, share: number): void {
  const limit = Math.min(selection.budget, selection.spent + selection.budget * share);
  const last = selection.lines.length - 1;
  for (let index = last; index > last - count; index--) if (!tryKeep(selection, index, limit)) return;
}

/** Shows the first line of every group, then the second of every group, … while there is room. */
export function keepByTurns(selection: Selection, groups: readonly (readonly number[])[]): void {
  let open = groups;
  for (let round = 0; open.length > 0; round++) {
    for (const group of open) if (!tryKeep(selection, group[round]!)) return;
    open = open.filter((group) => group.length > round + 1);
  }
}

/** How much of the lines a rendered selection shows; where all are, of their characters (long lines are cut). */
export function shownOf(
  selection: Selection,
  body: string,
  unit = "lines",
): { shown: number; total: number; unit: string } {
  const shown = shownLines(selection);
  const total = selection.lines.length;
  if (shown < total) return { shown, total, unit };
  const chars = selection.lines.reduce((sum, line) => sum + line.length + 1, -1);
  return { shown: Math.min(body.length, chars), total: chars, unit: "characters" };
}

export function shownLines({ kept }: Selection): number {
  let count = 0;
  for (const mark of kept) count += mark;
  return count;
}

/** The shown lines in order, each gap marked. A gap hardly longer than its mark is shown instead. */
export function renderSelection(selection: Selection, describeGap: DescribeGap = plainGap): string {
  const { lines, kept } = selection;
  const shown: string[] = [];
  let index = 0;
  while (index < lines.length) {
    if (kept[index] === 1) {
      shown.push(cutLine(lines[index++]!));
      continue;
    }
    let end = index;
    let chars = 0;
    while (end < lines.length && kept[end] === 0) chars += lines[end++]!.length + 1;
    const mark = describeGap(index, end);
    if (mark !== undefined && chars <= mark.length + (end - index === 1 ? SHORT_LINE : 0)) {
      for (; index < end; index++) {
        kept[index] = 1;
        shown.push(lines[index]!);
      }
    } else if (mark !== undefined && chars > end - index) {
      shown.push(mark);
    }
    index = end;
  }
  return shown.join("\n");
}

/** 0 … count-1 so that every prefix is spread evenly: 0, 8, 4, 12, 2, 10, … */
export function* evenly(count: number): Generator<number> {
  let step = 1;
  while (step < count) step *= 2;
  if (count > 0) yield 0;
  for (; step >= 2; step /= 2) for (let index = step / 2; index < count; index += step) yield index;
}

function costOf({ lines, kept, gapCost }: Selection, index: number): number {
  const alone = index > 0 && kept[index - 1] === 0 && kept[index + 1] !== 1;
  return Math.min(lines[index]!.length, MAX_LINE_CHARS) + 1 + (alone ? gapCost : 0);
}

const plainGap: DescribeGap = (start, end) => gapMark(end - start);
