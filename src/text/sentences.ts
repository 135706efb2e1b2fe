/** Cuts prose into sentences: one linear scan, safe on abbreviations, numbers, paths and lists. */
import {
  CLOSING_ABBREVIATIONS,
  LEADING_ABBREVIATIONS,
  NUMBERED_ABBREVIATIONS,
  SENTENCE_STARTERS,
} from "./abbreviations.ts";
import { isAscii, startsWithLetterOrDigit, startsWithLowerCase } from "./letters.ts";

/** `text.slice(start, end)` is the sentence; between two sentences is only white space. */
export interface Sentence {
  readonly start: number;
  readonly end: number;
}

/**
 * Sentences end at `.`, `!`, `?` before white space, at the CJK stops, and at the end of a line unless the line is
 * merely wrapped. A list mark belongs to the first sentence of its item.
 *
 * `"See e.g. a.txt. Done!"` → `"See e.g. a.txt."`, `"Done!"`
 */
export function splitSentences(text: string): readonly Sentence[] {
  const sentences: Sentence[] = [];
  const inlineCode = inlineCodeFinder(text);
  let start = skipSpace(text, 0);
  let lineStart = 0;
  const close = (end: number) => {
    let last = end;
    while (last > start && isSpace(text.charCodeAt(last - 1))) last--;
    if (last > start) sentences.push({ start, end: last });
    start = skipSpace(text, end);
  };
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x3f && code !== 0x60 && code < 0x2026) continue;
    if (code === CARRIAGE_RETURN && text.charCodeAt(at + 1) === LINE_FEED) continue;
    if (code === LINE_FEED || code === CARRIAGE_RETURN) {
      if (at >= start && (at - start > WRAP_LIMIT || !isWrapped(text, lineStart, at))) close(at + 1);
      lineStart = at + 1;
    } else if (code === BACKTICK) {
      at = inlineCode(at);
    } else if (isStop(code) || isWideStop(code)) {
      const end = stopRunEnd(text, at);
      if (endsSentence(text, { at, end, lineStart })) close(end);
      at = end - 1;
    }
  }
  close(text.length);
  return sentences;
}

/** Where the list, quote or heading mark of a line ends: what is before it is the line's frame, not its words. */
export function markEnd(text: string, lineStart: number): number {
  LINE_MARK.lastIndex = lineStart;
  return LINE_MARK.test(text) ? LINE_MARK.lastIndex : lineStart;
}

