/** Cuts a text into lines that can stand alone. */
import type { IntList } from "../salience/int-list.ts";

/** Where each line starts and ends in the text. */
export interface Cuts {
  readonly starts: IntList;
  readonly ends: IntList;
}

/** A line longer than this is cut where a sentence, a clause or a word ends. */
const MAX_LINE_CHARS = 320;

/** Of data that is no whole JSON, a line holds less: its leaves tell what they are by themselves. */
const MAX_DATA_CHARS = 80;

/** Lists the lines that say something, trimmed; long ones in pieces. */
export function cutLines(text: string, codes: Uint16Array, { starts, ends }: Cuts): void {
  for (let at = 0; at < text.length; ) {
    let newline = text.indexOf("\n", at);
    if (newline < 0) newline = text.length;
    let start = at;
    let end = newline;
    while (start < end && isBlank(codes[start]!)) start++;
    while (end > start && isBlank(codes[end - 1]!)) end--;
    start = afterLineNumber(codes, start, end);
    while (end - start > MAX_LINE_CHARS) {
      const cut = cutPoint(text, start);
      starts.push(start);
      ends.push(cut);
      start = cut;
      while (start < end && isBlank(codes[start]!)) start++;
    }
    if (end - start >= 3) {
      starts.push(start);
      ends.push(end);
    }
    at = newline + 1;
  }
}

/** Where a line of a numbered listing goes on after its number: `1411→}`, `  12\tconst a`. The number tells nothing once the file changes. */
function afterLineNumber(codes: Uint16Array, start: number, end: number): number {
  let at = start;
  while (at < end && codes[at]! >= 48 && codes[at]! <= 57) at++;
  if (at === start || at - start > 7 || at >= end || (codes[at] !== 0x2192 && codes[at] !== 9)) return start;
  do at++;
  while (at < end && isBlank(codes[at]!));
  return at;
}

const CUTS = [". ", "; ", ", ", ",", " "] as const;
const DATA_CUTS = ["}, ", "},", "], ", "],", '", ', '",', ", ", ","] as const;

/** The last good place to end a piece that starts at `start`. */
function cutPoint(text: string, start: number): number {
  const data = text.slice(start, start + MAX_DATA_CHARS);
  const dataEnd = looksLikeData(data) ? lastCut(data, DATA_CUTS) : 0;
  if (dataEnd > 0) return start + dataEnd;
  const piece = text.slice(start, start + MAX_LINE_CHARS);
  const end = lastCut(piece, CUTS);
  if (end > 0) return start + end;
  // subtle: never between the halves of a surrogate pair.
  const last = piece.charCodeAt(piece.length - 1);
  return start + piece.length - (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
}

/** Where the piece may end, not too early; 0 where nowhere. */
function lastCut(piece: string, marks: readonly string[]): number {
  for (const mark of marks) {
    const at = piece.lastIndexOf(mark);
    if (at >= piece.length / 3) return at + mark.trimEnd().length;
  }
  return 0;
}

/** Three keys in so few characters. */
function looksLikeData(piece: string): boolean {
  return /":.*":.*":/s.test(piece);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 13;
}

/** The first line that starts at a place of the text or after it. */
export function firstFrom({ starts }: Cuts, place: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts.items[middle]! < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The line that a place of the text is in; -1 when it is in none. */
export function lineHolding({ starts, ends }: Cuts, place: number): number {
  const line = firstFrom({ starts, ends }, place + 1) - 1;
  return line >= 0 && place < ends.items[line]! ? line : -1;
}
