/** Retention by share: how many turns stay when a part of the capacity is kept rather than a count (F77). */
import type { Message } from "../conversation/message.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { Retention } from "./policy.ts";

export interface RelativeRetention {
  /** Turns that stay in any case. */
  readonly turns: number;
  /** Share of the capacity to keep, 0 to 1; absent: only `turns` counts. */
  readonly percent?: number | undefined;
  /** Tokens of the whole context. */
  readonly capacity: number;
  readonly averageTurnTokens: number;
}

/** The larger of `turns` and what fits in the share: 10 % of 200,000 at 2,000 tokens a turn → 10 turns. */
export function retainedTurns({ turns, percent, capacity, averageTurnTokens }: RelativeRetention): number {
  if (percent === undefined || !(averageTurnTokens > 0)) return turns;
  // subtle: 0.07 × 100 is 7.000000000000001 but 0.29 × 100 is 28.999999999999996; a turn must not hang on that.
  return Math.max(turns, Math.floor((capacity * percent) / averageTurnTokens + 1e-9));
}

/** The retention with the messages that its `relative` share asks for: a turn is a pair of them. */
export function withRelative(
  retention: Retention,
  messages: readonly Message[],
  { capacity, counter }: { readonly capacity: number; readonly counter: TokenCounter },
): Retention {
  if (retention.relative === undefined) return retention;
  const spoken = messages.filter(({ role }) => role !== "system");
  const tokens = spoken.reduce((sum, message) => sum + counter.message(message), 0);
  const turns = retainedTurns({
    turns: retention.messages / PAIR,
    percent: retention.relative,
    capacity,
    averageTurnTokens: (PAIR * tokens) / Math.max(1, spoken.length),
  });
  return { ...retention, messages: turns * PAIR };
}

const PAIR = 2;
