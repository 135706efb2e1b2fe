/** Company of names: a name alone says little, beside the names that it stood beside it says what it is about. */
import { escapedText } from "../formats/json-escapes.ts";
import type { RankedMessage } from "./gather-specifics.ts";
import type { NamePlace } from "./name-places.ts";

/** Names that stand within so many characters of each other tell of each other. */
export const NEAR_CHARS = 75;
/** So many words beside a name are company enough. */
export const ENOUGH_WORDS = 2;
const MOST_NEAR = 12;

/** Visits the places near the one at `at` that hold for `isWanted`. */
export function visitNear(
  places: readonly NamePlace[],
  at: number,
  isWanted: (at: number) => boolean,
  visit: (near: number) => void,
): void {
  const { message, start, end } = places[at]!;
  for (let near = at - 1; near >= 0 && near >= at - MOST_NEAR; near--) {
    const other = places[near]!;
    if (other.message !== message || other.start < start - NEAR_CHARS) break;
    if (isWanted(near)) visit(near);
  }
  for (let near = at + 1; near < places.length && near <= at + MOST_NEAR; near++) {
    const other = places[near]!;
    if (other.message !== message || other.end > end + NEAR_CHARS) break;
    if (isWanted(near)) visit(near);
  }
}

/** Those of the names of one file, in order, beside which fewer words stand than make company that stood beside them anywhere. */
export function lonelyNames(
  names: readonly NamePlace[],
  placesOf: (id: number) => readonly NamePlace[],
  messages: readonly RankedMessage[],
): readonly NamePlace[] {
  const texts = names.map(({ message, start, end }) => messages[message]!.index.text.slice(start, end));
  const list = texts.join(" ");
  let end = -1;
  return names.filter((name, order) => {
    const start = end + 1;
    end = start + texts[order]!.length;
    const told = wordsAround(list, start, end);
    return !placesOf(name.id).some((place) => isShared(told, wordsBeside(place, messages)));
  });
}

function isShared(told: ReadonlySet<string>, stood: ReadonlySet<string>): boolean {
  let shared = 0;
  for (const word of told) if (stood.has(word)) shared++;
  return shared >= Math.min(ENOUGH_WORDS, stood.size);
}

/** The words beside a place as they stand on the wire, where an escape runs into the word after it. */
function wordsBeside({ message, start, end, isEscaped }: NamePlace, messages: readonly RankedMessage[]) {
  const { text } = messages[message]!.index;
  if (!isEscaped) return wordsAround(text, start, end);
  const before = escapedText(text.slice(Math.max(0, start - NEAR_CHARS), start));
  const after = escapedText(text.slice(end, end + NEAR_CHARS));
  return wordsAround(before + after, before.length, before.length);
}

function wordsAround(text: string, start: number, end: number): ReadonlySet<string> {
  const before = text.slice(Math.max(0, start - NEAR_CHARS), start);
  const around = `${before} ${text.slice(end, end + NEAR_CHARS)}`;
  return new Set(around.toLowerCase().match(/[a-z0-9_]{3,}/g));
}
