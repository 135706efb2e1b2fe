/** Rewrite: what a compaction made of a conversation, message by message: what stayed, what was changed, what is new. */
import type { Message } from "./message.ts";

/** One for each message of the result, in order. An item is the message, or what stands for it elsewhere. */
export type Rewrite<Item = Message> = readonly Rewritten<Item>[];

export interface Rewritten<Item = Message> {
  /** Which message of the input it is, or was made of, by position; -1 for a new one. */
  readonly from: number;
  /** What was written in its place; absent where it is the very message of the input. */
  readonly written?: Item | undefined;
}

/** The rewrite that these messages are the result of: each knows where it was, and whether it was changed. */
export function rewriteOf(messages: readonly Message[]): Rewrite {
  return messages.map((message) => {
    const { position: from, changed } = message;
    return { from, written: from < 0 || changed ? message : undefined };
  });
}

/** What a rewrite makes of its input. */
export function rewritten<Item>(before: readonly Item[], rewrite: Rewrite<Item>): readonly Item[] {
  return rewrite.map(({ from, written }) => written ?? before[from]!);
}

/** Backwards: where each message of the input is in the result; those that left are not in it. */
export function placesAfter(rewrite: Rewrite<unknown>): ReadonlyMap<number, number> {
  return new Map(rewrite.flatMap(({ from }, place) => (from < 0 ? [] : [[from, place]])));
}

/** Backwards: the input again in place of the result that a conversation begins with, and what came since. */
export function takenBack<Item>(
  before: readonly Item[],
  after: readonly unknown[],
  now: readonly Item[],
): readonly Item[] {
  return [...before, ...now.slice(after.length)];
}
