/** Chooses what of a story is told in a room: people's words first, then what is worth most per token. */
import type { TokenCounter } from "../tokens/token-counter.ts";
import {
  type Candidates,
  candidatesOf,
  isWanted,
  rankedOf,
  type UnitCandidate,
  type WordHashes,
} from "./candidates.ts";
import { SHARES } from "./shares.ts";
import type { Entry, Story, Unit } from "./story.ts";

export interface ChooseOptions {
  readonly maxTokens: number;
  readonly counter: TokenCounter;
}

/** What a label, a turn's number and the ends of lines take. */
const LABEL_TOKENS = 3;
const TURN_TOKENS = 6;

export interface Choice {
  readonly kept: ReadonlySet<Unit>;
  /** What is left of the room, by estimate. */
  readonly left: number;
  /** Every unit found room. */
  readonly isAll: boolean;
}

export function chooseUnits(story: Story, { maxTokens, counter }: ChooseOptions): Choice {
  const candidates = candidatesOf(story, counter);
  const whole = wholeOf(candidates);
  if (whole.tokens <= maxTokens) return { kept: whole.kept, left: maxTokens - whole.tokens, isAll: true };
  const { users, asked, facts, factsUse, rest, words } = rankedOf(candidates, story.length - 1);
  const told = toldWords(words);
  const taken = startTaking(candidates);
  const take = (candidate: UnitCandidate, room: number): boolean => {
    const chain = chainOf(candidate, candidates, taken.kept);
    if (taken.costOf(chain) > Math.min(room, maxTokens - taken.tokens())) return false;
    taken.take(chain);
    for (const each of chain) told.hear(each);
    return true;
  };
  const takeWithin = (ranked: readonly UnitCandidate[], share: number) => {
    let room = maxTokens * share;
    for (const candidate of ranked) {
      if (taken.kept.has(candidate.unit) || (candidate.unit.isFact && told.knows(candidate))) continue;
      const before = taken.tokens();
      take(candidate, room);
      room -= taken.tokens() - before;
    }
  };
  takeWithin(users, SHARES.peoplesWords);
  takeWithin(asked, SHARES.askedBefore);
  takeWithin(facts, SHARES.facts * factsUse);
  let isAll = true;
  for (const ranked of rest) {
    // What mostly says again what is told comes after what does not.
    const again: UnitCandidate[] = [];
    for (const candidate of ranked) {
      if (taken.kept.has(candidate.unit)) continue;
      if (isExclamation(candidate) && !taken.hasOpened(candidate.entry)) isAll = false;
      else if (told.knows(candidate)) again.push(candidate);
      else if (!take(candidate, maxTokens)) isAll = false;
    }
    for (const candidate of again)
      if (!taken.kept.has(candidate.unit) && !take(candidate, maxTokens)) isAll = false;
  }
  return { kept: taken.kept, left: maxTokens - taken.tokens(), isAll };
}

/** `Perfect!`, which tells nothing where nothing else of what was said is told. */
function isExclamation({ unit: { text }, entry }: UnitCandidate): boolean {
  return (
    entry.voice === "agent" && entry.units.length > 1 && text.length < EXCLAIMED_CHARS && text.endsWith("!")
  );
}

const EXCLAIMED_CHARS = 24;

interface Whole {
  readonly kept: ReadonlySet<Unit>;
  readonly tokens: number;
}

/** Where there is room for everything, nothing has to be compared. */
const wholeBy = new WeakMap<Candidates, Whole>();

function wholeOf(candidates: Candidates): Whole {
  let whole = wholeBy.get(candidates);
  if (whole === undefined) {
    const taken = startTaking(candidates);
    for (const candidate of candidates.all) {
      if (isWanted(candidate) && !taken.kept.has(candidate.unit))
        taken.take(chainOf(candidate, candidates, taken.kept));
    }
    whole = { kept: taken.kept, tokens: taken.tokens() };
    wholeBy.set(candidates, whole);
  }
  return whole;
}

/** What is taken so far, at first all that must be, and what that costs. */
function startTaking({ all }: Candidates) {
  const kept = new Set<Unit>();
  const opened = new Set<Entry | number>();
  let tokens = 0;
  const costOf = (chain: Chain): number => {
    const [{ entry, turn }] = chain;
    let cost = 0;
    for (const each of chain) cost += each.tokens;
    if (!opened.has(entry)) cost += LABEL_TOKENS;
    return opened.has(turn) ? cost : cost + TURN_TOKENS;
  };
  const take = (chain: Chain): void => {
    tokens += costOf(chain);
    for (const { unit } of chain) kept.add(unit);
    opened.add(chain[0].entry).add(chain[0].turn);
  };
  for (const candidate of all) {
    if (!candidate.unit.must) continue;
    tokens += candidate.tokens + LABEL_TOKENS + TURN_TOKENS;
    kept.add(candidate.unit);
    opened.add(candidate.entry).add(candidate.turn);
  }
  const hasOpened = (entry: Entry) => opened.has(entry);
  return { kept: kept as ReadonlySet<Unit>, tokens: () => tokens, hasOpened, costOf, take };
}

/** The words that are told so far: a unit of which nearly every word is among them says little new. */
function toldWords({ hashes, starts }: WordHashes) {
  const told = new Set<number>();
  return {
    hear: ({ place }: UnitCandidate) => {
      for (let at = starts[place]!; at < starts[place + 1]!; at++) told.add(hashes[at]!);
    },
    knows: ({ place }: UnitCandidate): boolean => {
      const all = starts[place + 1]! - starts[place]!;
      if (all < FEWEST_WORDS) return false;
      let known = 0;
      for (let at = starts[place]!; at < starts[place + 1]!; at++) if (told.has(hashes[at]!)) known++;
      return known >= all * KNOWN_SHARE;
    },
  };
}

const FEWEST_WORDS = 4;
const KNOWN_SHARE = 0.9;

/** A candidate and the headings over it that are not told yet, all of one entry. */
type Chain = readonly [UnitCandidate, ...UnitCandidate[]];

function chainOf(candidate: UnitCandidate, { all }: Candidates, kept: ReadonlySet<Unit>): Chain {
  const chain: [UnitCandidate, ...UnitCandidate[]] = [candidate];
  for (let at = candidate.unit.under; at !== undefined; ) {
    const over = all[candidate.first + at]!;
    if (kept.has(over.unit) || chain.includes(over)) break;
    chain.push(over);
    at = over.unit.under;
  }
  return chain;
}
