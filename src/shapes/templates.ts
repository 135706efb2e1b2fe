/** Templates: lines that say the same with other numbers, names and times, put together in one pass. */
import { cellsOf, type LineCell } from "./line-cells.ts";
import { isGap } from "./shape-note.ts";

export interface Template {
  /** Positions of its lines, in order. */
  readonly lines: number[];
  /** What its columns have in common; undefined where words differ. */
  readonly marks: (string | undefined)[];
}

export interface Templates {
  readonly all: readonly Template[];
  /** The template of each line; -1 for a line without words or numbers, and for the mark of a gap. */
  readonly of: Int32Array;
  readonly cells: readonly (readonly LineCell[])[];
}

/** A line joins a template when this share of its columns is the same. */
const ALIKE_SHARE = 0.6;
/** Templates of one width that a new kind of line is compared with: enough in practice, and it bounds the time. */
const MOST_COMPARED = 24;

export function templatesOf(lines: readonly string[]): Templates {
  const memo = new Map<string, LineCell>();
  const all: Template[] = [];
  const of = new Int32Array(lines.length).fill(-1);
  const byKey = new Map<string, number>();
  const byWidth = new Map<number, number[]>();
  const cells = lines.map((line) => cellsOf(line, memo));
  for (let index = 0; index < lines.length; index++) {
    const row = cells[index]!;
    const key = keyOf(row);
    if (key === "" || isGap(lines[index]!)) continue;
    let at = byKey.get(key);
    if (at === undefined) {
      const width = byWidth.get(row.length) ?? [];
      at = width.find((known) => joins(all[known]!, row));
      if (at === undefined) {
        at = all.push({ lines: [], marks: row.map(({ mark }) => mark) }) - 1;
        remember(width, at, all);
        byWidth.set(row.length, width);
      }
      byKey.set(key, at);
    }
    all[at]!.lines.push(index);
    of[index] = at;
  }
  return { all, of, cells };
}

/** What the line says without its holes; "" for a line that says nothing. */
function keyOf(row: readonly LineCell[]): string {
  let key = "";
  let says = false;
  for (const cell of row) {
    key += ` ${cell.mark}`;
    says ||= cell.says;
  }
  return says ? key : "";
}

/** Where the list is full, a template that has stayed alone makes room. */
function remember(width: number[], at: number, all: readonly Template[]): void {
  const place =
    width.length < MOST_COMPARED ? width.length : width.findIndex((known) => all[known]!.lines.length < 2);
  if (place >= 0) width[place] = at;
}

/** Takes a line of a new kind into a template that is nearly the same; what differs becomes a hole. */
function joins({ marks }: Template, row: readonly LineCell[]): boolean {
  let alike = 0;
  for (let column = 0; column < marks.length; column++) {
    if (marks[column] === row[column]!.mark) alike += 1;
    else if (marks[column] === undefined) alike += 0.5;
  }
  if (alike < Math.max(1, marks.length < 3 ? marks.length / 2 : marks.length * ALIKE_SHARE)) return false;
  for (let column = 0; column < marks.length; column++) {
    if (marks[column] !== row[column]!.mark) marks[column] = undefined;
  }
  return true;
}
