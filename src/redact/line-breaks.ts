/** Pieces of a token that line breaks cut apart: plain, continued with `\` or joined with `+`. */
import { isVaried } from "./varied.ts";

export interface LinePiece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Nothing but closing signs is after it on its line. */
  readonly fillsLine: boolean;
}

/** Few secrets are wrapped into more lines; what is longer is a key in PEM form, which has its own pattern. */
const MOST_PIECES = 64;
const BREAK =
  /\\{0,4}["'`]?[ \t]{0,8}[+\\.&]?[ \t]{0,8}\r?\n[ \t]{0,60}(?:[>|#*+]|\/\/)?[ \t]{0,4}\\{0,4}["'`]?/y;
const PIECE = /[A-Za-z0-9_.~+/=%-]{1,400}/y;
const LINE_REST = /(?:\\{0,4}["'`]|[,;)\]}+<\\]){0,16}[ \t]{0,8}(?:[\r\n]|$)/y;

/** What a break may begin with: most places are ruled out at one look. */
const BREAK_STARTS = new Set([..."\\\"'` \t+.&\r\n"].map((sign) => sign.charCodeAt(0)));

function mayBreakAt(text: string, at: number): boolean {
  return at < text.length && BREAK_STARTS.has(text.charCodeAt(at));
}

/** Whether a line break is directly at a place. */
export function startsBreak(text: string, at: number): boolean {
  return mayBreakAt(text, at) && matchAt(BREAK, text, at) !== undefined;
}

const BREAK_OPENS = /(?<=[A-Za-z0-9_.~+/=%-])(?:\\{0,4}["'`])?[ \t]{0,8}[+\\.&]?[ \t]{0,8}\r?$/;
const MOST_BREAK_CHARS = 30;

/** Where the line before ends, if the token at `at` is the first of its own. */
export function lineEndBefore(text: string, at: number): number | undefined {
  const newline = lineStartBefore(text, at) - 1;
  if (newline < 1) return undefined;
  const from = Math.max(0, newline - MOST_BREAK_CHARS);
  const opens = BREAK_OPENS.exec(text.slice(from, newline));
  return opens === null ? undefined : from + opens.index;
}

const PART_OF_TOKEN = charactersOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.~+/=%-");
const QUOTES = charactersOf("\\\"'`");
const BLANKS = charactersOf(" \t");
const MARKERS = charactersOf(">|#*+/");
const LONGEST_INDENT = 80;

function charactersOf(signs: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const sign of signs) table[sign.charCodeAt(0)] = 1;
  return table;
}

/** Where the line begins whose first token is at `at`, after blanks, a marker or a quote; 0 if another is before it. */
function lineStartBefore(text: string, at: number): number {
  let start = at;
  const skip = (signs: Uint8Array): void => {
    const last = Math.max(0, at - LONGEST_INDENT);
    while (start > last && signs[text.charCodeAt(start - 1)] === 1) start--;
  };
  for (const signs of [PART_OF_TOKEN, QUOTES, BLANKS, MARKERS, BLANKS]) skip(signs);
  return text[start - 1] === "\n" ? start : 0;
}

/** The pieces on the lines after a token that ends at `end`, as long as one follows directly. */
export function piecesAfter(text: string, end: number, most = MOST_PIECES): readonly LinePiece[] {
  if (!mayBreakAt(text, end)) return [];
  const pieces: LinePiece[] = [];
  let at = end;
  while (pieces.length < most) {
    const gap = matchAt(BREAK, text, at);
    const start = at + (gap?.length ?? 0);
    const piece = gap === undefined ? undefined : matchAt(PIECE, text, start);
    if (piece === undefined) break;
    at = start + piece.length;
    pieces.push({ text: piece, start, end: at, fillsLine: matchAt(LINE_REST, text, at) !== undefined });
    if (!pieces.at(-1)!.fillsLine) break;
  }
  return pieces;
}

/**
 * How many of the pieces go on with the same token: those as mixed as a part of a random one, and a shorter last
 * one where the lines before it were cut at one width.
 */
export function countContinuing(pieces: readonly LinePiece[], from = 0): number {
  let count = from;
  while (count < pieces.length) {
    const { text, fillsLine } = pieces[count]!;
    const width = count === 0 ? 0 : pieces[count - 1]!.text.length;
    const isCut = text.length === width || (width >= 16 && text.length < width);
    const wrapped = width >= 8 && isCut && !/^[a-z]+$|^[A-Z]?[a-z]+[.:]?$/.test(text);
    if (!(isMixed(text) && (fillsLine || text.length >= SURE_CHARS)) && !(wrapped && fillsLine)) break;
    count++;
  }
  return count;
}

/** Where a token that ends at `end` ends when the lines after it go on with it. */
export function continuedEnd(text: string, end: number): number {
  const pieces = piecesAfter(text, end);
  return pieces[countContinuing(pieces) - 1]?.end ?? end;
}

/** A short text with its broken tokens joined, and for each of its characters the place where it was. */
export function withoutBreaks(text: string): { joined: string; places: readonly number[] } {
  const places: number[] = [];
  const kept: string[] = [];
  let from = 0;
  const keepTo = (end: number): void => {
    kept.push(text.slice(from, end));
    for (let at = from; at < end; at++) places.push(at);
  };
  for (let newline = text.indexOf("\n"); newline !== -1; newline = text.indexOf("\n", from)) {
    const opens = BREAK_OPENS.exec(text.slice(from, newline));
    const end = opens === null ? newline + 1 : from + opens.index;
    keepTo(end);
    from = opens === null ? end : end + (matchAt(BREAK, text, end)?.length ?? 1);
  }
  keepTo(text.length);
  return { joined: kept.join(""), places };
}

/** A piece as long as this is part of a token also where words follow on its line. */
const SURE_CHARS = 9;

/** A part of a random token; less sure than what `isVaried` would call one. */
function isMixed(piece: string): boolean {
  if (piece.length >= 16 && isVaried(piece)) return true;
  if (/^(?=.*\d)(?=.*[A-Z])[A-Za-z0-9]{3,4}$/.test(piece)) return true;
  if (piece.length < 5 || /^[\d.:-]+$|^v?\d+\.\d|^0x|^[\w-]+\.[a-z]{1,5}$|[/=.]./.test(piece)) return false;
  const changes = piece.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)|[a-z](?=[A-Z])|[A-Z]{2}(?=[a-z])/g)?.length ?? 0;
  return /\d/.test(piece) ? changes >= 2 : changes >= Math.max(3, piece.length / 4);
}

/** What a sticky pattern matches there. */
export function matchAt(pattern: RegExp, text: string, index: number): string | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0];
}
