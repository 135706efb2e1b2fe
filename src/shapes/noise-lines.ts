/** Lines that say little wherever they are: the frames around the telling one of a stack, libraries' warnings, progress meters. */
import { isForeignFrame } from "./line-roles.ts";

const TRACE = /^\s*Traceback \(most recent call last\)/;
const FRAME = /^\s*File "[^"\n]{1,400}", line \d/;
const CHAINED = /^\s*(?:During handling of the above exception|The above exception was the direct cause)/;
const CALLED_AT =
  /^\s+at \S.{0,400}[:(]\d{1,7}(?::\d{1,7})?\)?\s*$|^\s+at \S.{0,300}\([\w$. ]{1,100}(?::\d+)?\)\s*$/;

const LIBRARY_WARNING = /^\s*\S{1,400}[/\\](?:site|dist)-packages[/\\]\S{1,400}:\d+: \w*Warning\b/;
const WARNING_WITH_SOURCE = /^\s*\S{1,400}\.py:\d+: \w*Warning\b/;
const METER =
  /^\s*% Total\s+% Received|^\s*Dload\s+Upload\s|^\s*\d{1,3}\s+[\d.]+[kMG]?\s.{0,100}(?:--:--:--|\d:\d\d:\d\d)\s+[\d.]+[kMG]?\s*$|[█▉▊▋▌▍▎▏━╸░▒▓]{6}|\[[#=>. -]{10,200}\]/;

/** 1 for each such line. */
export function noiseIn(lines: readonly string[]): Uint8Array {
  const noise = new Uint8Array(lines.length);
  for (let index = 0; index < lines.length; index++) {
    const line = startOf(lines[index]!);
    if (TRACE.test(line) || FRAME.test(line)) index = markTraces(lines, index, noise) - 1;
    else if (CALLED_AT.test(line)) index = markCalls(lines, index, noise) - 1;
    else if (METER.test(line)) noise[index] = 1;
    else if (WARNING_WITH_SOURCE.test(line)) {
      if (LIBRARY_WARNING.test(line)) noise[index] = 1;
      if (/^\s{2,}\S/.test(lines[index + 1] ?? "")) noise[++index] = 1;
    }
  }
  return noise;
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
    noise[index++] = 1;
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
