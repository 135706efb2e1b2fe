/** Pre-split: where the next piece of a text ends. Tokens never reach over the edge of a piece. */
import {
  ANY_SPACE,
  characterAt,
  LETTER,
  LOWER,
  MARK,
  NEWLINE,
  NUMBER,
  OTHER,
  SPACE,
  UNCASED,
  UPPER,
} from "./character-class.ts";

/** Finds the end of the piece that starts at `start`, in a text that ends at `end`. */
export type PieceEnd = (bytes: Uint8Array, start: number, end: number) => number;

/**
 * o200k_base: a word in which capitals come first, with one character before it and a contraction after it; up
 * to three digits; other characters with a space before and line ends or slashes after; white space.
 *
 *     "it's getHTTPBody();\n\n  x1" → "it's" " get" "HTTPBody" "();\n\n" " " " x" "1"
 */
export const o200kPieceEnd: PieceEnd = (bytes, start, end) => {
  const first = characterAt(bytes, start, end);
  if (first & (LETTER | MARK)) return contractionEnd(bytes, casedWordEnd(bytes, start, end), end);
  if (first & NUMBER) return numberEnd(bytes, start, end);
  const next = start + (first >> 8);
  const second = characterAt(bytes, next, end);
  if (second & (LETTER | MARK) && !(first & NEWLINE)) {
    return contractionEnd(bytes, casedWordEnd(bytes, next, end), end);
  }
  if (first & OTHER || (bytes[start] === BLANK && second & OTHER)) {
    let at = runEnd(bytes, next, end, OTHER | MARK);
    while (at < end && (bytes[at] === LINE_FEED || bytes[at] === CARRIAGE_RETURN || bytes[at] === SLASH))
      at++;
    return at;
  }
  return whiteSpaceEnd(bytes, start, end);
};

/**
 * cl100k_base: a contraction; letters with one character before them; up to three digits; other characters with
 * a space before and line ends after; white space, which at the end of the text is one piece.
 */
export const cl100kPieceEnd: PieceEnd = (bytes, start, end) => {
  const first = characterAt(bytes, start, end);
  if (first & LETTER) return runEnd(bytes, start, end, LETTER);
  if (first & NUMBER) return numberEnd(bytes, start, end);
  const contraction = contractionEnd(bytes, start, end);
  if (contraction > start) return contraction;
  const next = start + (first >> 8);
  const second = characterAt(bytes, next, end);
  if (second & LETTER && !(first & NEWLINE)) return runEnd(bytes, next, end, LETTER);
  if (first & (OTHER | MARK) || (bytes[start] === BLANK && second & (OTHER | MARK))) {
    return runEnd(bytes, runEnd(bytes, next, end, OTHER | MARK), end, NEWLINE);
  }
  return runEnd(bytes, start, end, ANY_SPACE) === end ? end : whiteSpaceEnd(bytes, start, end);
};

const BLANK = 0x20;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SLASH = 0x2f;
const APOSTROPHE = 0x27;

/** The end of the run of characters that are of one of these classes. */
function runEnd(bytes: Uint8Array, start: number, end: number, classes: number): number {
  let at = start;
  for (let found = characterAt(bytes, at, end); found & classes; found = characterAt(bytes, at, end)) {
    at += found >> 8;
  }
  return at;
}

/** Capitals, then small letters. Letters without case and marks may be in either half. */
function casedWordEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  let afterUncased = start;
  for (let found = characterAt(bytes, at, end); ; found = characterAt(bytes, at, end)) {
    if (found & LOWER) return runEnd(bytes, at, end, LOWER | UNCASED | MARK);
    if (!(found & (UPPER | UNCASED | MARK))) break;
    at += found >> 8;
    if (!(found & UPPER)) afterUncased = at;
  }
  // subtle: without a small letter the last uncased one ends the word, so "一A" is two pieces; "AB" is one.
  return afterUncased > start ? afterUncased : at;
}

function numberEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  for (let digits = 0; digits < 3; digits++) {
    const found = characterAt(bytes, at, end);
    if (!(found & NUMBER)) break;
    at += found >> 8;
  }
  return at;
}

/** Up to the last line end of the run; a run without any leaves its last blank to the word that follows. */
function whiteSpaceEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  let lastStart = start;
  let afterNewline = start;
  for (let found = characterAt(bytes, at, end); found & ANY_SPACE; found = characterAt(bytes, at, end)) {
    lastStart = at;
    at += found >> 8;
    if (!(found & SPACE)) afterNewline = at;
  }
  if (afterNewline > start) return afterNewline;
  return at === end || lastStart === start ? at : lastStart;
}

/** Past `'s 't 'd 'm 'll 've 're` in either case, or `at` itself. */
function contractionEnd(bytes: Uint8Array, at: number, end: number): number {
  if (bytes[at] !== APOSTROPHE || at + 1 >= end) return at;
  const first = String.fromCharCode(bytes[at + 1]! | 0x20);
  if (first === "s" || first === "t" || first === "d" || first === "m") return at + 2;
  if (at + 2 >= end) return at;
  const both = first + String.fromCharCode(bytes[at + 2]! | 0x20);
  return both === "ll" || both === "ve" || both === "re" ? at + 3 : at;
}
