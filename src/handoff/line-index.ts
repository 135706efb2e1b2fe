/** LineIndex: a message cut into lines that can stand alone, with the specifics that each of them holds. */
import type { Message } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import { readFolderLine, withFolder } from "../ledger/file-root.ts";
import { readFileLine, readNames } from "../ledger/ledger-lines.ts";
import { endsOf } from "../ledger/said.ts";
import { meaningOf } from "../ledger/tool-vocabulary.ts";
import { charCodesOf } from "../salience/char-codes.ts";
import { IntList } from "../salience/int-list.ts";
import { listSpecifics } from "../salience/specifics.ts";
import { pathOfCall } from "./file-of-call.ts";
import { readSections } from "./sections.ts";
import { handoffIn, separateHandoff } from "./separate.ts";

/**
 * One array for all, since a long conversation has a hundred thousand lines: three numbers a line (where it starts and
 * ends in the text, and where its specifics start), then two numbers a specific (its hash, see `listSpecifics`, and
 * where it starts in the text), each once a line.
 */
export interface LineIndex {
  readonly text: string;
  /** How long the text is that it was made from; longer than `text` where only the ends were taken. */
  readonly chars: number;
  readonly lines: number;
  readonly numbers: Int32Array;
  /** The first line of the message's calls; the number of lines when it makes none. */
  readonly callsFrom: number;
  /** Lines that tell of a failure, in order. */
  readonly failures: readonly number[];
  /** Lines that stand in a file, as calls write them or as an earlier hand-off tells its names. */
  readonly written: readonly WrittenLines[];
  /** From this line on there is nothing but names that an earlier hand-off tells; the number of lines when there are none. */
  readonly namesFrom: number;
}

/** The lines from `from` up to `to` stand in the file at `path`. */
export interface WrittenLines {
  readonly from: number;
  readonly to: number;
  readonly path: string;
}

/** Line `n` as it stands in the text. */
export function lineAt({ text, numbers }: LineIndex, line: number): string {
  return text.slice(numbers[3 * line]!, numbers[3 * line + 1]!);
}

export function lineChars({ numbers }: LineIndex, line: number): number {
  return numbers[3 * line + 1]! - numbers[3 * line]!;
}

/** How many specifics stand before line `n`; with `n` = the number of lines, how many there are. */
export function specificsBefore({ lines, numbers }: LineIndex, line: number): number {
  return ((line < lines ? numbers[3 * line + 2]! : numbers.length) - 3 * lines) >> 1;
}

export function specificAt({ lines, numbers }: LineIndex, at: number): number {
  return numbers[3 * lines + 2 * at]!;
}

/** Where a specific starts in the text. */
export function placeOf({ lines, numbers }: LineIndex, at: number): number {
  return numbers[3 * lines + 2 * at + 1]!;
}

/** A line longer than this is cut where a sentence, a clause or a word ends. */
const MAX_LINE_CHARS = 320;

const memo = new WeakMap<Message, LineIndex>();

/**
 * Memoised by message, so that the next compaction of the same conversation pays for its new messages only. With `ends`
 * a long text is read at its two ends alone: so much for what a tool answered long ago.
 */
export function indexLines(message: Message, { ends = false } = {}): LineIndex {
  const known = memo.get(message);
  if (known && (ends || known.chars === known.text.length)) return known;
  const whole = readableText(message);
  const index = buildIndex(ends ? endsOnly(whole) : whole, whole.text.length);
  memo.set(message, index);
  return index;
}

/** So much of each end says what a long answer was, and how it ended. */
const END_CHARS = 500;

interface Readable {
  readonly text: string;
  /** Where the message's calls start. */
  readonly callsAt: number;
  readonly writes: readonly Write[];
  /** Where the names that a hand-off tells start. */
  readonly namesAt?: number;
}

/** A stretch of the text that stands in a file. */
interface Write {
  readonly start: number;
  readonly end: number;
  readonly path: string;
}

function endsOnly({ text, callsAt, writes }: Readable): Readable {
  const short = endsOf(text, 2 * END_CHARS);
  if (short === text) return { text, callsAt, writes };
  const fromEnd = text.length - callsAt;
  return {
    text: short,
    callsAt: fromEnd < END_CHARS ? short.length - fromEnd : Math.min(callsAt, END_CHARS),
    writes: NONE_WRITTEN,
  };
}

