/** maskedOccasion: an occasion whose conversation is without secrets, since what comes of it goes to an archive. */
import { withMessages } from "../conversation/conversation.ts";
import { maskedMessages, unmaskedMessage } from "../conversation/masked-messages.ts";
import { countPieces, type TokenCounter } from "../tokens/token-counter.ts";
import type { Occasion } from "./occasion.ts";

/**
 * A ledger, a hand-off or a shaped result takes lines out of what was said; of a key without its first line, or of half a
 * token, nobody would know any more that it is a secret. Messages that nobody touches are sent as they came, and are counted so.
 */
export function maskedOccasion(occasion: Occasion): Occasion {
  return occasion.marks ? withoutSecrets(occasion) : occasion;
}

/** The same for what goes to a model that was not told them. */
export function withoutSecrets(occasion: Occasion): Occasion {
  const { conversation, counter, estimator } = occasion;
  const messages = maskedMessages(conversation.messages);
  if (messages.every((message, at) => message === conversation.messages[at])) return occasion;
  return {
    ...occasion,
    conversation: withMessages(conversation, messages),
    counter: countingOriginals(counter),
    estimator: countingOriginals(estimator),
  };
}

function countingOriginals(counter: TokenCounter): TokenCounter {
  return {
    encoding: counter.encoding,
    exact: counter.exact,
    text: (text) => counter.text(text),
    pieces: (pieces, text) => countPieces(counter, pieces, text),
    tools: (tools) => counter.tools(tools),
    message: (message) => counter.message(unmaskedMessage(message)),
    conversation: (conversation) =>
      counter.conversation(withMessages(conversation, conversation.messages.map(unmaskedMessage))),
  };
}
