/** Ranks what a digest may say by what it is worth per token: whole lines, and single specifics that stand as excerpts. */
import { IntList } from "../salience/int-list.ts";
import { listSpecifics } from "../salience/specifics.ts";
import { bestPlaces } from "./best-places.ts";
import { coverForms } from "./cover-forms.ts";
import { gatherLines } from "./gather-lines.ts";
import { gatherSpecifics, type RankedMessage } from "./gather-specifics.ts";
import { lastPlace, type Place } from "./specific-features.ts";
import { specificValues } from "./specific-values.ts";

export interface RankOptions {
  readonly messages: readonly RankedMessage[];
  /** Ranking stops when this many tokens (estimated) are ranked. */
  readonly maxTokens: number;
  /** What it holds need not be said again. */
  readonly alreadySaid: string;
}

/** Lines are numbered through all messages, in order; `~n` stands for the specific `n`, told by an excerpt of its last line. */
export interface Ranking {
  /** The best, best first. */
  readonly units: Int32Array;
  /** Estimated tokens of each of them. */
  readonly costs: Float32Array;
  /** The message of each line, and the number of each message's first line. */
  readonly messageOf: Int32Array;
  readonly firstLine: Int32Array;
  /**
   * Where each of these specifics is best told: beside as many others of them as possible, late rather than early.
   * Those that one of the lines says are left out.
   */
  readonly placesOf: (specifics: Int32Array, lines: Int32Array) => readonly Place[];
}

/** Each round asks for this much less worth than the one before. */
const EASING = 0.75;

/** A line that would take more of the room than this is told by excerpts. */
const LARGEST_SHARE = 0.5;

/**
 * Greedy choice by value per token, in rounds. A specific gives its value to the first unit that is chosen with it and
 * nothing to later ones, so worth can only fall: each round passes over lines and specifics in order, looks again at
 * those whose last known worth reaches the round's bar, and takes those that still do.
 */
export function rankLines({ messages, maxTokens, alreadySaid }: RankOptions): Ranking {
  const specifics = gatherSpecifics(messages);
  const { values, costs: excerptCosts } = specificValues(specifics, messages);
  const { ids, table } = specifics;
  const cover = (text: string, start: number, end: number) => coverForms(text, start, end, table, values);
  const said = new IntList();
  listSpecifics(alreadySaid, said);
  for (let at = 0; at < said.length; at += 3) {
    const id = table.find(said.items[at + 2]!);
    if (id >= 0) values[id] = 0;
    cover(alreadySaid, said.items[at]!, said.items[at + 1]!);
  }
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
  for (let id = 0; id < values.length; id++) bar = Math.max(bar, values[id]! / excerptCosts[id]!);
  const units = new Int32Array(count + values.length);
  const unitCosts = new Float32Array(count + values.length);
  let taken = 0;
  let total = 0;
  const take = (unit: number, cost: number): void => {
    units[taken] = unit;
    unitCosts[taken++] = cost;
    total += cost;
  };
  while (total < maxTokens) {
    bar *= EASING;
    let next = 0;
    for (let line = 0; line < count; line++) {
      const known = worth[line]!;
      if (known >= bar) {
        const now = worthOf(line);
        if (now >= bar) {
          take(line, costs[line]!);
          worth[line] = -1;
          for (let at = first[line]!; at < first[line + 1]!; at++) values[ids[at]!] = 0;
          continue;
        }
        worth[line] = now;
      }
      if (worth[line]! > next) next = worth[line]!;
    }
    for (let id = 0; id < values.length; id++) {
      const now = values[id]! / excerptCosts[id]!;
      if (now >= bar && now > 0) {
        take(~id, excerptCosts[id]!);
        values[id] = 0;
        const { message, start, end } = lastPlace(specifics, messages, id);
        cover(messages[message]!.index.text, start, end);
      } else if (now > next) next = now;
    }
    // Nothing is worth anything between here and the next one's worth: skip the empty rounds.
    bar = Math.min(bar, next);
    if (next <= 0) break;
  }
  return {
    units: units.subarray(0, taken),
    costs: unitCosts,
    messageOf: lines.messageOf,
    firstLine: lines.firstLine,
    placesOf: (wanted, told) => bestPlaces({ wanted, told, messages, specifics, lines }),
  };
}
