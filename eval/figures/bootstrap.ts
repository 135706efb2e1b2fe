/** Bootstrap: how far a mean would move if other conversations of the same kind had been recorded. */

export interface Interval {
  readonly mean: number;
  /** The bounds of 95 % of the means of resampled conversations. */
  readonly low: number;
  readonly high: number;
}

const resamples = 1000;

/**
 * The mean over all values, and its interval when whole groups are drawn again with replacement: the cases of one
 * conversation are alike, so a conversation is drawn with all of its cases or not at all.
 */
export function bootstrapMean(groups: readonly (readonly number[])[], random: () => number): Interval {
  const totals = groups.map((values) => ({
    sum: values.reduce((sum, value) => sum + value, 0),
    count: values.length,
  }));
  const mean = meanOf(totals);
  const means = Array.from({ length: resamples }, () =>
    meanOf(totals.map(() => totals[Math.floor(random() * totals.length)]!)),
  ).sort((a, b) => a - b);
  return { mean, low: means[Math.floor(resamples * 0.025)]!, high: means[Math.ceil(resamples * 0.975) - 1]! };
}

function meanOf(totals: readonly { readonly sum: number; readonly count: number }[]): number {
  let sum = 0;
  let count = 0;
  for (const total of totals) {
    sum += total.sum;
    count += total.count;
  }
  return count === 0 ? 0 : sum / count;
}
