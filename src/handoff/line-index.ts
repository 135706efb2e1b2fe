/** LineIndex: a message cut into lines that can stand alone, with the specifics that each of them holds. */
import type { Message } from "../conversation/message.ts";
import { charCodesOf } from "../salience/char-codes.ts";
import { IntList } from "../salience/int-list.ts";
import { listSpecifics } from "../salience/specifics.ts";
import { type Cuts, cutLines, firstFrom } from "./cut-lines.ts";
import { failuresIn } from "./failure-lines.ts";
import { type Readable, readableText, type Stretch } from "./readable-text.ts";

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

const memo = new WeakMap<Message, LineIndex>();

/**
 * Memoised by message, so that the next compaction of the same conversation pays for its new messages only. With `ends`
 * a long text is read at its two ends alone: so much for what a tool answered long ago.
 */
export function indexLines(message: Message, { ends = false } = {}): LineIndex {
  const known = memo.get(message);
  if (known && (ends || known.chars === known.text.length)) return known;
  const index = buildIndex(readableText(message, { ends }));
  memo.set(message, index);
  return index;
}

/** Scratch lists, used for one message at a time. */
const cuts: Cuts = { starts: new IntList(), ends: new IntList() };
const found = new IntList();

function buildIndex({ text, chars, callsAt, writes, data, namesAt }: Readable): LineIndex {
  cuts.starts.clear();
  cuts.ends.clear();
  found.clear();
  const codes = charCodesOf(text);
  cutLines(text, codes, cuts);
  listSpecifics(text, found, codes);
  if (data.length > 0) dropKeys(codes, data);
  const lines = cuts.starts.length;
  return {
    text,
    chars,
    lines,
    numbers: numbersOf(lines),
    callsFrom: firstFrom(cuts, callsAt),
    failures: failuresIn(text, cuts),
    written: writes.map(({ start, end, path }) => ({
      from: firstFrom(cuts, start),
      to: firstFrom(cuts, end),
      path,
    })),
    namesFrom: namesAt === undefined ? lines : firstFrom(cuts, namesAt),
  };
}

/** A key is known from the tool's schema: what is specific is said under it. One with a digit in it is a name itself. */
function dropKeys(codes: Uint16Array, data: readonly Stretch[]): void {
  const { items } = found;
  let next = 0;
  for (let at = 0; at < found.length; at += 3) {
    const [start, end] = [items[at]!, items[at + 1]!];
    const isKey = codes[end] === COLON && codes[end + 1] === SPACE && !hasDigit(codes, start, end);
    if (isKey && data.some((stretch) => stretch.start <= start && end < stretch.end)) continue;
    items.copyWithin(next, at, at + 3);
    next += 3;
  }
  found.length = next;
}

const COLON = 58;
const SPACE = 32;

function hasDigit(codes: Uint16Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (codes[at]! >= 48 && codes[at]! <= 57) return true;
  return false;
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
  const { starts, ends } = cuts;
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

/** Puts a specific after the others of its line unless one of them is the same; gives the place after the last. */
function addOnce(numbers: Int32Array, first: number, next: number, hash: number, place: number): number {
  for (let at = first; at < next; at += 2) if (numbers[at] === hash) return next;
  numbers[next] = hash;
  numbers[next + 1] = place;
  return next + 2;
}
