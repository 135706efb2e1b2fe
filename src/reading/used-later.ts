/** Which values somebody took up again: said, quoted or passed to a call after they were printed. */
import { type Message, proseOf, toolCallsOf } from "../conversation/message.ts";

/** Whether a value that stood in the message at `at` was taken up after it. */
export type UsedLater = (value: string, at: number) => boolean;

const WORD = /[\p{L}\p{N}_][\p{L}\p{N}_@.:/-]*[\p{L}\p{N}_]|[\p{L}\p{N}]/gu;
/** Shorter values are everywhere. */
const LEAST_CHARS = 3;
const MOST_CHARS = 200;

export function usedLater(messages: readonly Message[]): UsedLater {
  // Asked for only where an answer is told by its records or lines.
  let last: ReadonlyMap<string, number> | undefined;
  return (value, at) => {
    if (value.length < LEAST_CHARS || value.length > MOST_CHARS) return false;
    last ??= lastUses(messages);
    let words = 0;
    for (const [word] of value.toLowerCase().matchAll(WORD)) {
      if ((last.get(word) ?? -1) <= at) return false;
      words++;
    }
    return words > 0;
  };
}

/** Each word with the place of the last message that says it or passes it to a call. */
function lastUses(messages: readonly Message[]): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  messages.forEach((message, at) => {
    if (message.role === "tool" || message.role === "system") return;
    const said = [proseOf(message), ...toolCallsOf(message).map((call) => call.arguments)].join(" ");
    for (const word of said.toLowerCase().match(WORD) ?? []) last.set(word, at);
  });
  return last;
}
