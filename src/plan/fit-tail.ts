/** Fits the recent messages into a number of tokens: small ones stay whole, large ones share what is left. */
import type { Message } from "../conversation/message.ts";
import { isSaidByPerson, userWordsOf } from "../reading/user-words.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { equalCap, type FitContext, fitMessage } from "./fit-message.ts";

export interface FitTailOptions extends FitContext {
  readonly maxTokens: number;
  /** The newest message in which the user says something stays whole up to this size, before anything else gets room (R8). */
  readonly maxAskTokens: number;
}

/** Each message whole, fitted, or, where even that is too much, as its envelope. Pinned ones are not touched. */
export function fitTail(messages: readonly Message[], options: FitTailOptions): readonly Message[] {
  const { counter, maxTokens, maxAskTokens } = options;
  const sizes = messages.map((message) => counter.message(message));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= maxTokens) return messages;
  const ask = latestAsk(messages);
  const askTokens = sizes[ask] ?? 0;
  const askStays = askTokens <= maxAskTokens && askTokens <= maxTokens;
  let fitted = messages;
  let stays = messages.map((message, at) => message.pinned === true || (askStays && at === ask));
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const left = fitted.reduce(
      (room, message, at) => room - (stays[at] ? counter.message(message) : 0),
      maxTokens,
    );
    const cap = equalCap(
      sizes.filter((_, at) => !stays[at]),
      left,
    );
    fitted = fitted.map((kept, at) => (stays[at] ? kept : fitMessage(messages[at]!, cap, options)));
    if (fitted.reduce((sum, message) => sum + counter.message(message), 0) <= maxTokens) break;
    // What cannot shrink to the cap takes of the room of the others.
    stays = fitted.map((message, at) => stays[at]! || counter.message(message) > cap);
  }
  return fitted;
}

const MOST_PASSES = 3;

/** What the newest ask among the messages takes whole; 0 without one. */
export function latestAskTokens(messages: readonly Message[], counter: TokenCounter): number {
  const ask = messages[latestAsk(messages)];
  return ask ? counter.message(ask) : 0;
}

function latestAsk(messages: readonly Message[]): number {
  return messages.findLastIndex((message) => isSaidByPerson(userWordsOf(message)));
}
