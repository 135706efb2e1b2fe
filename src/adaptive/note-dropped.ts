/** Notes what a compaction took out of view, and with what chance each was to be needed: the other half of every lesson. */
import { type Message, textOfMessage } from "../conversation/message.ts";
import { rankedMessages } from "../handoff/digest.ts";
import { gatherSpecifics } from "../handoff/gather-specifics.ts";
import { lastPlace } from "../handoff/specific-features.ts";
import { specificValues } from "../handoff/specific-values.ts";
import { specificsOf } from "../salience/specifics.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { type Lesson, type Lessons, NOTHING, plus, traitsOf, withCounts } from "./lessons.ts";
import { originsOf } from "./origin.ts";

export interface DroppedOptions {
  readonly before: readonly Message[];
  readonly after: readonly Message[];
  readonly counter: TokenCounter;
}

/** Each specific that `after` does not hold counts once, with the origin of its last mention. */
export function noteDropped(lessons: Lessons, { before, after, counter }: DroppedOptions): Lessons {
  const stays = new Set(after);
  const left = before.filter((message) => message.role !== "system" && !stays.has(message));
  const held = new Set(after.flatMap((message) => [...specificsOf(textOfMessage(message))]));
  const ranked = rankedMessages(left, counter);
  const specifics = gatherSpecifics(ranked);
  const chances = specificValues(specifics, ranked);
  const originOf = originsOf(left);
  const counts = new Map<string, Lesson>();
  for (const [id, expected] of chances.entries()) {
    const { message, start, end } = lastPlace(specifics, ranked, id);
    const specific = ranked[message]!.index.text.slice(start, end).toLowerCase();
    if (held.has(specific)) continue;
    for (const trait of traitsOf(specific, originOf(message)))
      counts.set(trait, plus(counts.get(trait) ?? NOTHING, { dropped: 1, expected }));
  }
  return withCounts(lessons, counts);
}
