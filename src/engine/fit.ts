/** The longest prefix of the ranking that fits, written out and counted exactly. */
import { NUMBERS } from "./numbers.ts";

export interface Fit {
  /** What each piece costs by its estimate. */
  readonly estimates: readonly number[];
  /** The first so many must be there. */
  readonly least: number;
  /** What there is for pieces. */
  readonly room: number;
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

/** Bounded: a few guesses by what the last one cost against its estimate, then halves. */
export function bestThatFits({ estimates, least, room, target, size }: Fit): Chosen {
  const { length } = estimates;
  const sums = [0];
  for (const tokens of estimates) sums.push(sums.at(-1)! + tokens);
  const base = size(least);
  if (base > target) return { chosen: least, tokens: base, fits: false, leastTokens: base, passes: 1 };
  let best = { chosen: least, tokens: base };
  let low = least + 1;
  let high = length;
  let next = Math.max(low, Math.min(high, longest(sums, room)));
  let passes = 1;
  while (low <= high && passes < MOST_PASSES) {
    const tokens = size(next);
    passes += 1;
    if (tokens <= target) {
      if (tokens >= best.tokens) best = { chosen: next, tokens };
      if (tokens > target * NUMBERS.full || next === length) break;
      low = next + 1;
    } else high = next - 1;
    // What was chosen beside the least cost so many times its estimate.
    const times = Math.max(1, tokens - base) / Math.max(1, sums[next]! - sums[least]!);
    const scaled = longest(sums, sums[least]! + ((target - base) * AIM) / times);
    next = Math.max(low, Math.min(high, passes < GUESSES ? scaled : (low + high) >> 1));
  }
  return { ...best, fits: true, leastTokens: base, passes };
}

/** How many pieces take at most so many tokens. */
function longest(sums: readonly number[], tokens: number): number {
  return most(sums.length - 1, (count) => sums[count]! <= tokens);
}

/** The largest number up to this one that fits, where all below one that fits do; nought where none does. */
export function most(high: number, fits: (count: number) => boolean): number {
  if (fits(high)) return high;
  let [low, above] = [0, high];
  while (above - low > 1) {
    const middle = (low + above) >> 1;
    if (fits(middle)) low = middle;
    else above = middle;
  }
  return low;
}

/** A guess aims between what is full enough and what is too much. */
const AIM = (1 + NUMBERS.full) / 2;
const GUESSES = 5;
const MOST_PASSES = 21;
