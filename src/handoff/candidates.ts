/** Candidates: the units of a story with what each costs and how dear it is, read once however many rooms it is told in. */
import { forEachWord } from "../text/words.ts";
import { countTexts, type TokenCounter } from "../tokens/token-counter.ts";
import { type AskStatus, type Story, type Unit, type Voice, weightsOf } from "./story.ts";
import { statusIn } from "./unit-worth.ts";

export interface UnitCandidate {
  readonly unit: Unit;
  readonly voice: Voice;
  readonly turn: number;
  /** Where it stands among all. */
  readonly place: number;
  /** Where the first unit of its entry stands among all. */
  readonly first: number;
  /** Where the unit that it is under is among all. */
  readonly under: number | undefined;
  /** Of the unit in its entry. */
  readonly worth: number;
  readonly minor: Unit["minor"];
  /** It is told where there is room for everything: it is worth something, and no line before it says the same. */
  readonly isWanted: boolean;
  /** `Perfect!`, which tells nothing where nothing else of what was said is told. */
  readonly isExclamation: boolean;
}

export interface Candidates {
  /** The last turn is under way, and nothing of it is below: what happened last is where the work is at. */
  readonly isUnderWay: boolean;
  /** In the story's order. */
  readonly all: readonly UnitCandidate[];
  /** The units entry by entry. */
  readonly entries: readonly (readonly Unit[])[];
}

/** In the order in which they are asked for. */
export interface Ranked {
  /** While work is under way, how the last call ended, and what the agent said last of how things are. */
  readonly latest: readonly UnitCandidate[];
  /** What people typed: first in the first and the last turn. */
  readonly users: readonly UnitCandidate[];
  /** What a summary says that people had asked for, in its order: what is asked for as a whole comes first. */
  readonly asked: readonly UnitCandidate[];
  /** What was printed and is taken up. */
  readonly facts: readonly UnitCandidate[];
  /** How much of the facts' share there is use for: where calls work on files and commands, the words tell. */
  readonly factsUse: number;
  /** All of any worth, class by class: what matters, facts, what was intended, what was printed, series. */
  readonly rest: readonly (readonly UnitCandidate[])[];
  /** What each of all takes, with the end of its line. */
  readonly tokens: Uint32Array;
  readonly words: Words;
}

/** The words of all, one after the other: those of the candidate at a place from `starts[place]` to the next. */
export interface Words {
  /** Where the same word first appears among them. */
  readonly firsts: Int32Array;
  readonly starts: Int32Array;
}

/** Of a unit: it is wanted by itself. */
export const WANTED = 1;

/** The same story is chosen from in several rooms. */
const candidatesBy = new WeakMap<Story, Candidates>();
const rankedBy = new WeakMap<Candidates, Ranked>();

export function candidatesOf(story: Story, isWanted: Uint8Array): Candidates {
  let candidates = candidatesBy.get(story);
  if (candidates === undefined) {
    candidates = readCandidates(story, isWanted);
    candidatesBy.set(story, candidates);
  }
  return candidates;
}

