/** grepLines: the lines of a text that hold what is looked for, in time that grows with the text and not with the pattern. */

export interface FoundLine {
  /** Counted from 1. */
  readonly line: number;
  /** Cut around the first hit where the line is long. */
  readonly text: string;
}

/**
 * Upper and lower case are alike. `|` separates alternatives, `.*` stands for anything within a line, a backslash takes
 * the next character as it is; everything else means itself.
 *
 * `"timeout|retry.*fail"` finds `Timeout!` and `retry 3 failed`.
 */
export function grepLines(text: string, pattern: string): readonly FoundLine[] {
  const alternatives = readPattern(pattern.slice(0, MAX_PATTERN));
  const found: FoundLine[] = [];
  let line = 0;
  for (let from = 0; from <= text.length && alternatives.length > 0; ) {
    const end = text.indexOf("\n", from);
    const to = end < 0 ? text.length : end;
    line++;
    const content = text.slice(from, to);
    const at = firstHit(content.toLowerCase(), alternatives);
    if (at >= 0) found.push({ line, text: around(content, at) });
    from = to + 1;
  }
  return found;
}

const MAX_PATTERN = 500;
const MAX_ALTERNATIVES = 16;
const MAX_LINE = 400;

/** Each alternative as the pieces that must follow each other. */
type Alternative = readonly string[];

function readPattern(pattern: string): readonly Alternative[] {
  const alternatives: string[][] = [[""]];
  for (let at = 0; at < pattern.length; at++) {
    const pieces = alternatives.at(-1)!;
    if (pattern[at] === "\\" && at + 1 < pattern.length) pieces[pieces.length - 1] += pattern[++at]!;
    else if (pattern[at] === "|") alternatives.push([""]);
    else if (pattern.startsWith(".*", at)) {
      pieces.push("");
      at++;
    } else pieces[pieces.length - 1] += pattern[at]!;
  }
  return alternatives
    .map((pieces) => pieces.map((piece) => piece.toLowerCase()).filter(Boolean))
    .filter((pieces) => pieces.length > 0)
    .slice(0, MAX_ALTERNATIVES);
}

function firstHit(line: string, alternatives: readonly Alternative[]): number {
  let first = -1;
  for (const pieces of alternatives) {
    const at = hitOf(line, pieces);
    if (at >= 0 && (first < 0 || at < first)) first = at;
  }
  return first;
}

function hitOf(line: string, pieces: Alternative): number {
  let first = -1;
  let from = 0;
  for (const piece of pieces) {
    const at = line.indexOf(piece, from);
    if (at < 0) return -1;
    if (first < 0) first = at;
    from = at + piece.length;
  }
  return first;
}

function around(line: string, at: number): string {
  if (line.length <= MAX_LINE) return line;
  const from = Math.max(0, Math.min(at - MAX_LINE / 4, line.length - MAX_LINE));
  const to = from + MAX_LINE;
  return `${from > 0 ? "…" : ""}${line.slice(from, to)}${to < line.length ? "…" : ""}`;
}
