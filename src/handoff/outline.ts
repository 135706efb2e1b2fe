/** Outline: names in files that are likely to be needed again, told behind their file. */
import { coverForms } from "./cover-forms.ts";
import type { RankedMessage } from "./gather-specifics.ts";
import { ENOUGH_WORDS, lonelyNames, NEAR_CHARS, visitNear } from "./name-company.ts";
import { type NamePlace, type NamesOptions, namePlaces } from "./name-places.ts";
import type { Outline } from "./told-files.ts";

/** The values of the names that the outline tells are set to 0. */
export interface OutlineOptions extends NamesOptions {
  /** Whether the file has a line anyway. */
  readonly isTold: (path: string) => boolean;
}

/** Every pass fills up what the names without company left. */
const PASSES = 5;
/** Less room than this is none. */
const LEAST_TOKENS = 8;

/** By value per token. A name that is left without company is not told here, but by its line where there is room. */
export function outlineOf(options: OutlineOptions): Outline {
  const { messages, values, maxTokens, isTold } = options;
  const places = namePlaces(options);
  const byId = Map.groupBy(places, ({ id }) => id);
  const placesOf = (id: number) => byId.get(id)!;
  const own = Float32Array.from(values);
  const lonely = new Set<NamePlace>();
  let told: readonly NamePlace[] = [];
  for (let pass = 0, left = maxTokens; pass < PASSES && left >= LEAST_TOKENS; pass++) {
    const chosen = chooseNames(places, { ...options, told, lonely, own, left });
    if (chosen.length === told.length) break;
    const byPath = Map.groupBy(inOrder(chosen), ({ path }) => path);
    for (const names of byPath.values())
      for (const name of lonelyNames(names, placesOf, messages)) {
        lonely.add(name);
        values[name.id] = own[name.id]!;
      }
    told = chosen.filter((name) => !lonely.has(name));
    left = maxTokens - tokensOf(told, isTold);
  }
  const byPath = Map.groupBy(inOrder(told), ({ path }) => path);
  return new Map([...byPath].map(([path, names]) => [path, groupsOf(names, messages)]));
}

/** Each round asks for this much less worth than the one before. */
const EASING = 0.8;
const MOST_ROUNDS = 40;
/** No name takes less. */
const LEAST_NAME_TOKENS = 2;
/** What a name is worth while no word that stood near it is told, and with one. */
const ALONE = 0.5;
const WITH_ONE = 0.8;
/** What it adds to a name to be the word that one near it lacks, as a share of that one's value. */
const COMPANY = 0.5;
/** Names worth less than this part of what a round asks for do not reach it by their company. */
const HOPEFUL = 0.25;

interface Choice extends OutlineOptions {
  readonly told: readonly NamePlace[];
  /** Never to be chosen. */
  readonly lonely: ReadonlySet<NamePlace>;
  /** The values as they were before any name was told. */
  readonly own: Float32Array;
  readonly left: number;
}

/** Those that are told, and more of them in the room that is left. */
function chooseNames(
  places: readonly NamePlace[],
  { messages, specifics, values, isTold, told, lonely, own, left }: Choice,
): readonly NamePlace[] {
  const before = new Set(told);
  const isChosen = places.map((place) => before.has(place));
  const opened = new Set(told.map(({ path }) => path));
  const chosen = [...told];
  const chosenAt = (at: number) => isChosen[at]!;
  const wordsNear = (at: number): number => {
    let words = 0;
    visitNear(places, at, chosenAt, (near) => {
      words += places[near]!.words;
    });
    return words;
  };
  const valueAt = (at: number): number => {
    let words = 0;
    let lacking = 0;
    visitNear(places, at, chosenAt, (near) => {
      words += places[near]!.words;
      if (wordsNear(near) < ENOUGH_WORDS) lacking += own[places[near]!.id]!;
    });
    const share = words >= ENOUGH_WORDS ? 1 : words === 1 ? WITH_ONE : ALONE;
    return values[places[at]!.id]! * share + lacking * COMPANY;
  };
  let room = left;
  let bar = places.reduce((most, { id, cost }) => Math.max(most, values[id]! / cost), 0);
  for (let round = 0; round < MOST_ROUNDS && room >= LEAST_NAME_TOKENS; round++, bar *= EASING) {
    for (let at = 0; at < places.length; at++) {
      const place = places[at]!;
      const { id, path, message, start, end } = place;
      const value = values[id]!;
      if (value === 0 || value / place.cost < bar * HOPEFUL || lonely.has(place)) continue;
      const cost = place.cost + (opened.has(path) || isTold(path) ? 0 : labelTokens(path));
      if (cost > room || valueAt(at) / place.cost < bar) continue;
      isChosen[at] = true;
      chosen.push(place);
      opened.add(path);
      room -= cost;
      values[id] = 0;
      coverForms(messages[message]!.index.text, start, end, specifics.table, values);
    }
  }
  return chosen;
}

/** What a line for a file takes beside its path, and how much of that is left when the folder of all is said once. */
const LABEL_TOKENS = 3;
const PATH_CHARS = 40;

function labelTokens(path: string): number {
  return LABEL_TOKENS + Math.min(PATH_CHARS, path.length) / 5;
}

function tokensOf(names: readonly NamePlace[], isTold: (path: string) => boolean): number {
  const paths = new Set(names.map(({ path }) => path));
  const labels = [...paths].reduce((sum, path) => sum + (isTold(path) ? 0 : labelTokens(path)), 0);
  return names.reduce((sum, { cost }) => sum + cost, labels);
}

function inOrder(names: readonly NamePlace[]): readonly NamePlace[] {
  return names.toSorted((a, b) => a.message - b.message || a.start - b.start);
}

/** Names that stood near each other together, in the order of the file. */
function groupsOf(names: readonly NamePlace[], messages: readonly RankedMessage[]): readonly string[] {
  const groups: string[] = [];
  let last: NamePlace | undefined;
  for (const name of names) {
    const { message, start, end } = name;
    const text = messages[message]!.index.text.slice(start, end);
    const isNear = last?.message === message && start - last.end <= NEAR_CHARS;
    groups.push(isNear ? `${groups.pop()} ${text}` : text);
    last = name;
  }
  return groups;
}
