/** Which lines say again what other lines of their template say: a pulse is told by two of its lines, a list by a few more. */
import { evenly } from "./select-lines.ts";
import type { Template, Templates } from "./templates.ts";

/** From so many lines on a template repeats. */
const REPEATING_LINES = 20;
/** A template with so many fixed words, or with one and a clock or a counter, is a pulse. */
const PULSE_WORDS = 3;
/** Lines that are shown of a template that is no pulse, where what repeats is no content. */
const LIST_SHOWN = 3;

/** 1 for each line beyond those that tell its template. `repeatsTellNothing`: also for lists of things. */
export function repetitionsIn({ all, cells }: Templates, repeatsTellNothing: boolean): Uint8Array {
  const marks = new Uint8Array(cells.length);
  for (const template of all) {
    const count = template.lines.length;
    const isPulseTemplate = isPulse(template, cells);
    if (count < REPEATING_LINES || !(isPulseTemplate || repeatsTellNothing)) continue;
    const shown = new Set([count - 1, ...firstOf(evenly(count), isPulseTemplate ? 1 : LIST_SHOWN)]);
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
