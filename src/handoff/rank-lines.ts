/** Ranks the lines that a digest may say by what each is worth per token. */
import { IntList } from "../salience/int-list.ts";
import { listSpecifics } from "../salience/specifics.ts";
import { coverForms } from "./cover-forms.ts";
import { gatherLines } from "./gather-lines.ts";
import { gatherSpecifics, type RankedMessage, type Specifics } from "./gather-specifics.ts";
import { specificValues } from "./specific-values.ts";

export interface RankOptions {
  readonly messages: readonly RankedMessage[];
  /** Ranking stops when this many tokens (estimated) are ranked. */
  readonly maxTokens: number;
  readonly specifics: Specifics;
  readonly values: Float32Array;
}

/** Lines are numbered through all messages, in order. */
export interface Ranking {
  /** The best, best first. */
  readonly lines: Int32Array;
  /** Estimated tokens of each of them. */
  readonly costs: Float32Array;
  /** The message of each line, and the number of each message's first line. */
  readonly messageOf: Int32Array;
  readonly firstLine: Int32Array;
}

/** Each round asks for this much less worth than the one before. */
const EASING = 0.75;

/** A line that would take more of the room than this is left out. */
const LARGEST_SHARE = 0.5;

/** The specifics of the messages and what each is worth: 0 where `alreadySaid` says it. */
export function unsaidValues(
  messages: readonly RankedMessage[],
  alreadySaid: string,
): Pick<RankOptions, "specifics" | "values"> {
  const specifics = gatherSpecifics(messages);
  const values = specificValues(specifics, messages);
  const { table } = specifics;
  const cover = (text: string, start: number, end: number) => coverForms(text, start, end, table, values);
  const said = new IntList();
  listSpecifics(alreadySaid, said);
  for (let at = 0; at < said.length; at += 3) {
    const id = table.find(said.items[at + 2]!);
    if (id >= 0) values[id] = 0;
    cover(alreadySaid, said.items[at]!, said.items[at + 1]!);
  }
  return { specifics, values };
}

/**
 * Greedy choice by value per token, in rounds. A specific gives its value to the first line that is chosen with it and
 * nothing to later ones, so worth can only fall: each round passes over the lines in order, looks again at those whose
 * last known worth reaches the round's bar, and takes those that still do.
 */
export function rankLines({ messages, maxTokens, specifics, values }: RankOptions): Ranking {
  const { ids } = specifics;
  const lines = gatherLines(messages, specifics);
  const { first, base, costs } = lines;
  const worthOf = (line: number): number => {
    let value = base[line]!;
    const end = first[line + 1]!;
    for (let at = first[line]!; at < end; at++) value += values[ids[at]!]!;
    return value / costs[line]!;
  };
  const count = costs.length;
  const worth = new Float32Array(count);
  const largest = maxTokens * LARGEST_SHARE;
  let bar = 0;
  for (let line = 0; line < count; line++) {
    worth[line] = costs[line]! > largest ? -1 : worthOf(line);
    if (worth[line]! > bar) bar = worth[line]!;
  }
  const ranked = new Int32Array(count);
  const rankedCosts = new Float32Array(count);
  let taken = 0;
  let total = 0;
  while (total < maxTokens) {
    bar *= EASING;
    let next = 0;
    for (let line = 0; line < count; line++) {
      const known = worth[line]!;
      if (known >= bar) {
        const now = worthOf(line);
        if (now >= bar) {
          ranked[taken] = line;
          rankedCosts[taken++] = costs[line]!;
          total += costs[line]!;
          worth[line] = -1;
          for (let at = first[line]!; at < first[line + 1]!; at++) values[ids[at]!] = 0;
          continue;
        }
        worth[line] = now;
      }
      if (worth[line]! > next) next = worth[line]!;
    }
    // Nothing is worth anything between here and the next one's worth: skip the empty rounds.
    bar = Math.min(bar, next);
    if (next <= 0) break;
  }
  return {
    lines: ranked.subarray(0, taken),
    costs: rankedCosts,
    messageOf: lines.messageOf,
    firstLine: lines.firstLine,
  };
}
