/** Chooses what of a story is told in a room: people's words first, then what is worth most per token. */
import { forEachWord } from "../salience/words.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { SHARES } from "./shares.ts";
import type { Entry, Story, Unit } from "./story.ts";

export interface ChooseOptions {
  readonly maxTokens: number;
  readonly counter: TokenCounter;
}

interface Candidate {
  readonly unit: Unit;
  readonly entry: Entry;
  readonly turn: number;
  readonly tokens: number;
  readonly isUsers: boolean;
  /** The same line stands in the story before it. */
  readonly isTwice: boolean;
  /** How often the same was said after it, but for numbers. */
  readonly again: number;
}

/** What a label, a turn's number and the ends of lines take. */
const LABEL_TOKENS = 3;
const TURN_TOKENS = 6;
/** A line is worth a little less for every line: a few whole sentences read better than many scraps. */
const LINE_CHARGE = 8;

export interface Choice {
  readonly kept: ReadonlySet<Unit>;
  /** What is left of the room, by estimate. */
  readonly left: number;
  /** Every unit found room. */
  readonly isAll: boolean;
}

export function chooseUnits(story: Story, { maxTokens, counter }: ChooseOptions): Choice {
  const candidates = candidatesOf(story, counter);
  const kept = new Set<Unit>();
  const opened = new Set<Entry | number>();
  const told = toldWords();
  const costs = new Map(candidates.map((candidate) => [candidate.unit, candidate]));
  let left = maxTokens;
  const force = ({ unit, entry, turn, tokens }: Candidate) => {
    kept.add(unit);
    opened.add(entry).add(turn);
    left -= tokens + LABEL_TOKENS + TURN_TOKENS;
  };
  const take = (candidate: Candidate, room: number): boolean => {
    const chain = chainOf(candidate, kept);
    let cost = 0;
    for (const unit of chain) cost += costs.get(unit)!.tokens;
    if (!opened.has(candidate.entry)) cost += LABEL_TOKENS;
    if (!opened.has(candidate.turn)) cost += TURN_TOKENS;
    if (cost > Math.min(room, left)) return false;
    for (const unit of chain) {
      kept.add(unit);
      told.hear(unit.text);
    }
    opened.add(candidate.entry).add(candidate.turn);
    left -= cost;
    return true;
  };
  for (const candidate of candidates) if (candidate.unit.must) force(candidate);
  const byDensity = (a: Candidate, b: Candidate) => density(b) - density(a);
  const users = candidates.filter(({ isUsers, unit }) => isUsers && unit.worth >= LEAST_TYPED);
  const last = story.length - 1;
  const isEdge = ({ turn }: Candidate) => turn === 0 || turn === last;
  let usersRoom = maxTokens * SHARES.peoplesWords;
  for (const candidate of [
    ...users.filter(isEdge).sort(byDensity),
    ...users.filter((each) => !isEdge(each)).sort(byDensity),
  ]) {
    const before = left;
    take(candidate, usersRoom);
    usersRoom -= before - left;
  }
  const rest = candidates.filter(({ unit, isTwice }) => !kept.has(unit) && unit.worth > 0 && !isTwice);
  const beyond = (candidate: Candidate) => density(candidate) / (candidate.isUsers ? BEYOND_SHARE : 1);
  let isAll = true;
  for (const minor of [undefined, "intended", "printed"] as const) {
    // What mostly says again what is told comes after what does not.
    const again: Candidate[] = [];
    for (const candidate of rest
      .filter(({ unit }) => unit.minor === minor)
      .sort((a, b) => beyond(b) - beyond(a))) {
      if (kept.has(candidate.unit)) continue;
      if (told.knows(candidate.unit.text)) again.push(candidate);
      else if (!take(candidate, left)) isAll = false;
    }
    for (const candidate of again) if (!kept.has(candidate.unit) && !take(candidate, left)) isAll = false;
  }
  return { kept, left, isAll };
}

/** The words that are told so far: a unit of which nearly every word is among them says little new. */
function toldWords() {
  const words = new Set<number>();
  return {
    hear: (text: string) => forEachWord(text, (hash) => words.add(hash)),
    knows: (text: string): boolean => {
      let all = 0;
      let known = 0;
      forEachWord(text, (hash) => {
        all++;
        if (words.has(hash)) known++;
      });
      return all >= FEWEST_WORDS && known >= all * KNOWN_SHARE;
    },
  };
}

const FEWEST_WORDS = 4;
const KNOWN_SHARE = 0.9;

/** Beyond their share people's words are worth this many times less, about as much as what the agent found: asks alone tell no story. */
const BEYOND_SHARE = 40;

/** Pasted text is told with the rest. */
const LEAST_TYPED = 10;

/** What is said again and again with other numbers tells less each time; the newest of it tells most. */
function density({ unit, tokens, again }: Candidate): number {
  return unit.worth / (1 + again / 4) / (tokens + LINE_CHARGE);
}

/** The unit and the headings over it that are not told yet. */
function chainOf({ unit, entry }: Candidate, kept: ReadonlySet<Unit>): readonly Unit[] {
  const chain = [unit];
  for (let at = unit.under; at !== undefined; ) {
    const over = entry.units[at]!;
    if (kept.has(over) || chain.includes(over)) break;
    chain.push(over);
    at = over.under;
  }
  return chain;
}

/** The same story is chosen from in several rooms. */
const candidatesBy = new WeakMap<Story, readonly Candidate[]>();

function candidatesOf(story: Story, counter: TokenCounter): readonly Candidate[] {
  let candidates = candidatesBy.get(story);
  if (candidates === undefined) {
    candidates = readCandidates(story, counter);
    candidatesBy.set(story, candidates);
  }
  return candidates;
}

function readCandidates(story: Story, counter: TokenCounter): readonly Candidate[] {
  const said = new Set<string>();
  const candidates = story.flatMap(({ entries }, turn) =>
    entries.flatMap((entry) =>
      entry.units.map((unit): Candidate => {
        const key = unit.text.trim();
        const isUsers = entry.voice === "user";
        const least = entry.voice === "deed" ? 4 : 20;
        const isTwice = key.length > least && said.has(key) && !isUsers && !unit.leads;
        said.add(key);
        return { unit, entry, turn, tokens: counter.text(unit.text) + 1, isUsers, isTwice, again: 0 };
      }),
    ),
  );
  const times = new Map<string, number>();
  return candidates
    .toReversed()
    .map((candidate) => {
      if (candidate.isUsers) return candidate;
      const pattern = candidate.unit.text.trim().replace(/\d+/g, "0");
      const again = times.get(pattern) ?? 0;
      times.set(pattern, again + 1);
      return { ...candidate, again };
    })
    .toReversed();
}
