/** The rough estimate: characters by four, the estimator that the `synthorg` preset's thresholds were made for. */
import type { Conversation } from "../conversation/conversation.ts";
import { type Message, textOfMessage } from "../conversation/message.ts";
import { MESSAGE_TOKENS, type TokenCounter } from "./token-counter.ts";

/** Tokens that a tool definition is taken for, whatever it says. */
const TOOL_TOKENS = 50;
const CHARACTERS_PER_TOKEN = 4;

/** floor(characters / 4), characters in UTF-16 units. */
export function roughEstimateOfText(text: string): number {
  return Math.floor(text.length / CHARACTERS_PER_TOKEN);
}

/** The text's estimate and 4 for the message; the system prompt has no such 4. */
export function roughEstimateOfMessage(message: Message): number {
  return roughEstimateOfText(textOfMessage(message)) + (message.role === "system" ? 0 : MESSAGE_TOKENS);
}

/**
 * Fill: the system prompt + Σ messages + 50 for each tool definition.
 *
 *     a system prompt of 400 characters, a message of 40, 2 tools → 100 + (10 + 4) + 100 = 214
 */
export function roughEstimateOfFill(conversation: Conversation): number {
  const messages = conversation.messages.reduce((sum, message) => sum + roughEstimateOfMessage(message), 0);
  return messages + roughEstimateOfTools(conversation.tools);
}

/** The estimate as a counter, for whoever wants the thresholds and the tail judged by it. */
export const roughEstimateCounter: TokenCounter = Object.freeze({
  encoding: "characters/4",
  exact: false,
  text: roughEstimateOfText,
  message: roughEstimateOfMessage,
  tools: roughEstimateOfTools,
  conversation: roughEstimateOfFill,
});

function roughEstimateOfTools(tools: readonly unknown[]): number {
  return tools.length * TOOL_TOKENS;
}
