/** Chooses what of a story is told in a room: people's words first, then what is worth most per token. */
import { countPieces, type TextPiece, type TokenCounter } from "../tokens/token-counter.ts";
import {
  type Candidates,
  candidatesOf,
  type Ranked,
  rankedOf,
  type UnitCandidate,
  WANTED,
  type Words,
} from "./candidates.ts";
import { SHARES } from "./shares.ts";
import { type Entry, isCode, type Story, type Unit } from "./story.ts";
import { isChangedLine } from "./tell-changes.ts";
import { storyPieces } from "./write-story.ts";

export interface ChooseOptions {
  /** What the story may take. */
  readonly maxTokens: number;
  /** The same by estimate, where that is known to be too high or too low. @default maxTokens */
  readonly room?: number;
  readonly counter: TokenCounter;
}

/** What a label, a turn's number and the ends of lines take. */
const LABEL_TOKENS = 3;
const TURN_TOKENS = 6;

/** Which units of a story are told; of others nothing is said. */
export type KeptUnits = Pick<ReadonlySet<Unit>, "has">;

export interface Choice {
  readonly kept: KeptUnits;
  /** What is left of the room: exactly where everything is told, else by estimate. */
  readonly left: number;
  /** What is told, written; absent where not everything is. */
  readonly pieces?: readonly TextPiece[];
}

export function chooseUnits(story: Story, { maxTokens, room = maxTokens, counter }: ChooseOptions): Choice {
  const whole = wholeOf(story);
  const written = whole.writtenWithin(maxTokens, counter);
  if (written && written.tokens <= Math.min(maxTokens, room))
    return { kept: whole.kept, left: room - written.tokens, pieces: written.pieces };
  const candidates = candidatesOf(story, whole.isWanted);
  const ranked = rankedOf(candidates, story.length - 1, counter);
  const told = toldWords(ranked.words);
  const taken = startTaking(candidates, ranked);
  const take = (candidate: UnitCandidate, most: number): void => {
    const chain = taken.chainOf(candidate);
    if (taken.costOf(chain) > Math.min(most, room - taken.tokens())) return;
    taken.take(chain);
    for (const each of chain) told.hear(each);
  };
  const takeWithin = (dearest: readonly UnitCandidate[], share: number) => {
    let left = room * share;
    for (const candidate of dearest) {
      if (taken.has(candidate) || (candidate.unit.isFact && told.knows(candidate))) continue;
      const before = taken.tokens();
      take(candidate, left);
      left -= taken.tokens() - before;
    }
  };
  takeWithin(ranked.latest, SHARES.latest);
  takeWithin(ranked.users, SHARES.peoplesWords);
  takeWithin(ranked.asked, SHARES.askedBefore);
  takeWithin(ranked.facts, SHARES.facts * ranked.factsUse);
  for (const group of ranked.rest) {
    // What mostly says again what is told comes after what does not.
    const again: UnitCandidate[] = [];
    for (const candidate of group) {
      if (taken.has(candidate) || (candidate.isExclamation && !taken.hasOpened(candidate))) continue;
      if (told.knows(candidate)) again.push(candidate);
      else take(candidate, room);
    }
    for (const candidate of again) if (!taken.has(candidate)) take(candidate, room);
  }
  return { kept: taken.kept, left: room - taken.tokens() };
}

/** All of a story that is worth anything: where there is room for it, nothing has to be weighed. */
interface Whole {
  /** By the places of the units: `WANTED` where it is worth something and no line before it says the same, or `OVER_WANTED`. */
  readonly isWanted: Uint8Array;
  readonly kept: KeptUnits;
  /** Undefined where it is plainly too long to be counted. */
  readonly writtenWithin: (maxTokens: number, counter: TokenCounter) => WrittenWhole | undefined;
}

interface WrittenWhole {
  readonly pieces: readonly TextPiece[];
  readonly tokens: number;
}

/** Of a unit: it is told only for what is under it. */
const OVER_WANTED = 2;

const wholeBy = new WeakMap<Story, Whole>();

