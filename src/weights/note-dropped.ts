/** Notes what a compaction took out of view: the other half of every lesson. */
import { type Message, textOfMessage } from "../conversation/message.ts";
import { specificsOf } from "../text/specifics.ts";
import { type Lesson, type Lessons, NOTHING, plus, traitsOf, withCounts } from "./lessons.ts";
import { originsOf } from "./origin.ts";

export interface DroppedOptions {
  readonly before: readonly Message[];
  readonly after: readonly Message[];
}

/** Of what leaves, so much is needed again; only how kinds compare with each other counts. */
const EXPECTED = 0.02;

/** Each specific that `after` does not hold counts once, with the origin of its last mention. */
export function noteDropped(lessons: Lessons, { before, after }: DroppedOptions): Lessons {
  const stays = new Set(after);
  const left = before.filter((message) => message.role !== "system" && !stays.has(message));
  const held = new Set(after.flatMap((message) => [...specificsOf(textOfMessage(message))]));
  const last = new Map<string, number>();
  left.forEach((message, at) => {
    for (const specific of specificsOf(textOfMessage(message))) last.set(specific, at);
  });
  const originOf = originsOf(left);
  const counts = new Map<string, Lesson>();
  for (const [specific, at] of last) {
    if (held.has(specific)) continue;
    for (const trait of traitsOf(specific, originOf(at)))
      counts.set(trait, plus(counts.get(trait) ?? NOTHING, { dropped: 1, expected: EXPECTED }));
  }
  return withCounts(lessons, counts);
}
