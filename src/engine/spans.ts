/** Spans: by which numbers the messages are opened that a hand-off stands for. They count on from those of the hand-off before it. */
import { handoffIn } from "../conversation/handoffs/separate.ts";
import type { Message } from "../conversation/message.ts";
import type { Reading } from "./reading.ts";
import { groupsOf } from "./tail.ts";
import { openedBy } from "./write.ts";

export interface SpanNumbers {
  readonly of: ReadonlyMap<number, number>;
  readonly last: number;
  readonly texts: (span: readonly Message[]) => readonly string[];
}

/** A message has the number of what answers its calls; what stays has none yet. */
export function numbersOf(readings: readonly Reading[], stays: (position: number) => boolean): SpanNumbers {
  const earlier = new Map<number, number>();
  for (const { at, source, earlier: items } of readings) {
    if (items.length === 0) continue;
    const last = openedBy(handoffIn(source)?.body ?? "")?.last;
    if (last !== undefined) earlier.set(at, last);
  }
  let last = Math.max(0, ...earlier.values());
  const of = new Map<number, number>();
  for (const group of groupsOf(readings)) {
    const gone = group.filter(({ at, source, words, calls, answers }) => {
      return source.role !== "system" && !stays(at) && words.length + calls.length + answers.length > 0;
    });
    if (gone.length > 0) last += 1;
    for (const { at } of gone) of.set(at, last);
  }
  return {
    of,
    last,
    texts: (span) =>
      span.map(({ position }) => {
        const to = earlier.get(position);
        return [to === undefined ? "" : `1-${to}`, of.get(position) ?? ""]
          .filter((each) => each !== "")
          .join(" ");
      }),
  };
}
