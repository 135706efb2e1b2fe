/** The failures that an output tells: their lines, how it ended, what shows the failure, and what merely speaks of one. */
import { type ErrorScope, isErrorLine } from "./error-lines.ts";
import { isDiagnosis, isEvidence, isFailing, isFailingInRun, isPassing, isSummary } from "./line-roles.ts";
import { lineShape } from "./line-shape.ts";
import type { Templates } from "./templates.ts";

export interface Failures {
  /** Lines that report a failure: the first, the last, one of each shape, every failing test. */
  readonly told: readonly number[];
  /** Reports of the same shape as one of those. */
  readonly repeated: readonly number[];
  /** Lines that tell how a run ended: its summary, its exit code. */
  readonly ends: readonly number[];
  /** What stands around a failure and shows it: expected and received, its place. */
  readonly evidence: readonly number[];
  /** Lines with a word of failure in them. */
  readonly mentions: readonly number[];
}

/** Lines after and before a failure in which its evidence is looked for. */
const LINES_AFTER = 40;
const LINES_BEFORE = 12;
const MOST_EVIDENCE = 8;
/** Failures whose evidence is looked for. */
const MOST_SHOWN = 60;
/** A kind of line that stands more often than this shows no failure. */
const OFTEN = 40;
/** Lines at the end of a run that sum it up. */
const MOST_ENDS = 6;

export function findFailures(lines: readonly string[], scope: ErrorScope, templates: Templates): Failures {
  const certain: number[] = [];
  const ends: number[] = [];
  const mentions: number[] = [];
  const isRun = scope === "output" && lines.some(isSummary);
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    if (line.length < 4) continue;
    if (isErrorLine(line, "content")) certain.push(index);
    else if (scope === "content") continue;
    else if (isDiagnosis(line) || (isRun && isFailingInRun(line))) certain.push(index);
    else if (isSummary(line)) ends.push(index);
    else if (isErrorLine(line, scope)) mentions.push(index);
  }
  const firsts = oneOfEachShape(lines, certain);
  const names = certain.filter((index) => isFailing(lines[index]!));
  const told = [...new Set([...certain.slice(0, 1), ...certain.slice(-1), ...firsts, ...names])];
  const isCertain = new Set(certain);
  const isShown = new Set(told);
  // Another failure, a pass, or a line of a kind that stands everywhere.
  const isPlain = (index: number): boolean =>
    isCertain.has(index) ||
    isPassing(lines[index]!) ||
    (templates.all[templates.of[index]!]?.lines.length ?? 0) > OFTEN;
  return {
    told,
    repeated: certain.filter((index) => !isShown.has(index)),
    ends: ends.slice(-MOST_ENDS).reverse(),
    evidence: [...new Set(told.slice(0, MOST_SHOWN).flatMap((index) => evidenceOf(lines, index, isPlain)))],
    mentions: oneOfEachShape(lines, mentions),
  };
}

function oneOfEachShape(lines: readonly string[], found: readonly number[]): readonly number[] {
  const seen = new Set<number>();
  return found.filter((index) => {
    const shape = lineShape(lines[index]!);
    if (seen.has(shape)) return false;
    seen.add(shape);
    return true;
  });
}

/** The assertion may stand before (go test) or after (most others) the line with the name. */
function evidenceOf(
  lines: readonly string[],
  at: number,
  isPlain: (index: number) => boolean,
): readonly number[] {
  const found: number[] = [];
  const look = (near: number): boolean => {
    if (isPlain(near)) return false;
    if (lines[near]!.trim() !== "" && isEvidence(lines[near]!)) found.push(near);
    return found.length < MOST_EVIDENCE;
  };
  for (let near = at + 1; near < Math.min(lines.length, at + LINES_AFTER) && look(near); near++);
  for (let near = at - 1; near > Math.max(-1, at - LINES_BEFORE) && look(near); near--);
  return found.length > 0 || at + 1 >= lines.length || isPlain(at + 1) ? found : [at + 1];
}
