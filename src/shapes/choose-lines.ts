/** Fills a selection from any text: first lines, last lines, lines with specifics, then the rest evenly. */
import { hasTwoLetters } from "../salience/letters.ts";
import { type ErrorScope, isErrorLine } from "./error-lines.ts";
import { lineShape } from "./line-shape.ts";
import { evenly, keepFrom, keepLast, type Selection, tryKeep } from "./select-lines.ts";

/** Paths, addresses, identifiers, numbers of two digits or more, quoted code, headings. */
const PATH = /[\w.@-][\\/][\w.@-]|https?:/;
const IDENTIFIER = /[a-z][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|`|\b[A-Z]{2,}-\d+|\b[0-9a-f]{7,40}\b/;
const NUMBER = /\d{2,}|\d+\.\d+/;
const HEADED = /^\s*(?:#{1,6} |\*\*|[A-Z][\w /-]{2,40}:)/;

/** What a text has to say, found once however often it is filled into a selection. */
export interface Ranking {
  readonly lines: readonly string[];
  /** Lines that tell of a failure, one of each shape. */
  readonly told: readonly number[];
  /** The other lines by how many specifics they hold, the fullest first. */
  readonly buckets: readonly (readonly number[])[];
}

export function rankLines(lines: readonly string[], scope: ErrorScope): Ranking {
  const buckets: number[][] = [[], [], [], [], []];
  lines.forEach((line, index) => {
    if (says(line)) buckets[4 - specificsOf(line)]!.push(index);
  });
  return { lines, told: toldFailures(lines, scope), buckets };
}

/** The line to show when there is room for one: the first failure told, else the first that says anything. */
export function mostTelling({ lines, told, buckets }: Ranking): string {
  return (
    lines[told[0] ?? Math.min(...buckets.map((bucket) => bucket[0] ?? Number.POSITIVE_INFINITY))] ??
    lines[0] ??
    ""
  );
}

export function chooseLines(selection: Selection, { told, buckets }: Ranking): void {
  for (const index of told) tryKeep(selection, index);
  tryKeep(selection, 0);
  tryKeep(
    selection,
    selection.lines.findLastIndex((line) => line.trim() !== ""),
  );
  keepFrom(selection, 0, 8, 0.2);
  keepLast(selection, 8, 0.2);
  for (const bucket of buckets) {
    let misses = 0;
    for (const order of evenly(bucket.length)) {
      if (!tryKeep(selection, bucket[order]!) && ++misses > 20) break;
    }
  }
}

/** Diagnoses and log entries before lines that merely speak of a failure; one of each shape. */
function toldFailures(lines: readonly string[], scope: ErrorScope): readonly number[] {
  const seen = new Set<number>();
  const certain: number[] = [];
  const others: number[] = [];
  lines.forEach((line, index) => {
    if (!isErrorLine(line, scope)) return;
    const shape = lineShape(line);
    if (seen.has(shape)) return;
    seen.add(shape);
    if (scope === "content" || isErrorLine(line, "content")) certain.push(index);
    else others.push(index);
  });
  return [...certain, ...others];
}

/** Something more than brackets, rules and line numbers. */
function says(line: string): boolean {
  return hasTwoLetters(line) || /\d{5}/.test(line);
}

function specificsOf(line: string): number {
  const start = line.length > 400 ? line.slice(0, 400) : line;
  return (
    Number(PATH.test(start)) +
    Number(IDENTIFIER.test(start)) +
    Number(NUMBER.test(start)) +
    Number(HEADED.test(start))
  );
}
