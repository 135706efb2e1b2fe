/** The failures that an output tells: their lines, how it ended, what shows the failure, and what merely speaks of one. */
import { type ErrorScope, isErrorLine } from "./error-lines.ts";
import {
  isComparison,
  isDiagnosis,
  isEvidence,
  isFailingInRun,
  isFrame,
  isNamed,
  isPassing,
  isPlaced,
  isSummary,
  lacksFile,
  mayTellFailure,
} from "./line-roles.ts";
import { lineShape } from "./line-shape.ts";
import type { Templates } from "./templates.ts";
import { testNameIn } from "./test-name.ts";

export interface Failures {
  /** Lines that report a failure: the first, the last, one of each shape, every failing test once. */
  readonly told: readonly number[];
  /** The names of those tests as they are elsewhere. */
  readonly retold: readonly number[];
  /** Reports of the same shape as one of those. */
  readonly repeated: readonly number[];
  /** Lines that tell how a run ended: its summary, its exit code. */
  readonly ends: readonly number[];
  /** What is around a failure and shows it: expected and received, its place. */
  readonly evidence: readonly number[];
  /** Lines with a word of failure in them. */
  readonly mentions: readonly number[];
}

/** Lines after and before a failure in which its evidence is looked for. */
const LINES_AFTER = 40;
const LINES_BEFORE = 12;
const MOST_EVIDENCE = 8;
/** Frames of a stack that are evidence: the nearest. */
const MOST_FRAMES = 3;
/** Failures whose evidence is looked for. */
const MOST_SHOWN = 60;
/** A kind of line that occurs more often than this shows no failure. */
const OFTEN = 40;
/** Lines at the end of a run that sum it up. */
const MOST_ENDS = 6;

export function findFailures(lines: readonly string[], scope: ErrorScope, templates: Templates): Failures {
  const { certain, ends, mentions } = readRoles(lines, scope);
  const news = inOrderOfNews(lines, certain, templates);
  const isNews = new Set(news);
  const told = oneOfEachTest(lines, news);
  const isTold = new Set(told);
  const isCertain = new Set(certain);
  // Another failure, a pass, or a line of a kind that is everywhere.
  const isPlain = (index: number): boolean =>
    isCertain.has(index) ||
    isPassing(lines[index]!) ||
    (!isFrame(lines[index]!) && (templates.all[templates.of[index]!]?.lines.length ?? 0) > OFTEN);
  const found = new Set(news.slice(0, MOST_SHOWN).flatMap((index) => evidenceOf(lines, index, isPlain)));
  const compared = [...found].filter((index) => isComparison(lines[index]!));
  return {
    told,
    retold: news.filter((index) => !isTold.has(index)),
    repeated: certain.filter((index) => !isNews.has(index)),
    ends: ends.slice(-MOST_ENDS).reverse(),
    evidence: [...new Set([...compared, ...found])],
    mentions: oneOfEachShape(lines, mentions),
  };
}

/** Runners name a failing test where it ran, above its report and in the summary: the line that says most is told. */
function oneOfEachTest(lines: readonly string[], news: readonly number[]): readonly number[] {
  const fullest = new Map<string, number>();
  const keyOf = (index: number): string =>
    isNamed(lines[index]!) ? `test ${testNameIn(lines[index]!)}` : `line ${index}`;
  for (const index of news) {
    const key = keyOf(index);
    const known = fullest.get(key);
    if (known === undefined || lines[known]!.length < Math.min(300, lines[index]!.length))
      fullest.set(key, index);
  }
  return [...fullest.values()];
}

interface Roles {
  readonly certain: readonly number[];
  readonly ends: readonly number[];
  readonly mentions: readonly number[];
}

