/** Fills a selection from any text: failures and their evidence, what deviates, one of each kind of line, then the rest. */
import { hasTwoLetters } from "../salience/letters.ts";
import { findDeviations } from "./deviations.ts";
import type { ErrorScope } from "./error-lines.ts";
import { type Failures, findFailures } from "./failures.ts";
import { isPassing } from "./line-roles.ts";
import { evenly, keepFrom, keepLast, type Selection, tryKeep } from "./select-lines.ts";
import { SHAPE_GAP } from "./shape-note.ts";
import { type Template, type Templates, templatesOf } from "./templates.ts";

/** Paths, addresses, identifiers, numbers of two digits or more, quoted code, headings. */
const PATH = /[\w.@-][\\/][\w.@-]|https?:/;
const IDENTIFIER = /[a-z][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|`|\b[A-Z]{2,}-\d+|\b[0-9a-f]{7,40}\b/;
const NUMBER = /\d{2,}|\d+\.\d+/;
const HEADED = /^\s*(?:#{1,6} |\*\*|[A-Z][\w /-]{2,40}:)/;

/** What a text has to say, found once however often it is filled into a selection. */
export interface Ranking {
  readonly lines: readonly string[];
  readonly templates: Templates;
  readonly failures: Failures;
  /** Lines unlike the many others, the farthest off first. */
  readonly deviations: readonly number[];
  /** The first line of each kind that repeats, the most frequent kind first. */
  readonly firsts: readonly number[];
  /** The other lines by how many specifics they hold, the fullest first. */
  readonly buckets: readonly (readonly number[])[];
}

/** So many lines of one pulse are shown: it says nothing new. */
const PULSES_SHOWN = 4;
/** So many errors are shown beside those whose shape they have. */
const REPETITIONS_SHOWN = 6;
/** From so many lines on a template with a clock or a counter, or with many words, is a pulse. */
const PULSE_LINES = 20;
const PULSE_WORDS = 3;

export function rankLines(lines: readonly string[], scope: ErrorScope): Ranking {
  const templates = templatesOf(lines);
  const failures = findFailures(lines, scope, templates);
  const buckets: number[][] = [[], [], [], [], [], []];
  const pulses = pulsesShown(templates);
  lines.forEach((line, index) => {
    if (!says(line) || pulses[index] === 1) return;
    buckets[isPassing(line) ? 5 : 4 - specificsOf(line)]!.push(index);
  });
  const firsts = templates.all
    .filter((template) => template.lines.length > 1)
    .sort((a, b) => b.lines.length - a.lines.length)
    .map((template) => template.lines[0]!);
  return { lines, templates, failures, deviations: findDeviations(lines, templates), firsts, buckets };
}

/** The line to show when there is room for one: the first failure told, else the first that says anything. */
export function mostTelling({ lines, failures, deviations, buckets }: Ranking): string {
  const first = Math.min(...buckets.map((bucket) => bucket[0] ?? Number.POSITIVE_INFINITY));
  return lines[failures.told[0] ?? failures.ends[0] ?? deviations[0] ?? first] ?? lines[0] ?? "";
}

export function chooseLines(selection: Selection, ranking: Ranking): void {
  const { failures, deviations, firsts, buckets } = ranking;
  const { told, ends, evidence, mentions, repeated } = failures;
  const ofFailures = [told.slice(0, 12), ends, told.slice(12), evidence, mentions];
  for (const group of ofFailures) keepWhatFits(selection, group);
  tryKeep(selection, 0);
  tryKeep(
    selection,
    selection.lines.findLastIndex((line) => line.trim() !== ""),
  );
  for (const group of [deviations, firsts, spreadOf(repeated)]) keepWhatFits(selection, group);
  keepFrom(selection, 0, 8, 0.1);
  keepLast(selection, 8, 0.1);
  for (const bucket of buckets) {
    let misses = 0;
    for (const order of evenly(bucket.length)) {
      if (!tryKeep(selection, bucket[order]!) && ++misses > 20) break;
    }
  }
}

/** A few of many. */
function spreadOf(group: readonly number[]): readonly number[] {
  return [...evenly(group.length)].slice(0, REPETITIONS_SHOWN).map((order) => group[order]!);
}

/** A line that is too long for what room is left does not keep shorter ones out. */
function keepWhatFits(selection: Selection, group: readonly number[]): void {
  let misses = 0;
  for (const index of group) if (!tryKeep(selection, index) && ++misses > 20) return;
}

/** 1 for each line of a pulse beyond those that are shown of it. */
function pulsesShown({ all, cells }: Templates): Uint8Array {
  const marks = new Uint8Array(cells.length);
  for (const template of all) {
    if (!isPulse(template, cells)) continue;
    const count = template.lines.length;
    const shown = new Set([...evenly(count)].slice(0, PULSES_SHOWN).concat(count - 1));
    template.lines.forEach((index, order) => {
      if (!shown.has(order)) marks[index] = 1;
    });
  }
  return marks;
}

function isPulse({ lines, marks }: Template, cells: Templates["cells"]): boolean {
  if (lines.length < PULSE_LINES) return false;
  const row = cells[lines[0]!]!;
  const words = row.filter(({ isWord }, column) => isWord && marks[column] !== undefined).length;
  return words >= PULSE_WORDS || (words > 0 && row.some((cell) => cell.isPulse));
}

/** Something more than brackets, rules and line numbers. */
function says(line: string): boolean {
  return (hasTwoLetters(line) || /\d{5}/.test(line)) && !SHAPE_GAP.test(line);
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
