/** Candidates: the units of a story with what each costs and how dear it is, read once however many rooms it is told in. */
import { forEachWord } from "../salience/words.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { Entry, Story, Unit } from "./story.ts";

export interface UnitCandidate {
  readonly unit: Unit;
  readonly entry: Entry;
  readonly turn: number;
  /** Where it stands among all. */
  readonly place: number;
  /** Where the first unit of its entry stands among all. */
  readonly first: number;
  readonly tokens: number;
  /** Of the unit in its entry. */
  readonly worth: number;
  readonly isUsers: boolean;
  /** The same line stands in the story before it. */
  readonly isTwice: boolean;
}

export interface Candidates {
  /** In the story's order. */
  readonly all: readonly UnitCandidate[];
}

/** In the order in which they are asked for. */
export interface Ranked {
  /** What people typed: first in the first and the last turn. */
  readonly users: readonly UnitCandidate[];
  /** What a summary says that people had asked for, in its order: what is asked for as a whole comes first. */
  readonly asked: readonly UnitCandidate[];
  /** What was printed and is taken up. */
  readonly facts: readonly UnitCandidate[];
  /** How much of the facts' share there is use for: where calls work on files and commands, the words tell. */
  readonly factsUse: number;
  /** All of any worth: what matters, facts, what was intended, what was printed. */
  readonly rest: readonly (readonly UnitCandidate[])[];
  readonly words: WordHashes;
}

/** The hashes of the words of all, one after the other: those of the candidate at a place from `starts[place]` to the next. */
export interface WordHashes {
  readonly hashes: Int32Array;
  readonly starts: Int32Array;
}

/** The same story is chosen from in several rooms. */
const candidatesBy = new WeakMap<Story, Candidates>();
const rankedBy = new WeakMap<Candidates, Ranked>();

export function candidatesOf(story: Story, counter: TokenCounter): Candidates {
  let candidates = candidatesBy.get(story);
  if (candidates === undefined) {
    candidates = { all: readCandidates(story, counter) };
    candidatesBy.set(story, candidates);
  }
  return candidates;
}

export function rankedOf(candidates: Candidates, last: number): Ranked {
  let ranked = rankedBy.get(candidates);
  if (ranked === undefined) {
    ranked = rank(candidates, last);
    rankedBy.set(candidates, ranked);
  }
  return ranked;
}

/** Pasted text is told with the rest. */
const LEAST_TYPED = 10;
/** Beyond their share people's words are worth this many times less, about as much as what the agent found: asks alone tell no story. */
const BEYOND_SHARE = 40;
/** A line is worth a little less for every line: a few whole sentences read better than many scraps. */
const LINE_CHARGE = 8;

function rank({ all }: Candidates, last: number): Ranked {
  const users = all.filter(({ isUsers, worth }) => isUsers && worth >= LEAST_TYPED);
  // What a program said may stand before the first ask.
  const first = users[0]?.turn;
  const isEdge = ({ turn }: UnitCandidate) => turn === first || turn === last;
  const again = timesAgain(all);
  /** What is said again and again with other numbers tells less each time; the newest of it tells most. */
  const density = ({ worth, tokens, place, isUsers }: UnitCandidate) =>
    worth / (isUsers ? 1 : 1 + again[place]! / 4) / (tokens + LINE_CHARGE);
  const beyond = (candidate: UnitCandidate) =>
    candidate.isUsers
      ? density(candidate) / (1 + again[candidate.place]! / 4) / BEYOND_SHARE
      : density(candidate);
  const rest = all.filter(isWanted);
  const facts = rest.filter(({ unit }) => unit.isFact);
  const deeds = new Set(all.filter(({ entry }) => entry.voice === "deed").map(({ entry }) => entry));
  const ofFacts = new Set(facts.map(({ entry }) => entry));
  return {
    users: [
      ...dearestFirst(users.filter(isEdge), density),
      ...dearestFirst(
        users.filter((each) => !isEdge(each)),
        density,
      ),
    ],
    asked: rest.filter(({ unit }) => unit.isAsked),
    facts: dearestFirst(facts, density),
    factsUse: Math.min(1, (2 * ofFacts.size) / Math.max(1, deeds.size)),
    rest: CLASSES.map((isIn) =>
      dearestFirst(
        rest.filter(({ unit }) => isIn(unit)),
        beyond,
      ),
    ),
    words: readWords(all),
  };
}

function readWords(all: readonly UnitCandidate[]): WordHashes {
  const starts = new Int32Array(all.length + 1);
  // No text has more words than characters; memory that is never written is never taken.
  const hashes = new Int32Array(all.reduce((sum, { unit }) => sum + unit.text.length, 0));
  let length = 0;
  const note = (hash: number) => {
    hashes[length++] = hash;
  };
  for (const { unit, place } of all) {
    forEachWord(unit.text, note);
    starts[place + 1] = length;
  }
  return { hashes, starts };
}

const CLASSES: readonly ((unit: Unit) => boolean)[] = [
  ({ minor }) => minor === undefined,
  ({ isFact = false }) => isFact,
  ({ minor }) => minor === "intended",
  ({ minor, isFact = false }) => minor === "printed" && !isFact,
];

/** Whether it is told where there is room for everything. */
export function isWanted({ worth, isTwice }: UnitCandidate): boolean {
  return worth > 0 && !isTwice;
}

function dearestFirst(
  candidates: readonly UnitCandidate[],
  dearnessOf: (candidate: UnitCandidate) => number,
): readonly UnitCandidate[] {
  const values = Float64Array.from(candidates, dearnessOf);
  const order = Uint32Array.from(candidates, (_, at) => at);
  // subtle: in the order of the story where two are worth the same.
  order.sort((a, b) => values[b]! - values[a]! || a - b);
  return Array.from(order, (at) => candidates[at]!);
}

/** How often the same was said after each, but for numbers. */
function timesAgain(all: readonly UnitCandidate[]): Uint32Array {
  const again = new Uint32Array(all.length);
  const times = new Map<string, number>();
  for (let at = all.length - 1; at >= 0; at--) {
    const key = all[at]!.unit.text.trim();
    const pattern = DIGIT.test(key) ? key.replace(/\d+/g, "0") : key;
    again[at] = times.get(pattern) ?? 0;
    times.set(pattern, again[at]! + 1);
  }
  return again;
}

const DIGIT = /\d/;

function readCandidates(story: Story, counter: TokenCounter): readonly UnitCandidate[] {
  const said = new Set<string>();
  const candidates: UnitCandidate[] = [];
  for (const [turn, { entries }] of story.entries()) {
    for (const entry of entries) {
      const isUsers = entry.voice === "user";
      const least = entry.voice === "deed" ? 4 : 20;
      const first = candidates.length;
      for (const unit of entry.units) {
        const key = unit.text.trim();
        const isTwice = key.length > least && said.has(key) && !isUsers && !unit.leads;
        said.add(key);
        const tokens = counter.text(unit.text) + 1;
        const worth = unit.worth * (entry.weight ?? 1);
        const place = candidates.length;
        candidates.push({ unit, entry, turn, place, first, tokens, worth, isUsers, isTwice });
      }
    }
  }
  return candidates;
}
