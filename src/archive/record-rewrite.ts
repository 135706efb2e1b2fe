/** recordRewrite: the Rewrite of a compaction that an archive has, with the places of messages for the messages. */
import type { Rewrite } from "../conversation/rewrite.ts";
import type { CompactionRecord, MessagePlace } from "./archive.ts";

export function recordRewrite({ messagesBefore, messagesAfter }: CompactionRecord): Rewrite<MessagePlace> {
  const numbers = new Map(messagesBefore.map((place, number) => [keyOf(place), number]));
  return messagesAfter.map((place) => {
    const from = numbers.get(keyOf(place)) ?? -1;
    return messagesBefore[from]?.id === place.id ? { from } : { from, written: place };
  });
}

/** An earlier hand-off has no place in the conversation and is known by what it says. */
function keyOf({ position, id }: MessagePlace): string {
  return position < 0 ? id : String(position);
}
