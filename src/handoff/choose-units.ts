/** Chooses what of a story is told in a room: people's words first, then what is worth most per token. */
import type { TokenCounter } from "../tokens/token-counter.ts";
import { type Candidates, candidatesOf, rankedOf, type UnitCandidate, type Words } from "./candidates.ts";
import { SHARES } from "./shares.ts";
import type { Story, Unit } from "./story.ts";

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
    const chain = taken.chainOf(candidate);
    if (taken.costOf(chain) > Math.min(room, maxTokens - taken.tokens())) return false;
    taken.take(chain);
    for (const each of chain) told.hear(each);
    return true;
  };
  const takeWithin = (ranked: readonly UnitCandidate[], share: number) => {
    let room = maxTokens * share;
    for (const candidate of ranked) {
      if (taken.has(candidate) || (candidate.isFact && told.knows(candidate))) continue;
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
      if (taken.has(candidate)) continue;
      if (candidate.isExclamation && !taken.hasOpened(candidate)) isAll = false;
      else if (told.knows(candidate)) again.push(candidate);
      else if (!take(candidate, maxTokens)) isAll = false;
    }
    for (const candidate of again) if (!taken.has(candidate) && !take(candidate, maxTokens)) isAll = false;
  }
  return { kept: taken.kept, left: maxTokens - taken.tokens(), isAll };
}

/** What all of a story takes that is worth anything, by estimate. */
export function wholeTokens(story: Story, counter: TokenCounter): number {
  return wholeOf(candidatesOf(story, counter)).tokens;
}

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
      if (candidate.isWanted && !taken.has(candidate)) taken.take(taken.chainOf(candidate));
    }
    whole = { kept: taken.kept, tokens: taken.tokens() };
    wholeBy.set(candidates, whole);
  }
  return whole;
}

/** A candidate and the headings over it that are not told yet, all of one entry. */
type Chain = readonly [UnitCandidate, ...UnitCandidate[]];

/** What is taken so far, at first all that must be, and what that costs. */
function startTaking({ all }: Candidates) {
  // By the places of the units, of the first ones of their entries, and of the turns.
  const isTaken = new Uint8Array(all.length);
  const isOpen = new Uint8Array(all.length);
  const isTurnOpen = new Uint8Array((all.at(-1)?.turn ?? -1) + 1);
  const kept = new Set<Unit>();
  let tokens = 0;
  const has = ({ place }: UnitCandidate): boolean => isTaken[place] === 1;
  const chainOf = (candidate: UnitCandidate): Chain => {
    const chain: [UnitCandidate, ...UnitCandidate[]] = [candidate];
    for (let at = candidate.under; at !== undefined; ) {
      const over = all[at]!;
      if (has(over) || chain.includes(over)) break;
      chain.push(over);
      at = over.under;
    }
    return chain;
  };
  const costOf = (chain: Chain): number => {
    const [{ first, turn }] = chain;
    let cost = 0;
    for (const each of chain) cost += each.tokens;
    if (isOpen[first] === 0) cost += LABEL_TOKENS;
    return isTurnOpen[turn] === 1 ? cost : cost + TURN_TOKENS;
  };
  const add = ({ unit, place, first, turn }: UnitCandidate): void => {
    kept.add(unit);
    isTaken[place] = 1;
    isOpen[first] = 1;
    isTurnOpen[turn] = 1;
  };
  const take = (chain: Chain): void => {
    tokens += costOf(chain);
    for (const each of chain) add(each);
  };
  for (const candidate of all) {
    if (!candidate.isMust) continue;
    tokens += candidate.tokens + LABEL_TOKENS + TURN_TOKENS;
    add(candidate);
  }
  const hasOpened = ({ first }: UnitCandidate): boolean => isOpen[first] === 1;
  return { kept: kept as ReadonlySet<Unit>, has, hasOpened, chainOf, costOf, take, tokens: () => tokens };
}

/** The words that are told so far: a unit of which nearly every word is among them says little new. */
function toldWords({ firsts, starts }: Words) {
  const isTold = new Uint8Array(firsts.length);
  return {
    hear: ({ place }: UnitCandidate) => {
      for (let at = starts[place]!; at < starts[place + 1]!; at++) isTold[firsts[at]!] = 1;
    },
    knows: ({ place }: UnitCandidate): boolean => {
      const all = starts[place + 1]! - starts[place]!;
      if (all < FEWEST_WORDS) return false;
      let known = 0;
      for (let at = starts[place]!; at < starts[place + 1]!; at++) known += isTold[firsts[at]!]!;
      return known >= all * KNOWN_SHARE;
    },
  };
}

const FEWEST_WORDS = 4;
const KNOWN_SHARE = 0.9;