function wholeOf(story: Story): Whole {
  let whole = wholeBy.get(story);
  if (whole === undefined) {
    whole = readWhole(story);
    wholeBy.set(story, whole);
  }
  return whole;
}

function readWhole(story: Story): Whole {
  const said = new Set<string>();
  const isWanted = new Uint8Array(countUnits(story));
  // Nearly all are kept, and few are not.
  const dropped = new Set<Unit>();
  let chars = 0;
  let first = 0;
  // Not in the loop that is passed once: what is called often is compiled well.
  const readEntry = ({ voice, units, weigh }: Entry): void => {
    const least = voice === "deed" ? LEAST_DEED_CHARS : LEAST_SAID_CHARS;
    // The same files changed in another turn are another change.
    const mayRepeat = voice === "user" || (voice === "deed" && isChangedLine(units[0]?.text ?? ""));
    // Beside code a line that was in other code before is needed for what it is in; a whole block is not.
    const hasCode = voice === "deed" && units.some(isCode);
    let areAll = true;
    for (let at = 0; at < units.length; at++) {
      const { text, leads, worth, kind } = units[at]!;
      const key = text.trim();
      const before = said.size;
      if (key.length > LEAST_DEED_CHARS) said.add(key);
      const mayBeTwice = !mayRepeat && !leads && !(hasCode && at > 0 && kind !== "code");
      const isTwice = mayBeTwice && key.length > least && said.size === before;
      // Words that lead to others are worth nothing by themselves, any others something.
      if ((weigh ? !leads : worth > 0) && !isTwice) {
        isWanted[first + at] = WANTED;
        chars += text.length;
      } else areAll = false;
    }
    if (!areAll) settleUnwanted(units);
    first += units.length;
  };
  const settleUnwanted = (units: readonly Unit[]): void => {
    for (let at = 0; at < units.length; at++) {
      if (isWanted[first + at] !== WANTED) continue;
      // What is over it and nobody wants by itself stays with it.
      for (let over = units[at]!.under; over !== undefined && !isWanted[first + over]; ) {
        isWanted[first + over] = OVER_WANTED;
        chars += units[over]!.text.length;
        over = units[over]!.under;
      }
    }
    for (let at = 0; at < units.length; at++)
      if (!isWanted[first + at] && !units[at]!.must) dropped.add(units[at]!);
  };
  for (const { entries } of story) entries.forEach(readEntry);
  const kept = { has: (unit: Unit) => !dropped.has(unit) };
  let written: WrittenWhole | undefined;
  return {
    isWanted,
    kept,
    writtenWithin: (maxTokens, counter) => {
      if (chars > maxTokens * MOST_CHARS_A_TOKEN) return undefined;
      written ??= writtenWhole(storyPieces(story, kept.has), counter);
      return written;
    },
  };
}

function writtenWhole(pieces: readonly TextPiece[], counter: TokenCounter): WrittenWhole {
  return { pieces, tokens: countPieces(counter, pieces) };
}

function countUnits(story: Story): number {
  let units = 0;
  for (const { entries } of story)
    for (let at = 0; at < entries.length; at++) units += entries[at]!.units.length;
  return units;
}

/** What is shorter may be said again. */
const LEAST_DEED_CHARS = 4;
const LEAST_SAID_CHARS = 20;

/** No story has so many on average. */
const MOST_CHARS_A_TOKEN = 6;

/** A candidate and the headings over it that are not told yet, all of one entry. */
type Chain = readonly [UnitCandidate, ...UnitCandidate[]];

/** What is taken so far, at first all that must be, and what that costs. */
function startTaking({ all }: Candidates, { tokens: costs }: Ranked) {
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
    for (const each of chain) cost += costs[each.place]!;
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
    if (!candidate.unit.must) continue;
    tokens += costs[candidate.place]! + LABEL_TOKENS + TURN_TOKENS;
    add(candidate);
  }
  const hasOpened = ({ first }: UnitCandidate): boolean => isOpen[first] === 1;
  return { kept: kept as KeptUnits, has, hasOpened, chainOf, costOf, take, tokens: () => tokens };
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
