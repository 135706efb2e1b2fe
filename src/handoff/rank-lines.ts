/** Ranks lines by what they are worth per token: specifics that are likely to be needed again, each counted once. */
import { IntList } from "../salience/int-list.ts";
import { listSpecifics } from "../salience/specifics.ts";
import { createHashTable, type HashTable } from "./hash-table.ts";
import { type LineIndex, lineChars, specificAt, specificsBefore } from "./line-index.ts";

export type Speaker = "user" | "assistant" | "tool";

/** A message whose lines are ranked. */
export interface RankedMessage {
  readonly index: LineIndex;
  readonly speaker: Speaker;
  readonly tokensPerChar: number;
}

export interface RankOptions {
  readonly messages: readonly RankedMessage[];
  /** Ranking stops when this many tokens (estimated) are ranked. */
  readonly maxTokens: number;
  /** What it holds need not be said again. */
  readonly alreadySaid: string;
}

/** Lines are numbered through all messages, in order. */
export interface Ranking {
  /** The best lines, best first. */
  readonly lines: Int32Array;
  /** Estimated tokens of each line, by its number. */
  readonly costs: Float32Array;
  /** The message of each line, and the number of each message's first line. */
  readonly messageOf: Int32Array;
  readonly firstLine: Int32Array;
}

/** Each round asks for this much less worth than the one before. */
const EASING = 0.75;

/**
 * Greedy choice by value per token, in rounds. A specific gives its value to the first line that is chosen with it and
 * nothing to later ones, so a line's worth can only fall: each round passes over the lines in order, looks again at
 * those whose last known worth reaches the round's bar, and takes those that still do.
 */
export function rankLines({ messages, maxTokens, alreadySaid }: RankOptions): Ranking {
  const specifics = gatherSpecifics(messages);
  const lines = gatherLines(messages, specifics.offsets);
  const said = new IntList();
  listSpecifics(alreadySaid, said);
  for (let at = 0; at < said.length; at += 3) {
    const id = specifics.table.find(said.items[at + 2]!);
    if (id >= 0) specifics.values[id] = 0;
  }
  const count = lines.costs.length;
  const worth = new Float32Array(count);
  let bar = 0;
  for (let line = 0; line < count; line++) {
    worth[line] = worthOf(line, lines, specifics);
    if (worth[line]! > bar) bar = worth[line]!;
  }
  const ranked = new Int32Array(count);
  let taken = 0;
  let total = 0;
  while (taken < count && total < maxTokens) {
    bar *= EASING;
    let next = 0;
    for (let line = 0; line < count; line++) {
      const known = worth[line]!;
      if (known >= bar) {
        const now = worthOf(line, lines, specifics);
        if (now >= bar) {
          ranked[taken++] = line;
          total += lines.costs[line]!;
          worth[line] = -1;
          for (let at = lines.first[line]!; at < lines.first[line + 1]!; at++)
            specifics.values[specifics.ids[at]!] = 0;
          continue;
        }
        worth[line] = now;
      }
      if (worth[line]! > next) next = worth[line]!;
    }
    // Nothing is worth anything between here and the next line's worth: skip the empty rounds.
    bar = Math.min(bar, next);
    if (next <= 0) break;
  }
  return {
    lines: ranked.subarray(0, taken),
    costs: lines.costs,
    messageOf: lines.messageOf,
    firstLine: lines.firstLine,
  };
}

function worthOf(line: number, { first, base, costs }: Lines, { ids, values }: Specifics): number {
  let value = base[line]!;
  const end = first[line + 1]!;
  for (let at = first[line]!; at < end; at++) value += values[ids[at]!]!;
  return value / costs[line]!;
}

interface Specifics {
  /** Where each message's specifics start in `ids`. */
  readonly offsets: Int32Array;
  /** The specifics of all lines, one after the other, numbered. */
  readonly ids: Int32Array;
  /** What each is worth; 0 once a chosen line holds it. */
  readonly values: Float32Array;
  readonly table: HashTable;
}

/** A specific is worth more the more messages mention it, the later it was seen, and when a person or the agent itself said it. */
function gatherSpecifics(messages: readonly RankedMessage[]): Specifics {
  const offsets = new Int32Array(messages.length + 1);
  messages.forEach(({ index }, at) => {
    offsets[at + 1] = offsets[at]! + specificsBefore(index, index.lines);
  });
  const total = offsets[messages.length]!;
  const ids = new Int32Array(total);
  const table = createHashTable();
  // By number: how many messages mention it, which did last, and 1 when somebody said it.
  const mentions = new IntList();
  const lastSeen = new IntList();
  const spoken = new IntList();
  for (let message = 0; message < messages.length; message++) {
    const { index, speaker } = messages[message]!;
    const offset = offsets[message]!;
    for (let at = 0; at < specificsBefore(index, index.lines); at++) {
      const id = table.add(specificAt(index, at));
      ids[offset + at] = id;
      if (id === mentions.length) {
        mentions.push(0);
        lastSeen.push(-1);
        spoken.push(0);
      }
      if (lastSeen.items[id] !== message) mentions.items[id]!++;
      lastSeen.items[id] = message;
      if (speaker !== "tool") spoken.items[id] = 1;
    }
  }
  const values = new Float32Array(table.size());
  for (let id = 0; id < values.length; id++) {
    const recency = 0.35 + lastSeen.items[id]! / messages.length;
    values[id] = (1 + Math.log2(mentions.items[id]!)) * recency * (spoken.items[id] ? 1.6 : 1);
  }
  return { offsets, ids, values, table };
}

const FAILURE_WEIGHT = 1;
const SPEAKER_WEIGHT: Readonly<Record<Speaker, number>> = { user: 3, assistant: 1.5, tool: 0.5 };

interface Lines {
  readonly firstLine: Int32Array;
  readonly messageOf: Int32Array;
  readonly costs: Float32Array;
  /** What a line is worth whatever specifics it holds. */
  readonly base: Float32Array;
  /** Where each line's specifics start in `Specifics.ids`. */
  readonly first: Int32Array;
}

function gatherLines(messages: readonly RankedMessage[], offsets: Int32Array): Lines {
  const firstLine = new Int32Array(messages.length + 1);
  messages.forEach(({ index }, at) => {
    firstLine[at + 1] = firstLine[at]! + index.lines;
  });
  const count = firstLine[messages.length]!;
  const messageOf = new Int32Array(count);
  const costs = new Float32Array(count);
  const base = new Float32Array(count);
  const first = new Int32Array(count + 1);
  for (let message = 0; message < messages.length; message++) {
    const { index, speaker, tokensPerChar } = messages[message]!;
    const recency = 0.35 + message / messages.length;
    for (let own = 0; own < index.lines; own++) {
      const line = firstLine[message]! + own;
      messageOf[line] = message;
      costs[line] = 2 + lineChars(index, own) * tokensPerChar;
      base[line] = 0.15 * SPEAKER_WEIGHT[speaker] * recency;
      first[line] = offsets[message]! + specificsBefore(index, own);
    }
    // A failure is worth as much as a specific, and more the newer it is.
    if (speaker === "tool")
      for (const own of index.failures) base[firstLine[message]! + own]! += FAILURE_WEIGHT * recency;
  }
  first[count] = offsets[messages.length]!;
  return { firstLine, messageOf, costs, base, first };
}
