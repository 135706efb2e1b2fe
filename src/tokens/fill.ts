/** Fill: how full the window is. Every threshold is judged on this value. */
import type { Conversation } from "../conversation/conversation.ts";
import { OptionsError } from "../errors/options-error.ts";
import { anchoredTokens, type UsageAnchor } from "./anchor.ts";
import type { TokenCounter } from "./token-counter.ts";

export interface Fill {
  /** Tokens of the next prompt. */
  readonly tokens: number;
  /** Tokens that a prompt may have: the window without the reserve. */
  readonly budget: number;
  readonly window: number;
  readonly reserve: number;
  /** tokens / budget; above 1 when the prompt does not fit. */
  readonly ratio: number;
  /** False where the tokenizer is private and `tokens` is an estimate. */
  readonly exact: boolean;
}

export interface FillOptions {
  readonly conversation: Conversation;
  readonly counter: TokenCounter;
  /** The model's context window in tokens. */
  readonly window: number;
  /** Tokens kept free for the answer. */
  readonly reserve: number;
  /** The provider's last reported usage, where it is known. */
  readonly anchor?: UsageAnchor | undefined;
}

/**
 * Measures a conversation against the window that is left when the answer has its room.
 *
 *     window 8,192, reserve 192, 4,000 tokens → { budget: 8_000, ratio: 0.5, … }
 */
export function observeFill({ conversation, counter, window, reserve, anchor }: FillOptions): Fill {
  if (!Number.isSafeInteger(window) || window <= 0) {
    throw new OptionsError("window", `window is ${window}; it must be a positive whole number of tokens.`);
  }
  if (!Number.isSafeInteger(reserve) || reserve < 0 || reserve >= window) {
    throw new OptionsError(
      "reserve",
      `reserve is ${reserve}; it must be a whole number of tokens from 0 to below the window of ${window}.`,
    );
  }
  const tokens = anchoredTokens(conversation, counter, anchor);
  const budget = window - reserve;
  return { tokens, budget, window, reserve, ratio: tokens / budget, exact: counter.exact };
}
