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
  /** What every share is of: the budget, or the window as it was given. */
  readonly base: number;
  /** tokens / base. */
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
  /** @default "budget" */
  readonly base?: "window" | "budget" | undefined;
  /** The provider's last reported usage, where it is known. */
  readonly anchor?: UsageAnchor | undefined;
}

/**
 * Measures a conversation against the window that is left when the answer has its room.
 *
 *     window 8,192, reserve 192, 4,000 tokens → { budget: 8_000, ratio: 0.5, … }
 */
export function observeFill(options: FillOptions): Fill {
  const { conversation, counter, window, reserve, anchor } = options;
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
  const base = options.base === "window" ? window : budget;
  return { tokens, budget, window, reserve, base, ratio: tokens / base, exact: counter.exact };
}

/** What is kept free for the answer where nobody said; beside shares of the window less, so that 95 % of it can be had. */
export function defaultReserve(window: number, base?: FillOptions["base"]): number {
  return Math.min(8192, Math.floor(window / (base === "window" ? 20 : 8)));
}
