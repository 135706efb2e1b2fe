/** Lines that say little wherever they are: the frames around the telling one of a stack, libraries' warnings, progress meters. */
import { isErrorLine } from "./error-lines.ts";
import { isForeignFrame } from "./line-roles.ts";

const TRACE = /^\s*Traceback \(most recent call last\):?\s*$/;
/** Nothing but the place: a linter's `File "a.py", line 3: …` says what is wrong there. */
const FRAME = /^\s*File "[^"\n]{1,400}", line \d{1,9}(?:\s*$|, in \S)/;
const CHAINED = /^\s*(?:During handling of the above exception|The above exception was the direct cause)/;
/** `at x.js:3:4`, `at run (x.js:3:4)`, `at a.B.run(B.java:3)`: lists of other things start with "at" too. */
const CALLED_AT =
  /^\s+at (?:(?:async )?(?![\d:]+\s*$)\S{1,400}:\d{1,7}:\d{1,7}|[^:,(]{1,300}\((?:.{1,400}:\d{1,7}:\d{1,7}|[^\s:]{1,200}\.\w{1,20}:\d{1,7}|Native Method|Unknown Source|native|index \d{1,9}|<\w{1,20}>)\))\s*$/;

const WARNING_WITH_SOURCE = /^\s*\S{1,400}\.py:\d+: \w*Warning\b/;
const LIBRARY_WARNING = /^\s*\S{1,400}[/\\](?:site|dist)-packages[/\\]\S{1,400}:\d+: \w*Warning\b/;
/** A call, an assignment or a statement: what a warning says on may be indented below it as well. */
const SOURCE =
  /^\s{2,}(?:@?[\w.]{1,100}(?:, [\w.]{1,100}){0,9} ?(?:[([]|[-+*/|&]?=)|(?:return|yield|raise|assert|await|import|from|with|class|def) \S)/;

const TRANSFER_METER =
  /^\s*% Total\s+% Received|^\s*Dload\s+Upload\s|^\s*\d{1,3}\s+[\d.]+[kMG]?\s[\d.kMGTP:\s-]{0,100}(?:--:--:--|\d:\d\d:\d\d)\s+[\d.]+[kMG]?\s*$/;
const BAR = /[█▉▊▋▌▍▎▏━╸░▒▓]{6,}|\[[#=>. -]{10,200}\]/;
const LONGEST_LABEL = 80;
/** A share, or so much of so much. */
const MEASURED = /\d\s?%|\d ?[A-Za-z]{0,5}\/ ?\d/;
/** No word but units. */
const MEASURES =
  /^(?:[^\p{L}]|(?<!\p{L})(?:[kKMGT]i?(?:[Bb](?:ytes)?)?|[Bb](?:ytes)?|its?|e|s|m|h|d|ms|min|sec|eta|ETA|left|elapsed|remaining|[a-z]{1,20}(?==))(?!\p{L}))*$/u;

/** 1 for each such line. */
export function noiseIn(lines: readonly string[]): Uint8Array {
  const noise = new Uint8Array(lines.length);
  for (let index = 0; index < lines.length; index++) {
    const line = startOf(lines[index]!);
    if (TRACE.test(line) || FRAME.test(line)) index = markTraces(lines, index, noise) - 1;
    else if (CALLED_AT.test(line)) index = markCalls(lines, index, noise) - 1;
    else if (isMeter(line)) noise[index] = 1;
    else if (WARNING_WITH_SOURCE.test(line)) {
      const warned = LIBRARY_WARNING.exec(line)?.[0];
      if (warned !== undefined && !tellsError(line.slice(warned.length))) noise[index] = 1;
      const next = startOf(lines[index + 1] ?? "");
      if (SOURCE.test(next) && !tellsError(next)) noise[++index] = 1;
    }
  }
  return noise;
}

/** A bar with how far it is; what else stands beside it may be what went wrong. */
function isMeter(line: string): boolean {
  if (TRANSFER_METER.test(line)) return true;
  const bar = BAR.exec(line);
  if (bar === null || bar.index > LONGEST_LABEL) return false;
  const after = line.slice(bar.index + bar[0].length);
  return MEASURED.test(line) && MEASURES.test(after) && !tellsError(line);
}

function tellsError(line: string): boolean {
  return isErrorLine(line.trim(), "output");
}

/**
 * Of a traceback, or of several that one failure led to, the deepest frame of the project tells where it was, with its source line.
 * Returns where they end; the lines of the errors themselves are left alone.
 */
function markTraces(lines: readonly string[], start: number, noise: Uint8Array): number {
  let index = start;
  let own: number | undefined;
  let deepest = start;
  while (index < lines.length) {
    const line = startOf(lines[index]!);
    if (FRAME.test(line)) {
      deepest = index;
      if (!isForeignFrame(line)) own = index;
    } else if (!TRACE.test(line) && !belongsToFrame(lines, index, deepest)) {
      const next = chainedAfter(lines, index);
      if (next === undefined) break;
      noise[next] = 1;
      index = next + 1;
      while (index < lines.length && lines[index]!.trim() === "") index++;
      continue;
    }
    // Source code has words of failure everywhere; a program's own line among the frames has them in front.
    if (FRAME.test(line) || TRACE.test(line) || !isErrorLine(line.trim(), "content")) noise[index] = 1;
    index++;
  }
  const told = own ?? deepest;
  noise[told] = 0;
  if (belongsToFrame(lines, told + 1, told)) noise[told + 1] = 0;
  return index;
}

/** The source of the frame, and the signs below it. */
function belongsToFrame(lines: readonly string[], index: number, frame: number): boolean {
  const line = lines[index] ?? "";
  if (!FRAME.test(startOf(lines[frame]!)) || FRAME.test(startOf(line)) || line.trim() === "") return false;
  return line.search(/\S/) > lines[frame]!.search(/\S/) || /^\s*\[Previous line repeated/.test(line);
}

/** The line that says that another traceback follows from this error, which may have several lines. */
function chainedAfter(lines: readonly string[], error: number): number | undefined {
  for (let index = error; index < Math.min(lines.length, error + LONGEST_ERROR); index++) {
    if (CHAINED.test(startOf(lines[index]!))) return index;
    if (TRACE.test(startOf(lines[index]!))) return undefined;
  }
  return undefined;
}

const LONGEST_ERROR = 12;

/** Innermost first: the first frame of the project. */
function markCalls(lines: readonly string[], start: number, noise: Uint8Array): number {
  let end = start;
  let own = start;
  for (; end < lines.length && CALLED_AT.test(startOf(lines[end]!)); end++) {
    if (isForeignFrame(lines[own]!) && !isForeignFrame(lines[end]!)) own = end;
  }
  noise.fill(1, start, end);
  noise[own] = 0;
  return end;
}

function startOf(line: string): string {
  return line.length > 500 ? line.slice(0, 500) : line;
}