export function rankedOf(candidates: Candidates, last: number, counter: TokenCounter): Ranked {
  let ranked = rankedBy.get(candidates);
  if (ranked === undefined) {
    ranked = rank(candidates, last, counter);
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

function rank({ all, entries, isUnderWay }: Candidates, last: number, counter: TokenCounter): Ranked {
  const tokens = countUnits(entries, all.length, counter);
  const users = all.filter(({ voice, worth }) => voice === "user" && worth >= LEAST_TYPED);
  // What a program said may be before the first ask.
  const first = users[0]?.turn;
  const isEdge = ({ turn }: UnitCandidate) => turn === first || turn === last;
  const again = timesAgain(all);
  /** What is said again and again with other numbers tells less each time; the newest of it tells most. */
  const density = ({ worth, place, voice }: UnitCandidate) =>
    worth / (voice === "user" ? 1 : 1 + again[place]! / 4) / (tokens[place]! + LINE_CHARGE);
  const beyond = (candidate: UnitCandidate) =>
    candidate.voice === "user"
      ? density(candidate) / (1 + again[candidate.place]! / 4) / BEYOND_SHARE
      : density(candidate);
  const rest = all.filter(({ isWanted }) => isWanted);
  const facts = rest.filter(({ unit }) => unit.isFact);
  const deeds = all.filter(({ voice }) => voice === "deed");
  return {
    latest: isUnderWay ? latestOf(all, last) : [],
    users: [
      ...dearestFirst(users.filter(isEdge), density),
      ...dearestFirst(
        users.filter((each) => !isEdge(each)),
        density,
      ),
    ],
    asked: rest.filter(({ unit }) => unit.isAsked),
    facts: dearestFirst(facts, density),
    factsUse: Math.min(1, (2 * entriesAmong(facts)) / Math.max(1, entriesAmong(deeds))),
    rest: CLASSES.map((isIn) =>
      dearestFirst(
        rest.filter((each) => isIn(each, again)),
        beyond,
      ),
    ),
    tokens,
    words: readWords(all),
  };
}

function latestOf(all: readonly UnitCandidate[], last: number): readonly UnitCandidate[] {
  const called = all.findLast(
    (each) => each.turn === last && isDeed(each) && each.worth > 0 && CALL.test(all[each.first]!.unit.text),
  );
  const said = all.findLast(
    ({ turn, voice, minor, worth }) => turn === last && voice === "agent" && !minor && worth > 0,
  );
  const status =
    said &&
    dearestFirst(
      all.slice(said.first, said.place + 1).filter(({ minor }) => !minor),
      ({ worth }) => worth,
    )[0];
  return [called, status].filter((each) => each !== undefined);
}

/** How the line of a call opens. */
const CALL = /^[→✗$] /;

function countUnits(entries: Candidates["entries"], length: number, counter: TokenCounter): Ranked["tokens"] {
  const tokens = new Uint32Array(length);
  let place = 0;
  for (const units of entries) for (const count of countTexts(counter, units)) tokens[place++] = count + 1;
  return tokens;
}

/** Of how many entries they are, in the story's order. */
function entriesAmong(candidates: readonly UnitCandidate[]): number {
  let entries = 0;
  let latest = -1;
  for (const { first } of candidates) {
    if (first !== latest) entries++;
    latest = first;
  }
  return entries;
}

function readWords(all: readonly UnitCandidate[]): Words {
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
  return { firsts: firstsOf(hashes.subarray(0, length)), starts };
}

/** Where each of some numbers first appears among them, by a table of the different ones, of which no more than half is taken. */
function firstsOf(numbers: Int32Array): Int32Array {
  let table = new Int32Array(2 ** 10).fill(-1);
  let taken = 0;
  const slotOf = (number: number): number => {
    const mask = table.length - 1;
    let slot = number & mask;
    while (table[slot]! >= 0 && numbers[table[slot]!] !== number) slot = (slot + 1) & mask;
    return slot;
  };
  return numbers.map((number, at) => {
    const slot = slotOf(number);
    if (table[slot]! >= 0) return table[slot]!;
    table[slot] = at;
    if (++taken * 2 > table.length) {
      const smaller = table;
      table = new Int32Array(smaller.length * 2).fill(-1);
      for (const first of smaller) if (first >= 0) table[slotOf(numbers[first]!)] = first;
    }
    return at;
  });
}

type Class = (candidate: UnitCandidate, again: Uint32Array) => boolean;

/** What the agent said is told before what was printed, and of a series the newest. */
const CLASSES: readonly Class[] = [
  (candidate, again) => candidate.minor === undefined && !isSeries(candidate, again),
  ({ unit }) => unit.isFact === true,
  (candidate, again) => candidate.minor === "intended" && !isSeries(candidate, again),
  ({ minor, unit }) => minor === "printed" && !unit.isFact,
  isSeries,
];

/** The line of a call, or what it showed behind that. */
function isDeed({ voice, unit }: UnitCandidate): boolean {
  return voice === "deed" && (unit.under === undefined || unit.join === " ");
}

/** `Still running.`, and what was announced again and again: of a series the newest tells. */
function isSeries({ voice, minor, place, unit }: UnitCandidate, again: Uint32Array): boolean {
  if (voice !== "agent" || again[place]! === 0 || minor === "printed") return false;
  return minor === "intended" || (again[place]! >= FEWEST_AGAIN && statusOf(unit, voice) !== undefined);
}

const FEWEST_AGAIN = 2;

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
    const { unit, voice } = all[at]!;
    const key = statusOf(unit, voice) ?? unit.text.trim();
    const pattern = DIGIT.test(key) ? key.replace(/\d+/g, "0") : key;
    again[at] = times.get(pattern) ?? 0;
    times.set(pattern, again[at]! + 1);
  }
  return again;
}

function statusOf({ text }: Unit, voice: Voice): string | undefined {
  return voice === "agent" && text.length < MOST_STATUS_CHARS ? statusIn(text.trim()) : undefined;
}

const DIGIT = /\d/;
/** A longer text says more than how things are. */
const MOST_STATUS_CHARS = 240;

const EXCLAMATION = /^.{1,24}!$/;

const UNDER_WAY: ReadonlySet<AskStatus | undefined> = new Set(["open", "under way"]);

function readCandidates(story: Story, isWanted: Uint8Array): Candidates {
  const all: UnitCandidate[] = [];
  const lists: (readonly Unit[])[] = [];
  for (const [turn, { entries }] of story.entries()) {
    for (const entry of entries) {
      const { voice, units, weight = 1 } = entry;
      const weighed = weightsOf(entry);
      const first = all.length;
      lists.push(units);
      for (let at = 0; at < units.length; at++) {
        const unit = units[at]!;
        const { text, under } = unit;
        const { worth, minor } = weighed[at]!;
        const place = first + at;
        all.push({
          unit,
          voice,
          turn,
          place,
          first,
          under: under === undefined ? undefined : first + under,
          worth: worth * weight,
          minor,
          isWanted: isWanted[place] === WANTED,
          isExclamation: voice === "agent" && units.length > 1 && EXCLAMATION.test(text.trim()),
        });
      }
    }
  }
  return { all, entries: lists, isUnderWay: UNDER_WAY.has(story.at(-1)?.standing) };
}
