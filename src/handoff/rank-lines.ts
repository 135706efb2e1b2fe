/** Ranks the lines that a digest may say by what each is worth per token. */
import { IntList } from "../salience/int-list.ts";
import { listSpecifics } from "../salience/specifics.ts";
import { coverForms } from "./cover-forms.ts";
import { gatherLines, type Lines } from "./gather-lines.ts";
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

/** A line that would take more of the room than this is left out, unless it is as short as any. */
const LARGEST_SHARE = 0.5;
const SHORT_TOKENS = 40;

/** The specifics of the messages and what each is worth: 0 where `alreadySaid` says it. */
export function unsaidValues(
  messages: readonly RankedMessage[],
  alreadySaid: string,
): Pick<RankOptions, "specifics" | "values"> {
  const specifics = gatherSpecifics(messages);
  const values = specificValues(specifics, messages);
  coverAll(alreadySaid, specifics, values);
  return { specifics, values };
}

/**
 * Greedy choice by value per token, in rounds. A specific gives its value to the first line that is chosen with it and
 * nothing to later ones, so worth can only fall: each round passes over the lines in order, looks again at those whose
 * last known worth reaches the round's bar, and takes those that still do.
 */
export function rankLines({ messages, maxTokens, specifics, values }: RankOptions): Ranking {
  const lines = gatherLines(messages, specifics);
  const count = lines.costs.length;
  const choice: Choice = {
    ...lines,
    ids: specifics.ids,
    values,
    worth: new Float32Array(count),
    ranked: new Int32Array(count),
    rankedCosts: new Float32Array(count),
    taken: 0,
    total: 0,
  };
  let bar = firstWorth(choice, Math.max(maxTokens * LARGEST_SHARE, Math.min(maxTokens, SHORT_TOKENS)));
  while (choice.total < maxTokens) {
    bar *= EASING;
    const next = takeRound(choice, bar);
    // Nothing is worth anything between here and the next one's worth: skip the empty rounds.
    bar = Math.min(bar, next);
    if (next <= 0) break;
  }
  return {
    lines: choice.ranked.subarray(0, choice.taken),
    costs: choice.rankedCosts,
    messageOf: lines.messageOf,
    firstLine: lines.firstLine,
  };
}

/** What a text says need not be said again. */
function coverAll(text: string, { table }: Specifics, values: Float32Array): void {
  const said = new IntList();
  listSpecifics(text, said);
  for (let at = 0; at < said.length; at += 3) {
    const id = table.find(said.items[at + 2]!);
    if (id >= 0) values[id] = 0;
    coverForms(text, said.items[at]!, said.items[at + 1]!, table, values);
  }
}

/** A choice of lines while it is made. */
interface Choice extends Lines {
  readonly ids: Int32Array;
  /** Of each specific: 0 once it is said. */
  readonly values: Float32Array;
  /** What each line was worth when it was last looked at; -1 when it is taken or too large. */
  readonly worth: Float32Array;
  readonly ranked: Int32Array;
  readonly rankedCosts: Float32Array;
  taken: number;
  total: number;
}

function worthOf({ base, costs, first, ids, values }: Choice, line: number): number {
  let value = base[line]!;
  const end = first[line + 1]!;
  for (let at = first[line]!; at < end; at++) value += values[ids[at]!]!;
  return value / costs[line]!;
}

/** Looks at every line once; gives the most that one is worth. */
function firstWorth(choice: Choice, largest: number): number {
  const { worth, costs } = choice;
  let most = 0;
  for (let line = 0; line < worth.length; line++) {
    worth[line] = costs[line]! > largest ? -1 : worthOf(choice, line);
    if (worth[line]! > most) most = worth[line]!;
  }
  return most;
}

/** Takes the lines that are worth so much; gives the most that one of the others is worth. A function of its own: it runs often, and is compiled once. */
function takeRound(choice: Choice, bar: number): number {
  const { worth, costs, first, ids, values, ranked, rankedCosts } = choice;
  let next = 0;
  for (let line = 0; line < worth.length; line++) {
    if (worth[line]! >= bar) {
      const now = worthOf(choice, line);
      if (now >= bar) {
        ranked[choice.taken] = line;
        rankedCosts[choice.taken++] = costs[line]!;
        choice.total += costs[line]!;
        worth[line] = -1;
        for (let at = first[line]!; at < first[line + 1]!; at++) values[ids[at]!] = 0;
        continue;
      }
      worth[line] = now;
    }
    if (worth[line]! > next) next = worth[line]!;
  }
  return next;
}