/** What a hand-off may quote of a message: prose, calls with readable arguments, results. An old hand-off without its frame. */
function readableText(message: Message): Readable {
  const found = handoffIn(message);
  if (found) {
    const { own } = separateHandoff(message);
    // Doubts are gathered anew by every hand-off; a quoted annotation would pile up (R21).
    const { progress, files } = readSections(found.body);
    const told = readable([...progress, ...(own?.parts ?? []).map(readablePart)], Number.POSITIVE_INFINITY);
    return withNamesTold(told, files);
  }
  const { parts } = message;
  if (parts.length === 1 && parts[0]!.type === "tool-result") return alone(parts[0]!.text);
  const call = parts.findIndex(({ type }) => type === "tool-call");
  const texts = parts.map(readablePart);
  const whole = readable(texts, call < 0 ? parts.length : call);
  return call < 0 ? whole : { ...whole, writes: writesIn(parts, texts) };
}

/** The text of an earlier hand-off, and below it the names that it tells of files. */
function withNamesTold({ text, callsAt }: Readable, lines: readonly string[]): Readable {
  const folder = lines.map(readFolderLine).find((each) => each !== undefined) ?? "";
  const writes: Write[] = [];
  let whole = text;
  for (const told of lines) {
    const { line, names } = readNames(told);
    if (names.length === 0) continue;
    const path = withFolder(folder, readFileLine(line)?.path ?? line);
    const start = whole.length + 1;
    whole += `\n${names.join(", ")}`;
    writes.push({ start, end: whole.length, path });
  }
  return { text: whole, callsAt: Math.max(callsAt, whole.length), writes, namesAt: text.length };
}

const NONE_WRITTEN: readonly Write[] = [];

/** From its second line on, a long call is what it writes to a file. */
function writesIn(parts: readonly Part[], texts: readonly string[]): readonly Write[] {
  const writes: Write[] = [];
  let start = 0;
  parts.forEach((part, at) => {
    const text = texts[at]!;
    if (part.type === "tool-call" && part.arguments.length > ONE_LINE_CALL_CHARS) {
      const path = pathOfCall(part.arguments);
      const bulk = text.indexOf("\n") + 1;
      if (path !== undefined && bulk > 0)
        writes.push({ start: start + bulk, end: start + text.length, path });
    }
    if (text !== "") start += text.length + 1;
  });
  return writes;
}

function alone(text: string): Readable {
  return { text, callsAt: text.length, writes: NONE_WRITTEN };
}

/** Calls follow the prose in every format, so all from the first one on is theirs. */
function readable(texts: readonly string[], firstCall: number): Readable {
  if (texts.length === 1)
    return firstCall === 0 ? { text: texts[0]!, callsAt: 0, writes: NONE_WRITTEN } : alone(texts[0]!);
  const text = texts.filter(Boolean).join("\n");
  let callsAt = text.length;
  for (let at = firstCall; at < texts.length; at++) if (texts[at] !== "") callsAt -= texts[at]!.length + 1;
  return { text, callsAt, writes: NONE_WRITTEN };
}

function readablePart(part: Part): string {
  switch (part.type) {
    case "text":
    case "tool-result":
      return part.text;
    case "tool-call":
      // The ledger tells the newest state of the list; every earlier one is out of date.
      return meaningOf(part.name)?.does === "todo" ? "" : readableCall(part.name, part.arguments);
    default:
      return "";
  }
}

const ONE_LINE_CALL_CHARS = 240;

/** A short call stands as it is; a long one as its name and short values on one line and its long values as lines of their own. */
function readableCall(name: string, json: string): string {
  if (json.length <= ONE_LINE_CALL_CHARS) return `${name} ${json}`;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return `${name} ${json}`;
  }
  const short: string[] = [];
  const long: string[] = [];
  collectLeaves(value, short, long);
  return [`${name} ${short.join(", ")}`, ...long].join("\n");
}

/** In order, without recursion: JSON from the wire may be nested deeper than the stack. */
function collectLeaves(value: unknown, short: string[], long: string[]): void {
  const open: { readonly key: string; readonly value: unknown }[] = [{ key: "", value }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { key, value: current } = next;
    if (current !== null && typeof current === "object") {
      const isList = Array.isArray(current);
      for (const [inner, each] of Object.entries(current).reverse()) {
        open.push({ key: isList ? key : inner, value: each });
      }
      continue;
    }
    const text = String(current);
    if (text.includes("\n") || text.length > ONE_LINE_CALL_CHARS) long.push(text);
    else short.push(key ? `${key}: ${text}` : text);
  }
}

/** Scratch lists, used for one message at a time. */
const starts = new IntList();
const ends = new IntList();
const found = new IntList();

