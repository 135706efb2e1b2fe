/** fillRoom: as many of the best things as a room takes, where what they really take is known only once they are made. */

export interface Filling<T> {
  /** There are no more than these. */
  readonly most: number;
  readonly room: number;
  /** How many take so much, by estimate. */
  readonly countWithin: (estimate: number) => number;
  /** What the one at this place of the ranking takes, by estimate. */
  readonly costOf: (at: number) => number;
  /** The best so many, and some that come later. */
  readonly make: (count: number, later: readonly number[]) => T;
  readonly tokensOf: (made: T) => number;
  /** How often they are made again only to use more of the room. */
  readonly refinements: number;
}

/** Who uses this much of a room has filled it. */
const FULL = 0.98;
/** What was over or under is made up for, and a little less, so that the next attempt fits. */
const CAUTION = 0.985;
/** Far more than any text needs. */
const MAX_ATTEMPTS = 12;
/** So many single ones are tried where the next one is too large. */
const MAX_LATER = 8;

/** Undefined when nothing fits. */
export function fillRoom<T>(filling: Filling<T>): T | undefined {
  const { most, room, countWithin, costOf, make, tokensOf, refinements } = filling;
  let best: T | undefined;
  let fits = { count: 0, tokens: 0 };
  let over: typeof fits | undefined;
  let estimate = room;
  let count = countWithin(estimate);
  let again = refinements;
  for (let attempt = 0; attempt < MAX_ATTEMPTS && count > fits.count; attempt++) {
    const made = make(count, []);
    const tokens = tokensOf(made);
    if (tokens > room) {
      over = { count, tokens };
    } else {
      best = made;
      fits = { count, tokens };
      if (tokens >= room * FULL || count === most) break;
    }
    if (best !== undefined && again-- === 0) break;
    estimate *= (room / Math.max(1, tokens)) * CAUTION;
    count = over ? between(fits, over, room * CAUTION) : countWithin(estimate);
  }
  if (refinements === 0) return best;
  const later: number[] = [];
  let left = room - fits.tokens;
  let tries = MAX_LATER;
  for (let at = fits.count; at < most && tries > 0 && left > room * (1 - FULL); at++) {
    if (costOf(at) > left) continue;
    tries--;
    const made = make(fits.count, [...later, at]);
    const tokens = tokensOf(made);
    if (tokens > room) continue;
    best = made;
    later.push(at);
    left = room - tokens;
  }
  return best;
}

/** The count that would take so much if each thing from the one to the other took alike; the lower one when there is none between. */
function between(
  low: { count: number; tokens: number },
  high: { count: number; tokens: number },
  tokens: number,
): number {
  if (high.count - low.count < 2) return low.count;
  const share = (tokens - low.tokens) / Math.max(1, high.tokens - low.tokens);
  const count = low.count + Math.floor((high.count - low.count) * share);
  return Math.min(high.count - 1, Math.max(low.count + 1, count));
}
