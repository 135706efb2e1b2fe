/** Fits the recent messages into a number of tokens: small ones stay whole, large ones share what is left. */
import { isUserMessage, type Message } from "../conversation/message.ts";
import { equalCap, type FitContext, fitMessage } from "./fit-message.ts";

export interface FitTailOptions extends FitContext {
  readonly maxTokens: number;
  /** The newest user message stays whole up to this size, before anything else gets room (R8). */
  readonly maxAskTokens: number;
}

/** Each message whole, fitted, or, where even that is too much, as its envelope. Pinned ones are not touched. */
export function fitTail(messages: readonly Message[], options: FitTailOptions): readonly Message[] {
  const { counter, maxTokens, maxAskTokens } = options;
  const sizes = messages.map((message) => counter.message(message));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= maxTokens) return messages;
  const ask = messages.findLastIndex(isUserMessage);
  const askTokens = sizes[ask] ?? 0;
  const askStays = askTokens <= maxAskTokens && askTokens <= maxTokens;
  const stays = messages.map((message, at) => message.pinned === true || (askStays && at === ask));
  const room = sizes.reduce((left, size, at) => (stays[at] ? left - size : left), maxTokens);
  const cap = equalCap(
    sizes.filter((_, at) => !stays[at]),
    room,
  );
  return messages.map((message, at) => (stays[at] ? message : fitMessage(message, cap, options)));
}