function readRoles(lines: readonly string[], scope: ErrorScope): Roles {
  const certain: number[] = [];
  const ends: number[] = [];
  const mentions: number[] = [];
  const placed: number[] = [];
  const sums = scope === "output" ? lines.map(isSummary) : [];
  const isRun = sums.includes(true);
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    if (line.length < 4) continue;
    const mayTell = mayTellFailure(line);
    if (mayTell && isErrorLine(line, "content")) certain.push(index);
    else if (scope === "content") continue;
    else if ((mayTell && isDiagnosis(line)) || (isRun && isFailingInRun(line))) certain.push(index);
    else if (isPlaced(line)) placed.push(index);
    else if (sums[index] === true) ends.push(index);
    else if (mayTell && isErrorLine(line, scope)) mentions.push(index);
  }
  // Where most lines start with a place, they are matches of a search.
  const isSearch = placed.length * 2 > lines.length;
  return { certain: isSearch ? certain : [...certain, ...placed].sort((a, b) => a - b), ends, mentions };
}

/** The first and the last, the first and the last of each kind, then one of each shape and every failing test. */
function inOrderOfNews(
  lines: readonly string[],
  certain: readonly number[],
  { of }: Templates,
): readonly number[] {
  const texts = new Set<string>();
  const distinct = certain.filter((index) => texts.size < texts.add(lines[index]!.trim()).size);
  const firsts = oneOfEach(distinct, (index) => of[index]!);
  const lasts = oneOfEach(distinct.toReversed(), (index) => of[index]!);
  const lastOf = new Map(lasts.map((index) => [of[index]!, index]));
  const ofKinds = firsts.flatMap((first) => [first, lastOf.get(of[first]!)!]);
  const shapes = oneOfEachShape(lines, distinct);
  const names = distinct.filter((index) => isNamed(lines[index]!));
  return [...new Set([...distinct.slice(0, 1), ...distinct.slice(-1), ...ofKinds, ...shapes, ...names])];
}

function oneOfEachShape(lines: readonly string[], found: readonly number[]): readonly number[] {
  return oneOfEach(found, (index) => lineShape(lines[index]!));
}

function oneOfEach(found: readonly number[], keyOf: (index: number) => number): readonly number[] {
  const seen = new Set<number>();
  return found.filter((index) => seen.size < seen.add(keyOf(index)).size);
}

/** The assertion may be before (go test) or after (most others) the line with the name. */
function evidenceOf(
  lines: readonly string[],
  at: number,
  isPlain: (index: number) => boolean,
): readonly number[] {
  const after: number[] = [];
  const before: number[] = [];
  const look = (near: number, found: number[]): boolean => {
    if (isPlain(near)) return false;
    if (lines[near]!.trim() !== "" && isEvidence(lines[near]!)) found.push(near);
    return true;
  };
  for (let near = at + 1; near < Math.min(lines.length, at + LINES_AFTER) && look(near, after); near++);
  for (let near = at - 1; near > Math.max(-1, at - LINES_BEFORE) && look(near, before); near--);
  const file = lacksFile(lines[at]!) ? headingOf(lines, at) : [];
  const found = [...file, ...strongest(lines, [...after, ...before])];
  return found.length > 0 || !goesOn(lines, at) || isPlain(at + 1) ? found : [at + 1];
}

/** The nearest line above that is less deep. */
function headingOf(lines: readonly string[], at: number): readonly number[] {
  for (let near = at - 1; near >= Math.max(0, at - LINES_AFTER); near--) {
    if (/^\S/.test(lines[near]!)) return [near];
  }
  return [];
}

/** Of much evidence: what compares, the nearest frames, and the rest from the end, where a test stopped. */
function strongest(lines: readonly string[], found: readonly number[]): readonly number[] {
  const frames = found.filter((index) => isFrame(lines[index]!)).slice(0, MOST_FRAMES);
  const others = found.filter((index) => !isFrame(lines[index]!));
  if (others.length + frames.length <= MOST_EVIDENCE) return [...others, ...frames];
  const strong = others.filter((index) => isComparison(lines[index]!));
  const chosen = new Set([...strong.slice(0, MOST_EVIDENCE - frames.length), ...frames]);
  for (const index of others.toReversed()) if (chosen.size < MOST_EVIDENCE) chosen.add(index);
  return [...chosen];
}

/** The next line belongs to this one: it is deeper. */
function goesOn(lines: readonly string[], at: number): boolean {
  const next = lines[at + 1] ?? "";
  return next.trim().split(/\s+/, 3).length > 2 && next.search(/\S/) > lines[at]!.search(/\S/);
}
