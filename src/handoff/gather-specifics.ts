/** Gathers the specifics of a span in one pass: each numbered once, with who said it, how often and when. */
import { IntList } from "../salience/int-list.ts";
import { createHashTable, type HashTable } from "./hash-table.ts";
import { type LineIndex, lineChars, specificAt, specificsBefore } from "./line-index.ts";

export type Speaker = "user" | "assistant" | "tool";

/** A message whose lines are ranked. */
export interface RankedMessage {
  readonly index: LineIndex;
  readonly speaker: Speaker;
  readonly tokensPerChar: number;
  /** How much more or less a specific counts that was last said here; absent: all as learned from recordings. */
  readonly weigh?: (specific: string) => number;
}

/** Who said something: the assistant in words, the assistant in a call, the user, a tool. */
export const WORDS = 0;
export const CALL = 1;
export const USER = 2;
export const TOOL = 3;

/** What is known of a specific, as so many numbers in a row. Messages are told by their number, -1 for none. */
export const MENTIONS = 0;
export const LAST = 1;
export const FIRST = 2;
export const FIRST_BY = 3;
export const LINES = 4;
export const SHORTEST_LINE = 5;
/** The place of its last occurrence among all of them, and that one's line in its message. */
export const LAST_AT = 6;
export const LAST_LINE = 7;
/** From here on two for each who: in how many messages, and the last of them. */
export const BY = 8;
export const NUMBERS = BY + 8;

export interface Specifics {
  /** Where each message's specifics start in `ids`. */
  readonly offsets: Int32Array;
  /** The specifics of all lines, one after the other, numbered. */
  readonly ids: Int32Array;
  readonly table: HashTable;
  /** `NUMBERS` for each specific. */
  readonly known: Int32Array;
}

export function gatherSpecifics(messages: readonly RankedMessage[]): Specifics {
  const offsets = new Int32Array(messages.length + 1);
  messages.forEach(({ index }, at) => {
    offsets[at + 1] = offsets[at]! + specificsBefore(index, index.lines);
  });
  const gathering = {
    ids: new Int32Array(offsets[messages.length]!),
    table: createHashTable(),
    known: new IntList(),
  };
  for (let at = 0; at < messages.length; at++) gatherFrom(messages[at]!, at, offsets[at]!, gathering);
  const { ids, table, known } = gathering;
  return { offsets, ids, table, known: known.items.subarray(0, known.length) };
}

interface Gathering extends Pick<Specifics, "ids" | "table"> {
  readonly known: IntList;
}

/** A function of its own: it runs for every message, and is compiled for the first few. */
function gatherFrom(
  { index, speaker }: RankedMessage,
  message: number,
  offset: number,
  { ids, table, known }: Gathering,
): void {
  for (let line = 0, at = 0; line < index.lines; line++) {
    const end = specificsBefore(index, line + 1);
    if (at === end) continue;
    const by = speaker === "tool" ? TOOL : speaker === "user" ? USER : line < index.callsFrom ? WORDS : CALL;
    const chars = lineChars(index, line);
    for (; at < end; at++) {
      const id = table.add(specificAt(index, at));
      ids[offset + at] = id;
      const base = id * NUMBERS;
      if (base === known.length) addUnknown(known, message, by);
      const { items } = known;
      if (items[base + LAST] !== message) items[base + MENTIONS]!++;
      items[base + LAST] = message;
      items[base + LINES]!++;
      if (chars < items[base + SHORTEST_LINE]!) items[base + SHORTEST_LINE] = chars;
      items[base + LAST_AT] = offset + at;
      items[base + LAST_LINE] = line;
      const own = base + BY + 2 * by;
      if (items[own + 1] !== message) items[own]!++;
      items[own + 1] = message;
    }
  }
}

function addUnknown(known: IntList, message: number, by: number): void {
  known.reserve(NUMBERS);
  const { items, length } = known;
  items.fill(0, length, length + NUMBERS);
  items[length + LAST] = -1;
  items[length + FIRST] = message;
  items[length + FIRST_BY] = by;
  items[length + SHORTEST_LINE] = 0x7fffffff;
  for (let by = 0; by < 4; by++) items[length + BY + 2 * by + 1] = -1;
  known.length = length + NUMBERS;
}
