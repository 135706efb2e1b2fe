/** Bootstrap: how far a mean would move if other conversations of the same kind had been recorded. */

export interface Interval {
  readonly mean: number;
  /** The bounds of 95 % of the means of resampled conversations, or of the share that was asked for. */
  readonly low: number;
  readonly high: number;
}

/** What the values of one conversation come to. */
export interface Total {
  readonly sum: number;
  readonly count: number;
}

export interface BootstrapOptions {
  /** The share of the resampled means that lies within the bounds. @default 0.95 */
  readonly level?: number;
  /** @default 1000 */
  readonly resamples?: number;
}

/**
 * The mean over all values, and its interval when whole groups are drawn again with replacement: the cases of one
 * conversation are alike, so a conversation is drawn with all of its cases or not at all.
 */
export function bootstrapMean(groups: readonly (readonly number[])[], random: () => number): Interval {
  const totals = groups.map((values) => ({
    sum: values.reduce((sum, value) => sum + value, 0),
    count: values.length,
  }));
  return bootstrapTotals(totals, random);
}

/** The same where the values of each group are added up already. */
export function bootstrapTotals(
  totals: readonly Total[],
  random: () => number,
  { level = 0.95, resamples = 1000 }: BootstrapOptions = {},
): Interval {
  const means = Array.from({ length: resamples }, () =>
    meanOf(totals.map(() => totals[Math.floor(random() * totals.length)]!)),
  ).sort((a, b) => a - b);
  const outside = (1 - level) / 2;
  return {
    mean: meanOf(totals),
    low: means[Math.floor(resamples * outside)]!,
    high: means[Math.ceil(resamples * (1 - outside)) - 1]!,
  };
}

function meanOf(totals: readonly Total[]): number {
  let sum = 0;
  let count = 0;
  for (const total of totals) {
    sum += total.sum;
    count += total.count;
  }
  return count === 0 ? 0 : sum / count;
}
