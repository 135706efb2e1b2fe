/** Fills a selection from any text: failures and their evidence, what deviates, one of each kind of line, then the rest. */
import type { OutputKind } from "../reading/agents/output-kinds.ts";
import { hasTwoLetters } from "../text/letters.ts";
import { findDeviations } from "./deviations.ts";
import type { ErrorScope } from "./error-lines.ts";
import { type Failures, findFailures } from "./failures.ts";
import { traitsOf } from "./kind-traits.ts";
import { isPassing } from "./line-roles.ts";
import { noiseIn } from "./noise-lines.ts";
import { repetitionsIn, sameLinesIn } from "./repetitions.ts";
import { evenly, type Selection, tryKeep } from "./select-lines.ts";
import { isGap } from "./shape-note.ts";
import { type Templates, templatesOf } from "./templates.ts";

/** Paths, addresses, identifiers, numbers of two digits or more, quoted code, headings. */
const PATH = /[\w.@-][\\/][\w.@-]|https?:/;
const IDENTIFIER = /[a-z][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|`|\b[A-Z]{2,}-\d+|\b[0-9a-f]{7,40}\b/;
const NUMBER = /\d{2,}|\d+\.\d+/;
const HEADED = /^\s*(?:#{1,6} |\*\*|[A-Z][\w /-]{2,40}:)/;

/** A heading, or a line that ends as one, above what came of it all. */
const OUTCOME = /\b(?:outcomes?|results?|conclusions?|verdict|summary|(?:final )?answer)\b/i;
const HEADING = /^\s*(?:#{1,6} |\*\*)|:\**\s*$/;
const LONGEST_HEADING = 80;
/** Headings of outcomes that go before other lines: a report has one or two. */
const MOST_OUTCOMES = 3;

/** What a text has to say, found once however often it is filled into a selection. */
export interface Ranking {
  readonly lines: readonly string[];
  readonly templates: Templates;
  readonly failures: Failures;
  /** Headings of what came of it, each with the line below it. */
  readonly outcomes: readonly (readonly [heading: number, below: number])[];
  /** Lines unlike the many others, the farthest off first. */
  readonly deviations: readonly number[];
  /** The first line of each kind that repeats, the most frequent kind first. */
  readonly firsts: readonly number[];
  /** 1 for a line about a test that passed. */
  readonly passes: Uint8Array;
  /** 1 for a line that says again what another line, or enough lines of its template, say. */
  readonly isRepetition: Uint8Array;
  /** The position of the first line that says the same, where several do; otherwise -1. */
  readonly sameAs: Int32Array;
  /** 1 for a line that says little in any text: see `noiseIn`. */
  readonly isNoise: Uint8Array;
  /** The other lines by how many specifics they hold, the fullest first. */
  readonly buckets: readonly (readonly number[])[];
}

/** So many errors are shown beside those whose shape they have. */
const REPETITIONS_SHOWN = 6;
/** So many lines about passing tests make a text the output of a runner. */
const LEAST_PASSES = 8;
/** Lines at each end, and the share of the room that they may take. */
const END_LINES = 8;
const END_SHARE = 0.2;
/** In what room is left then only lines fit that happen to be short. */
const NEARLY_FULL = 0.94;

export function rankLines(lines: readonly string[], scope: ErrorScope, kind: OutputKind = "text"): Ranking {
  const templates = templatesOf(lines);
  const isNoise = noiseIn(lines);
  const failures = withoutNoise(findFailures(lines, scope, templates), isNoise);
  const { repeats = false, isPlaced = false } = traitsOf(kind);
  const isRepetition = repeats ? repetitionsIn(templates) : new Uint8Array(lines.length);
  const sameAs = isPlaced ? new Int32Array(lines.length).fill(-1) : sameLinesIn(lines);
  sameAs.forEach((first, index) => {
    if (first >= 0) isRepetition[index] = 1;
  });
  const passes = passesIn(lines, kind);
  // What passed in a test run is told by its count.
  if (kind === "test-run") {
    passes.forEach((mark, index) => {
      isRepetition[index]! |= mark;
    });
  }
  const buckets = bucketsOf(lines, kind, { passes, isRepetition, isNoise });
  const firsts = templates.all
    .filter((template) => repeats && template.lines.length > 1)
    .sort((a, b) => b.lines.length - a.lines.length)
    .map((template) => template.lines[0]!)
    .filter((index) => isRepetition[index] === 0 && isNoise[index] === 0);
  const deviations = findDeviations(lines, templates, passes).filter((index) => isNoise[index] === 0);
  const outcomes = kind === "text" ? outcomesIn(lines) : [];
  return {
    lines,
    templates,
    failures,
    outcomes,
    deviations,
    firsts,
    passes,
    isRepetition,
    sameAs,
    isNoise,
    buckets,
  };
}

function withoutNoise(failures: Failures, isNoise: Uint8Array): Failures {
  const tells = (index: number): boolean => isNoise[index] === 0;
  return {
    told: failures.told.filter(tells),
    retold: failures.retold.filter(tells),
    repeated: failures.repeated.filter(tells),
    ends: failures.ends.filter(tells),
    evidence: failures.evidence.filter(tells),
    mentions: failures.mentions.filter(tells),
  };
}

/** The first few: the text below an outcome may quote others. */
function outcomesIn(lines: readonly string[]): Ranking["outcomes"] {
  const found: (readonly [number, number])[] = [];
  for (let index = 0; index < lines.length - 1 && found.length < MOST_OUTCOMES; index++) {
    const line = lines[index]!;
    if (line.length > LONGEST_HEADING || !OUTCOME.test(line) || !HEADING.test(line)) continue;
    const below = lines[index + 1]!.trim() === "" ? index + 2 : index + 1;
    if (below < lines.length && says(lines[below]!)) found.push([index, below]);
  }
  return found;
}

/** The lines of what is no output by how many specifics they hold, the fullest first; nothing else is looked for. */
export function bySpecifics(lines: readonly string[]): Ranking["buckets"] {
  const none = new Uint8Array(lines.length);
  return bucketsOf(lines, "text", { passes: passesIn(lines, "text"), isRepetition: none, isNoise: none });
}

function bucketsOf(
  lines: readonly string[],
  kind: OutputKind,
  { passes, isRepetition, isNoise }: Pick<Ranking, "passes" | "isRepetition" | "isNoise">,
): Ranking["buckets"] {
  const buckets: number[][] = [[], [], [], [], [], [], []];
  lines.forEach((line, index) => {
    if (isRepetition[index] === 0 && (kind === "test-run" ? saysMore(line) : says(line))) {
      buckets[isNoise[index] === 1 ? 6 : passes[index] === 1 ? 5 : 4 - specificsOf(line)]!.push(index);
    }
  });
  return buckets;
}

/** Elsewhere than in a test run a line that starts with "ok" or a tick may be anybody's. */
function passesIn(lines: readonly string[], kind: OutputKind): Uint8Array {
  const passes = Uint8Array.from(lines, (line) => Number(isPassing(line)));
  const count = passes.reduce((sum, mark) => sum + mark, 0);
  return kind === "test-run" || count >= LEAST_PASSES ? passes : passes.fill(0);
}

/** The line to show when there is room for one: the first failure told, else the first that says anything. */
export function mostTelling({ failures, deviations, buckets }: Ranking): number {
  const first = Math.min(...buckets.map((bucket) => bucket[0] ?? Number.POSITIVE_INFINITY));
  return failures.told[0] ?? failures.ends[0] ?? deviations[0] ?? (Number.isFinite(first) ? first : 0);
}

export function chooseLines(selection: Selection, ranking: Ranking): void {
  const { failures, outcomes, deviations, firsts, isRepetition, isNoise, buckets } = ranking;
  const tells = (index: number): boolean => isNoise[index] === 0 && says(selection.lines[index] ?? "");
  const { told, retold, ends: summary, evidence, mentions, repeated } = failures;
  const ofFailures = [told.slice(0, 12), summary, told.slice(12), evidence, retold, mentions];
  for (const group of ofFailures) keepWhatFits(selection, group);
  const last = selection.lines.findLastIndex((line) => line.trim() !== "");
  tryKeep(
    selection,
    Math.max(
      0,
      selection.lines.findIndex((_, index) => tells(index)),
    ),
  );
  tryKeep(selection, last);
  for (const [heading, below] of outcomes) if (tryKeep(selection, heading)) keepSentence(selection, below);
  for (const group of [deviations, firsts, spreadOf(repeated)]) keepWhatFits(selection, group);
  const heads = Array.from({ length: END_LINES }, (_, order) => order);
  for (const ends of [heads, heads.map((order) => last - order)]) {
    const limit = Math.min(selection.budget, selection.spent + selection.budget * END_SHARE);
    const told = ends.filter((index) => isRepetition[index] === 0 && tells(index));
    for (const index of told) tryKeep(selection, index, limit);
  }
  for (const bucket of buckets) {
    let misses = 0;
    for (const order of evenly(bucket.length)) {
      if (selection.spent > selection.budget * NEARLY_FULL) return;
      if (!tryKeep(selection, bucket[order]!) && ++misses > 20) break;
    }
  }
}

/** A line with those that continue it, as far as they fit. */
function keepSentence(selection: Selection, first: number): void {
  let last = first;
  while (selection.continues?.[last + 1] === 1) last++;
  while (last >= first && !tryKeep(selection, last)) last--;
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

/** Something more than brackets, rules and line numbers. */
function says(line: string): boolean {
  return (hasTwoLetters(line) || /\d{5}/.test(line)) && !isGap(line);
}

/** More than the heading of a suite. */
function saysMore(line: string): boolean {
  return says(line) && (specificsOf(line) > 0 || line.trim().split(/\s+/, 3).length > 2);
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
