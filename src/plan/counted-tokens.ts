/** Counted tokens: what --target is a ceiling of. */
import type { Conversation } from "../conversation/conversation.ts";
import { type Message, textOfMessage } from "../conversation/message.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";

/** Tokens of all messages; a system message that came in costs nothing when unchanged, and when changed what was added. */
export function countedTokens(
  messages: readonly Message[],
  counter: TokenCounter,
  originals: readonly Message[],
): number {
  return messages.reduce((total, message) => total + countedTokensOf(message, counter, originals), 0);
}

/** The same for a conversation as it came in. */
export function countedTokensIn(conversation: Conversation, counter: TokenCounter): number {
  let free = counter.tools(conversation.tools);
  for (const message of conversation.messages)
    if (message.role === "system") free += counter.message(message);
  return counter.conversation(conversation) - free;
}

function countedTokensOf(message: Message, counter: TokenCounter, originals: readonly Message[]): number {
  // Where several were joined, all that they say came in.
  if (message.placed) return 0;
  if (message.role !== "system" || message.position < 0) return counter.message(message);
  if (!message.changed) return 0;
  const original = originals[message.position]!;
  const grown = counter.message(message) - counter.message(original);
  // At the join tokens may merge, which a text counted by itself does not know: the ceiling holds for both readings.
  const [text, given] = [textOfMessage(message), textOfMessage(original)];
  return Math.max(0, grown, text.startsWith(given) ? counter.text(text.slice(given.length)) : 0);
}
