/** The longest prefix of the ranking that fits, written out and counted exactly. */
import { NUMBERS } from "./numbers.ts";

export interface Fit {
  /** How many pieces there are to choose. */
  readonly length: number;
  /** The first so many must be there. */
  readonly least: number;
  readonly guess: number;
  readonly target: number;
  /** What a result with the first so many costs. */
  readonly size: (chosen: number) => number;
}

export interface Chosen {
  readonly chosen: number;
  readonly tokens: number;
  readonly fits: boolean;
  /** What the least costs that must be there. */
  readonly leastTokens: number;
  readonly passes: number;
}

/** Bounded: a few guesses by what the last one cost, then halves. */
export function bestThatFits({ length, least, guess, target, size }: Fit): Chosen {
  const base = size(least);
  if (base > target) return { chosen: least, tokens: base, fits: false, leastTokens: base, passes: 1 };
  let best = { chosen: least, tokens: base };
  let low = least + 1;
  let high = length;
  let next = Math.max(low, Math.min(high, guess));
  let passes = 1;
  while (low <= high && passes < MOST_PASSES) {
    const tokens = size(next);
    passes += 1;
    if (tokens <= target) {
      if (tokens >= best.tokens) best = { chosen: next, tokens };
      if (tokens > target * NUMBERS.full || next === length) break;
      low = next + 1;
    } else high = next - 1;
    const scaled = Math.round((next * (target - base)) / Math.max(1, tokens - base));
    next = Math.max(low, Math.min(high, passes < GUESSES ? scaled : (low + high) >> 1));
  }
  return { ...best, fits: true, leastTokens: base, passes };
}

const GUESSES = 5;
const MOST_PASSES = 21;
