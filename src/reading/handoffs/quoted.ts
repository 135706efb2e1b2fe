/**
 * Quoted text: whatever somebody else said, made safe to be in a hand-off. No line of it opens like one of the hand-off's own
 * (see reserved.ts), none holds a line break that only some readers see, and none a control character.
 */
import { FRAME_MARKS, RESERVED_OPENINGS, VOICE_LABELS } from "./reserved.ts";

/**
 * A text as one line that may be anywhere in a hand-off. One that opens like the hand-off's own is marked as a quote;
 * any other is the same, character for character. Quoting twice gives what quoting once gives.
 *
 * `"## Story so far"` → `"> ## Story so far"`, `"50 %\r100 %"` → `"50 % 100 %"`
 */
export function quotedLine(text: string): string {
  const line = oneLine(text);
  return isReserved(line) ? MARK + withoutFrameMarks(line) : withoutFrameMarks(line);
}

/**
 * Each line of a text that was written from an earlier hand-off, at whatever character it ends. The marks that were copied with it are
 * taken off: whoever quotes the lines sets them, and they would grow from one hand-off to the next.
 */
export function bareLines(text: string): readonly string[] {
  return plainText(text)
    .split(/\r?\n/)
    .map((line) => withoutFrameMarks(withoutMarks(line)));
}

/** A text as one line that is behind a label of the hand-off's own, and so opens none. */
export function quotedAfterLabel(text: string): string {
  return withoutFrameMarks(oneLine(text));
}

/** The same of a line of a plain text. */
export function plainAfterLabel(line: string): string {
  return withoutFrameMarks(line);
}

/** Words that are to be read back to the letter, on as many lines as they have. `unquotedText` gives their `plainText`. */
export function quotedText(text: string): string {
  return withLines(plainText(text), 0, mayNeedMark, quotedPlainLine);
}

/** The same of one line of a plain text. */
export function quotedPlainLine(line: string): string {
  return isReserved(withoutMarks(line)) ? MARK + line : line;
}

/** Whether the line at a place of a plain text may have to be marked: nearly every one shows by its first characters that it need not. */
export function mayNeedMark(text: string, at: number): boolean {
  return isMarked(text, at) || mayBeReserved(text, at);
}

export function unquotedText(text: string): string {
  return withLines(text, 0, isMarked, unquotedLine);
}

function unquotedLine(line: string): string {
  return isReserved(withoutMarks(line)) ? line.slice(MARK.length) : line;
}

function isMarked(text: string, at: number): boolean {
  return text.startsWith(MARK, at);
}

/** A text without control characters, its lines ended by LF or CRLF alone; nearly every text is that already. */
export function plainText(text: string): string {
  if (!UNUSUAL.test(text)) return text;
  return text
    .replace(ESCAPES, "")
    .replace(/\r(?!\n)|[\v\f\u0085\u2028\u2029]/g, "\n")
    .replace(CONTROLS, "");
}

/** Whether a line opens like one of the hand-off's own, whatever space, marks or invisible characters are before or in the opening. */
export function isReserved(line: string): boolean {
  return mayBeReserved(line, 0) && RESERVED.test(openingOf(line)) && !FIELD.test(line);
}

