/** Which values somebody took up again: said, quoted or passed to a call after they were printed. */
import { type Message, proseOf, toolCallsOf } from "../conversation/message.ts";
import { shownIn, textResultIn } from "./agents/text-calls.ts";
import { forEachPassedWord } from "./passed-words.ts";

/** Whether a value that stood in the message at `at` was taken up after it; `anew`: and nobody had said it until then. */
export type UsedLater = (value: string, at: number, anew?: "anew") => boolean;

/** Shorter values are everywhere. */
const LEAST_CHARS = 3;
const MOST_CHARS = 200;

export function usedLater(messages: readonly Message[]): UsedLater {
  // Asked for only where an answer is told by its records or lines.
  let uses: ((word: number) => Places) | undefined;
  return (value, at, anew) => {
    if (value.length < LEAST_CHARS || value.length > MOST_CHARS) return false;
    uses ??= usesIn(messages);
    let words = 0;
    let known = 0;
    let isUsed = true;
    forEachPassedWord(value, (word) => {
      const { first, last } = uses!(word);
      if (last <= at) isUsed = false;
      words++;
      if (first <= at) known++;
    });
    return isUsed && words > 0 && (anew === undefined || known < words);
  };
}

/** The first and the last message that say a word or pass it to a call. */
interface Places {
  readonly first: number;
  last: number;
}

const NOWHERE: Places = Object.freeze({ first: -1, last: -1 });

/** Each word, by its hash, with where it was said. */
function usesIn(messages: readonly Message[]): (word: number) => Places {
  const changed = messages.findIndex((message) => message.changed);
  const came = changed < 0 ? messages.length : changed;
  const before = usesAmong(messages.slice(0, came));
  const after = new Map<number, Places>();
  noteUses(after, messages, came);
  return (word) => {
    const [early, late] = [before.get(word), after.get(word)];
    return early && late ? { first: early.first, last: late.last } : (late ?? early ?? NOWHERE);
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
  for (let at = from; at < messages.length; at++)
    forEachPassedWord(saidIn(messages[at]!), (word) => {
      const known = places.get(word);
      if (known) known.last = at;
      else places.set(word, { first: at, last: at });
    });
}

/** What it says or passes to calls; not what it shows or answers in text. */
function saidIn(message: Message): string {
  if (message.role === "tool" || message.role === "system") return "";
  const prose = proseOf(message);
  const words = textResultIn(prose) ? "" : shownIn(prose).words;
  return [words, ...toolCallsOf(message).map((call) => call.arguments)].join(" ");
}
