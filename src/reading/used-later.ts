/** Which values somebody took up again: said, quoted or passed to a call after they were printed. */
import { type Message, proseOf, toolCallsOf } from "../conversation/message.ts";
import { shownIn, textResultIn } from "./agents/text-calls.ts";
import { forEachPassedWord } from "./passed-words.ts";

/**
 * Whether a value that stood in the message at `at` was taken up after it. `anew`: and nobody had said it until then; `taken`: typed
 * by a person or passed to a call, not merely repeated; `asked`: a person typed it, at any time; `said`: anybody said it, at any time.
 */
export type UsedLater = (value: string, at: number, how?: "anew" | "taken" | "asked" | "said") => boolean;

/** Shorter values are everywhere. */
const LEAST_CHARS = 3;
const MOST_CHARS = 200;

export function usedLater(messages: readonly Message[]): UsedLater {
  // Asked for only where an answer is told by its records or lines.
  let uses: ((word: number) => Readonly<Places>) | undefined;
  return (value, at, how) => {
    if (value.length < LEAST_CHARS || value.length > MOST_CHARS) return false;
    uses ??= usesIn(messages);
    const after = how === "asked" || how === "said" ? -1 : at;
    let words = 0;
    let known = 0;
    let isUsed = true;
    forEachPassedWord(value, (word) => {
      const { first, last, taken, asked } = uses!(word);
      if ((how === "taken" ? taken : how === "asked" ? asked : last) <= after) isUsed = false;
      words++;
      if (first <= at) known++;
    });
    return isUsed && words > 0 && (how !== "anew" || known < words);
  };
}

/** The first and the last message that say a word or pass it to a call, the last that takes it up, the last of a person's. */
interface Places {
  readonly first: number;
  last: number;
  taken: number;
  asked: number;
}

const NOWHERE: Readonly<Places> = Object.freeze({ first: -1, last: -1, taken: -1, asked: -1 });

/** Each word, by its hash, with where it was said. */
function usesIn(messages: readonly Message[]): (word: number) => Readonly<Places> {
  const changed = messages.findIndex((message) => message.changed);
  const came = changed < 0 ? messages.length : changed;
  const before = usesAmong(messages.slice(0, came));
  const after = new Map<number, Places>();
  noteUses(after, messages, came);
  return (word) => {
    const [early, late] = [before.get(word), after.get(word)];
    if (!early || !late) return late ?? early ?? NOWHERE;
    const { taken, asked } = early;
    return {
      first: early.first,
      last: late.last,
      taken: Math.max(taken, late.taken),
      asked: Math.max(asked, late.asked),
    };
  };
}

interface Uses {
  readonly messages: readonly Message[];
  readonly places: Map<number, Places>;
}

/** By the first message: the next compaction reads the same messages and a few more. */
const usesBy = new WeakMap<Message, Uses>();

function usesAmong(messages: readonly Message[]): ReadonlyMap<number, Places> {
  const [first] = messages;
  if (!first) return new Map();
  const known = usesBy.get(first);
  const isMore = known?.messages.every((message, at) => saysTheSame(message, messages[at])) ?? false;
  const places = known && isMore ? known.places : new Map<number, Places>();
  noteUses(places, messages, known && isMore ? known.messages.length : 0);
  usesBy.set(first, { messages, places });
  return places;
}

function saysTheSame(one: Message, other: Message | undefined): boolean {
  return one === other || (other !== undefined && saidIn(one) === saidIn(other));
}

function noteUses(places: Map<number, Places>, messages: readonly Message[], from: number): void {
  for (let at = from; at < messages.length; at++) {
    const message = messages[at]!;
    const isAsk = message.role === "user";
    forEachPassedWord(wordsIn(message), (word) => {
      const place = placeOf(places, word, at);
      if (isAsk) place.taken = place.asked = at;
    });
    forEachPassedWord(passedIn(message), (word) => {
      placeOf(places, word, at).taken = at;
    });
  }
}

function placeOf(places: Map<number, Places>, word: number, at: number): Places {
  let place = places.get(word);
  if (place === undefined) {
    place = { first: at, last: at, taken: -1, asked: -1 };
    places.set(word, place);
  }
  place.last = at;
  return place;
}

function saidIn(message: Message): string {
  return `${wordsIn(message)} ${passedIn(message)}`;
}

/** What it says; not what it shows or answers in text. */
function wordsIn(message: Message): string {
  if (message.role === "tool" || message.role === "system") return "";
  const prose = proseOf(message);
  return textResultIn(prose) ? "" : shownIn(prose).words;
}

function passedIn(message: Message): string {
  return toolCallsOf(message)
    .map((call) => call.arguments)
    .join(" ");
}
