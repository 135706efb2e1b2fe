/** Retention by share: how many turns stay when a part of the capacity is kept rather than a count (F77). */

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
