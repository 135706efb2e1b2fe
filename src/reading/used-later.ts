/** Which values somebody took up again: said, quoted or passed to a call after they were printed. */
import { type Message, proseOf, toolCallsOf } from "../conversation/message.ts";

/** Whether a value that stood in the message at `at` was taken up after it. */
export type UsedLater = (value: string, at: number) => boolean;

const WORD = /[\p{L}\p{N}_][\p{L}\p{N}_@.:/-]*[\p{L}\p{N}_]|[\p{L}\p{N}]/gu;
/** The same in lower-case ASCII, as most texts are: several times as fast. */
const ASCII_WORD = /[a-z\d_][\w@.:/-]*[a-z\d_]|[a-z\d]/g;
const NOT_ASCII = /[^\0-\x7f]/;
/** Shorter values are everywhere. */
const LEAST_CHARS = 3;
const MOST_CHARS = 200;

export function usedLater(messages: readonly Message[]): UsedLater {
  // Asked for only where an answer is told by its records or lines.
  let last: ((word: string) => number) | undefined;
  return (value, at) => {
    if (value.length < LEAST_CHARS || value.length > MOST_CHARS) return false;
    last ??= lastUses(messages);
    let words = 0;
    for (const word of wordsOf(value)) {
      if (last(word) <= at) return false;
      words++;
    }
    return words > 0;
  };
}

/** Each word with the place of the last message that says it or passes it to a call; -1 where none does. */
function lastUses(messages: readonly Message[]): (word: string) => number {
  const changed = messages.findIndex((message) => message.changed);
  const came = changed < 0 ? messages.length : changed;
  const before = usesAmong(messages.slice(0, came));
  const after = new Map<string, number>();
  noteUses(after, messages, came);
  return (word) => after.get(word) ?? before.get(word) ?? -1;
}

interface Uses {
  readonly messages: readonly Message[];
  readonly last: Map<string, number>;
}

/** By the first message: the next compaction reads the same messages and a few more. */
const usesBy = new WeakMap<Message, Uses>();

function usesAmong(messages: readonly Message[]): ReadonlyMap<string, number> {
  const [first] = messages;
  if (!first) return new Map();
  const known = usesBy.get(first);
  const isMore = known?.messages.every((message, at) => saysTheSame(message, messages[at])) ?? false;
  const last = known && isMore ? known.last : new Map<string, number>();
  noteUses(last, messages, known && isMore ? known.messages.length : 0);
  usesBy.set(first, { messages, last });
  return last;
}

function saysTheSame(one: Message, other: Message | undefined): boolean {
  return one === other || (other !== undefined && saidIn(one) === saidIn(other));
}

function noteUses(last: Map<string, number>, messages: readonly Message[], from: number): void {
  for (let at = from; at < messages.length; at++)
    for (const word of wordsOf(saidIn(messages[at]!))) last.set(word, at);
}

function wordsOf(text: string): readonly string[] {
  const lower = text.toLowerCase();
  return lower.match(NOT_ASCII.test(lower) ? WORD : ASCII_WORD) ?? [];
}

/** What it says or passes to calls. */
function saidIn(message: Message): string {
  if (message.role === "tool" || message.role === "system") return "";
  return [proseOf(message), ...toolCallsOf(message).map((call) => call.arguments)].join(" ");
}
