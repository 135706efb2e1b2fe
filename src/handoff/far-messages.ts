/** Far messages: those so long ago that not everything in them is read for a hand-off, which bounds what a long past costs. */
import type { Message } from "../conversation/message.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";

/** From the end of what is handed off. No more of what is further back is told than a line here and there. */
const FAR_TOKENS = 200_000;

/** How many messages at the start are far. */
export function farMessages(messages: readonly Message[], counter: TokenCounter): number {
  let tokens = 0;
  for (let at = messages.length; at > 0; at--) {
    tokens += counter.message(messages[at - 1]!);
    if (tokens > FAR_TOKENS) return at - 1;
  }
  return 0;
}