function buildIndex({ text, callsAt, writes, namesAt }: Readable, chars: number): LineIndex {
  starts.clear();
  ends.clear();
  found.clear();
  const codes = charCodesOf(text);
  cutLines(text, codes);
  listSpecifics(text, found, codes);
  const lines = starts.length;
  let callsFrom = lines;
  while (callsFrom > 0 && starts.items[callsFrom - 1]! >= callsAt) callsFrom--;
  return {
    text,
    chars,
    lines,
    numbers: numbersOf(lines),
    callsFrom,
    failures: failuresIn(text, lines),
    written: writes.map(({ start, end, path }) => ({
      from: firstFrom(start, lines),
      to: firstFrom(end, lines),
      path,
    })),
    namesFrom: namesAt === undefined ? lines : firstFrom(namesAt, lines),
  };
}

/** Numbers of many messages stand in one piece of memory: an array of its own for each would cost more than what it holds. */
const CHUNK = 1 << 15;
let chunk = new Int32Array(0);
let used = 0;

/** The numbers of the lines and specifics that were found. */
function numbersOf(lines: number): Int32Array {
  const most = 3 * lines + 2 * (found.length / 3);
  if (used + most > chunk.length) {
    chunk = new Int32Array(Math.max(CHUNK, most));
    used = 0;
  }
  const [numbers, from] = [chunk, used];
  used = writeNumbers(numbers, from, lines);
  return numbers.subarray(from, used);
}

/** Gives the place after the last. */
function writeNumbers(numbers: Int32Array, from: number, lines: number): number {
  let next = from + 3 * lines;
  let at = 0;
  for (let line = 0; line < lines; line++) {
    const start = starts.items[line]!;
    const end = ends.items[line]!;
    const first = next;
    numbers[from + 3 * line] = start;
    numbers[from + 3 * line + 1] = end;
    numbers[from + 3 * line + 2] = first - from;
    for (; at < found.length && found.items[at]! < end; at += 3) {
      if (found.items[at]! >= start)
        next = addOnce(numbers, first, next, found.items[at + 2]!, found.items[at]!);
    }
  }
  return next;
}

/** The first line that starts at a place of the text or after it. */
function firstFrom(place: number, lines: number): number {
  let low = 0;
  let high = lines;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts.items[middle]! < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** In words that no language of error messages does without; a look-up for each is far cheaper than a look at each line. */
const FAILURE_WORDS = ["rror", "FAIL"] as const;
/** An output that fails everywhere is told by its first failures. */
const MAX_FAILURES = 4;

function failuresIn(text: string, lines: number): readonly number[] {
  let found = NONE;
  for (const word of FAILURE_WORDS) found = withFailures(found, text, lines, word);
  return found.length < 2 ? found : found.toSorted((a, b) => a - b).slice(0, MAX_FAILURES);
}

const NONE: readonly number[] = [];

function withFailures(
  known: readonly number[],
  text: string,
  lines: number,
  word: string,
): readonly number[] {
  let at = text.indexOf(word);
  if (at < 0) return known;
  const found = [...known];
  for (let times = 0; at >= 0 && times < MAX_FAILURES; times++) {
    const line = lineHolding(at, lines);
    if (line >= 0 && !found.includes(line)) found.push(line);
    at = text.indexOf(word, line >= 0 ? ends.items[line]! : at + word.length);
  }
  return found;
}

/** The line that a place of the text is in; -1 when it is in none. */
function lineHolding(place: number, lines: number): number {
  let low = 0;
  let high = lines - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts.items[middle]! <= place) low = middle;
    else high = middle - 1;
  }
  return lines > 0 && starts.items[low]! <= place && place < ends.items[low]! ? low : -1;
}

/** Puts a specific after the others of its line unless one of them is the same; gives the place after the last. */
function addOnce(numbers: Int32Array, first: number, next: number, hash: number, place: number): number {
  for (let at = first; at < next; at += 2) if (numbers[at] === hash) return next;
  numbers[next] = hash;
  numbers[next + 1] = place;
  return next + 2;
}

/** Lists the lines that say something, trimmed; long ones in pieces. */
function cutLines(text: string, codes: Uint16Array): void {
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

/** The last good place to end a piece that starts at `start`. */
function cutPoint(text: string, start: number): number {
  const piece = text.slice(start, start + MAX_LINE_CHARS);
  for (const mark of CUTS) {
    const at = piece.lastIndexOf(mark);
    if (at >= MAX_LINE_CHARS / 3) return start + at + mark.trimEnd().length;
  }
  // subtle: never between the halves of a surrogate pair.
  const last = piece.charCodeAt(piece.length - 1);
  return start + piece.length - (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 13;
}