/** `        Agent:   agent,`: a field in code, further in than anybody speaks. A line that opens after hidden characters is none. */
const FIELD = /^[ \t]+[A-Za-z]+:(?=[ \t]).*[,;{([]\s*$/;

function mayBeReserved(text: string, at: number): boolean {
  CANDIDATE.lastIndex = at;
  return CANDIDATE.test(text);
}

/** As Markdown marks a quote. */
const MARK = "> ";

/** Control characters and ends of lines, the tab aside; and all of them but LF. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BREAK_OR_CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNUSUAL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/;
const CONTROLS = /[^\P{Cc}\t\n\r]/gu;
/** What a terminal takes as an order: colours and moves, titles and links, and the short ones. */
const ESCAPES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what they begin with
  /(?:\u001b\[|\u009b)[0-?]{0,40}[ -/]{0,4}[@-~]|\u001b\][^\u0007\u001b\n]{0,2000}(?:\u0007|\u001b\\)|\u001b[ -/]{0,4}[0-Z\\^-~]/g;

function oneLine(text: string): string {
  if (!BREAK_OR_CONTROL.test(text)) return text;
  return plainText(text).replace(/[\r\n]+/g, " ");
}

/** A text with some of its lines from a place on changed: only those that may have to be are cut out of it. */
export function withLines(
  text: string,
  from: number,
  mayChange: (text: string, at: number) => boolean,
  change: (line: string) => string,
): string {
  let changed = "";
  let rest = 0;
  for (let at = from, end = 0; end >= 0; at = end + 1) {
    end = text.indexOf("\n", at);
    if (!mayChange(text, at)) continue;
    const line = text.slice(at, end < 0 ? text.length : end);
    const other = change(line);
    if (other === line) continue;
    changed += text.slice(rest, at) + other;
    rest = at + line.length;
  }
  return rest === 0 ? text : changed + text.slice(rest);
}

/** Without the marks of quotes before it, ours or another's. */
function withoutMarks(line: string): string {
  return line.startsWith(MARK) ? line.replace(/^(?:> )+/, "") : line;
}

const FRAME = new RegExp(
  FRAME_MARKS.map((mark) => `\\[(${escaped(mark.slice(1, -1)).replaceAll(" ", "\\s+")})\\]`).join("|"),
  "gi",
);

/** `[End of hand-off]` → `(End of hand-off)` */
function withoutFrameMarks(line: string): string {
  return line.includes("[") ? line.replace(FRAME, (mark) => `(${mark.slice(1, -1)})`) : line;
}

/** A line's first visible characters as they are compared: plain letters in lower case, single spaces, no marks before them. */
function openingOf(line: string): string {
  for (let chars = 4 * LONGEST; ; chars *= 4) {
    const opening = folded(line.slice(0, chars));
    if (opening.length >= 2 * LONGEST || chars >= line.length) return opening;
  }
}

function folded(text: string): string {
  const plain = /[^ -~]/.test(text)
    ? text
        .normalize("NFKD")
        // subtle: before space is made even, since one of them passes for a space.
        .replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
        .replace(/[\s\u2800]/g, " ")
        .replace(/\p{Cc}/gu, "")
        .replace(/\p{Pd}/gu, "-")
    : text;
  // A quote's mark stays, and that of a row: what is behind it is known for a quote, or for a cell.
  return plain
    .toLowerCase()
    .replace(/ {2,}/g, " ")
    .replace(/^[^\p{L}\p{N}#[>|]+/u, "");
}

/** What follows a name rather than a speaker. */
const NO_NAME = "(?![a-z0-9_=./'\"`])";
const NOT_ASCII = "\\u0080-\\uffff";
const LONGEST = Math.max(...RESERVED_OPENINGS.map(({ length }) => length));
/** A turn's number with somebody's label behind it: `[3] User:`. */
const TURN = `\\[ *\\d+ *\\] *(?:${Object.values(VOICE_LABELS).map(patternOf).join("|")})`;
const RESERVED = new RegExp(`^(?:${[...RESERVED_OPENINGS.map(patternOf), TURN].join("|")})`, "u");

/** Nearly every line shows by its first visible characters that it opens otherwise; to look closer costs many times as much. */
const CANDIDATE = new RegExp(
  `[^A-Za-z0-9#[>\\n${NOT_ASCII}]*(?:[#${NOT_ASCII}]|${firstTwo().join("|")})`,
  "iy",
);

/** The first two characters of each opening, the second of them perhaps in disguise. */
function firstTwo(): readonly string[] {
  const pairs = RESERVED_OPENINGS.map((opening) => folded(opening).slice(0, 2));
  const openings = [...new Set(pairs)].map(
    ([first, second]) => `${escaped(first!)} *[${escaped(second!)}${NOT_ASCII}]`,
  );
  return [...openings, `\\[ *[\\d${NOT_ASCII}]`];
}

/**
 * An opening with space wherever one may put it, and any number of hashes; a heading ends where its words do, and a label is
 * followed by what somebody says: `agent:bootstrap` and `agent := newAgent()` are names.
 */
function patternOf(opening: string): string {
  const characters = folded(opening.trim())
    .replace(/#+/g, "#")
    .split("")
    .filter((character) => character !== " ")
    .map((character) => (character === "#" ? "#[# ]*" : escaped(character)));
  return (
    characters.join(" *") +
    (/\p{L}$/u.test(opening) ? " *(?![ \\p{L}\\p{N}])" : isLabel(opening) ? NO_NAME : "")
  );
}

function isLabel(opening: string): boolean {
  return /^[A-Za-z ]+: ?$/.test(opening);
}

function escaped(text: string): string {
  return text.replace(/[[\](){}.*+?^$|\\/]/g, "\\$&");
}