const LINE_MARK =
  /[ \t]{0,200}(?:>[ \t]?){0,20}(?:(?:(?:[-*+•][ \t]+)?(?:\d{1,9}|[A-Za-z])[.)]|[-*+•]|#{1,6})[ \t]+(?:\[[ xX]\][ \t]+)?)?/y;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const BACKTICK = 0x60;
/** Closers that may be between the stop and the white space: quotes, brackets, emphasis. */
const CLOSERS = new Set([..."\"'”’»)]}*_`〉》」』】）"].map((char) => char.charCodeAt(0)));
/** The longest word before a stop that is looked up. */
const WORD_LIMIT = 24;
/** A line shorter than this was not wrapped: its end is meant. */
const WRAP_WIDTH = 60;
/** A sentence as long as this takes no further lines: what looks like a wrap is more likely a list without marks. */
const WRAP_LIMIT = 400;

function isSpace(code: number): boolean {
  return (
    code === 32 ||
    (code >= 9 && code <= 13) ||
    code === 0xa0 ||
    code === 0x3000 ||
    code === 0xfeff ||
    code === 0x2028
  );
}

function isStop(code: number): boolean {
  return code === 0x2e || code === 0x21 || code === 0x3f || code === 0x2026;
}

/** 。！？｡ end a sentence without white space after them. */
function isWideStop(code: number): boolean {
  return code === 0x3002 || code === 0xff01 || code === 0xff1f || code === 0xff61;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Past all stops and closers that follow the stop at `at`. */
function stopRunEnd(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && isInStopRun(text.charCodeAt(end))) end++;
  return end;
}

function isInStopRun(code: number): boolean {
  return code !== 32 && (isStop(code) || isWideStop(code) || CLOSERS.has(code));
}

function endsSentence(text: string, run: { at: number; end: number; lineStart: number }): boolean {
  const { at, end, lineStart } = run;
  if (isWideStop(text.charCodeAt(at))) return true;
  if (end < text.length && !isSpace(text.charCodeAt(end))) return isWideStop(text.charCodeAt(end - 1));
  const next = nextOnLine(text, end);
  const afterClosers = !isStop(text.charCodeAt(end - 1));
  const ellipsis = text.charCodeAt(at) === 0x2026 || text.startsWith("..", at);
  // 'He asked "why?" and left', "wait... what": a lower-case word goes on with the sentence.
  if ((afterClosers || ellipsis) && startsWithLowerCase(next)) return false;
  if (text.charCodeAt(at) !== 0x2e || end > at + 1) return true;
  return !isAbbreviation(text, { at, lineStart, next });
}

/** Whether the single full stop at `at`, before white space, belongs to its word. */
function isAbbreviation(text: string, stop: { at: number; lineStart: number; next: string }): boolean {
  const { at, lineStart, next } = stop;
  let from = at;
  while (from > lineStart && at - from < WORD_LIMIT && !isSpace(text.charCodeAt(from - 1))) from--;
  // "git add . now": a stop alone is a word. "1. item", "a. item": a list mark.
  if (from === at) return true;
  if (at < markEnd(text, lineStart)) return true;
  // "I would look at   2. Auto-migrate": a number set apart is the mark of what was pasted after it.
  if (/^\d{1,2}$/.test(text.slice(from, at)) && text.slice(from - 2, from) === "  ") return true;
  const word = withoutFrame(text.slice(from, at));
  const lower = word.toLowerCase();
  if (LEADING_ABBREVIATIONS.has(lower)) return next !== "";
  if (NUMBERED_ABBREVIATIONS.has(lower) && /^[\p{N}#§]/u.test(next)) return true;
  const isInitial = word.length <= 2 && word !== "I" && (isAscii(word) ? /^[A-Z]$/ : /^\p{Lu}$/u).test(word);
  const isDotted = word.includes(".") && (isAscii(word) ? ASCII_DOTTED : /^(?:\p{L}\.)+\p{L}$/u).test(word);
  if (isInitial || isDotted || CLOSING_ABBREVIATIONS.has(lower)) {
    if (next === "") return false;
    return startsWithLowerCase(next) || (!isSentenceStart(next) && lower !== "etc" && lower !== "al");
  }
  return false;
}

/** `a.b` and the like. */
const ASCII_DOTTED = /^(?:[A-Za-z]\.)+[A-Za-z]$/;

/** Without the quotes and brackets before a word. */
function withoutFrame(word: string): string {
  return word.replace(isAscii(word) ? /^[^A-Za-z0-9]+/ : /^[^\p{L}\p{N}§]+/u, "");
}

function isSentenceStart(word: string): boolean {
  return SENTENCE_STARTERS.has(word.toLowerCase()) || !startsWithLetterOrDigit(word);
}

/** The word after `at` on the same line, empty at its end. */
function nextOnLine(text: string, at: number): string {
  let from = at;
  while (from < text.length && (text.charCodeAt(from) === 32 || text.charCodeAt(from) === 9)) from++;
  let end = from;
  while (end < text.length && end - from < WORD_LIMIT && !isSpace(text.charCodeAt(end))) end++;
  const word = text.slice(from, end);
  return (isAscii(word) ? word.replace(/[^A-Za-z0-9]+$/, "") : withoutMarksAfter(word)) || word;
}

function withoutMarksAfter(word: string): string {
  const characters = [...word];
  while (characters.length > 0 && !startsWithLetterOrDigit(characters.at(-1)!)) characters.pop();
  return characters.join("");
}

/** Whether the line break at `at` is only a wrap: a wide line that stops mid-sentence, and a lower-case line after it. */
function isWrapped(text: string, lineStart: number, at: number): boolean {
  let last = at;
  while (last > lineStart && isSpace(text.charCodeAt(last - 1))) last--;
  if (last - lineStart < WRAP_WIDTH) return false;
  const end = text.charAt(last - 1);
  if (!startsWithLetterOrDigit(end) && !",)'\"`".includes(end)) return false;
  return (
    matchesAt(ASCII_WRAPPED_LINE, text, at + 1) ||
    (matchesAt(NOT_ASCII_WORD, text, at + 1) && matchesAt(WRAPPED_LINE, text, at + 1))
  );
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** A lower-case word that is followed by more prose, not by an assignment, a call or a path. */
const ASCII_WRAPPED_LINE = /[ \t]{0,20}[a-z][A-Za-z'’-]{0,30}[,.;:!?)]*(?:[ \t]+[A-Za-z0-9`'"(]|[ \t]*$)/my;
const NOT_ASCII_WORD = /[ \t]{0,20}(?:[a-z][A-Za-z'’-]{0,30}[,.;:!?)]*[ \t]*)?[^\0-\x7f’]/y;
const WRAPPED_LINE = /[ \t]{0,20}\p{Ll}[\p{L}'’-]{0,30}[,.;:!?)]*(?:[ \t]+[\p{L}\p{N}`'"(]|[ \t]*$)/muy;

/** Finds the end of inline code that starts at a backtick, on one line; each backtick and line end is searched once. */
function inlineCodeFinder(text: string): (at: number) => number {
  let lineEnd = -1;
  let nextTick = -1;
  return (at) => {
    let width = 1;
    while (at + width < text.length && text.charCodeAt(at + width) === BACKTICK) width++;
    const last = at + width - 1;
    if (lineEnd <= last) lineEnd = indexOrEnd(text, "\n", last);
    if (nextTick <= last) nextTick = indexOrEnd(text, "`", last + 1);
    if (nextTick >= lineEnd) return last;
    let end = nextTick;
    while (end + 1 < text.length && text.charCodeAt(end + 1) === BACKTICK) end++;
    return end;
  };
}

function indexOrEnd(text: string, part: string, from: number): number {
  const found = text.indexOf(part, from);
  return found < 0 ? text.length : found;
}
