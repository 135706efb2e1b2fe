/** Which lines say again what other lines of their template say: a pulse is told by two of its lines, a list by a few more. */
import { evenly } from "./select-lines.ts";
import type { Template, Templates } from "./templates.ts";

/** From so many times on a line is told once. */
const SAME_LINES = 4;

/** For each line that is the same as an earlier one, however deep, the position of the first; otherwise -1. */
export function sameLinesIn(lines: readonly string[]): Int32Array {
  const positions = new Map<string, number[]>();
  lines.forEach((line, index) => {
    const said = saidBy(line);
    const known = positions.get(said);
    if (known === undefined) positions.set(said, [index]);
    else known.push(index);
  });
  const same = new Int32Array(lines.length).fill(-1);
  for (const [first, ...others] of positions.values()) {
    if (others.length + 1 >= SAME_LINES) for (const index of others) same[index] = first!;
  }
  return same;
}

/** A line however deep it is, and whatever follows it in a list. */
export function saidBy(line: string): string {
  return line.trim().replace(/,$/, "");
}

/** From so many lines on a template repeats. */
const REPEATING_LINES = 20;
/** A template with so many fixed words, or with one and a clock or a counter, is a pulse. */
const PULSE_WORDS = 3;
/** Lines that are shown of a template that is no pulse. */
const LIST_SHOWN = 3;

/** 1 for each line beyond those that tell its template. */
export function repetitionsIn({ all, cells }: Templates): Uint8Array {
  const marks = new Uint8Array(cells.length);
  for (const template of all) {
    const count = template.lines.length;
    if (count < REPEATING_LINES) continue;
    const shown = new Set([count - 1, ...firstOf(evenly(count), isPulse(template, cells) ? 1 : LIST_SHOWN)]);
    template.lines.forEach((index, order) => {
      if (!shown.has(order)) marks[index] = 1;
    });
  }
  return marks;
}

function isPulse({ lines, marks }: Template, cells: Templates["cells"]): boolean {
  const row = cells[lines[0]!]!;
  const words = row.filter(({ isWord }, column) => isWord && marks[column] !== undefined).length;
  return words >= PULSE_WORDS || (words > 0 && row.some((cell) => cell.isPulse));
}

function firstOf(order: Iterable<number>, count: number): readonly number[] {
  const first: number[] = [];
  for (const index of order) {
    if (first.length >= count) break;
    first.push(index);
  }
  return first;
}
