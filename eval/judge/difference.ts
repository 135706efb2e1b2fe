/** Difference: how far two packages lie apart in one row, and whether that is more than chance. */
import { bootstrapTotals, type Interval } from "../figures/bootstrap.ts";
import { seededRandom } from "../figures/seeded-random.ts";
import type { Score } from "./judge.ts";

export interface Difference extends Interval {
  /** Said only where the whole interval lies on one side of nought. */
  readonly verdict: "better" | "worse" | "";
}

export interface DifferenceOptions {
  /** The share of the resampled differences that the interval holds. */
  readonly level: number;
  /** Of faults there had better be few. @default false */
  readonly fewerIsBetter?: boolean;
}

const resamples = 2000;

/** Of two packages' scores of one row, paired by case: a case is drawn with both of its results. */
export function differenceOf(
  ours: readonly Score[],
  theirs: readonly Score[],
  { level, fewerIsBetter = false }: DifferenceOptions,
): Difference {
  const [our, their] = [sumsByCase(ours), sumsByCase(theirs)];
  const pairs = [...our].flatMap(([name, { held, all }]) => {
    const other = their.get(name);
    return other ? [{ sum: held - other.held, count: all }] : [];
  });
  const interval = bootstrapTotals(pairs, seededRandom(1, ours[0]?.row), { level, resamples });
  const sign = !canTell(pairs.length, level) ? 0 : interval.low > 0 ? 1 : interval.high < 0 ? -1 : 0;
  const good = fewerIsBetter ? -sign : sign;
  return { ...interval, verdict: good > 0 ? "better" : good < 0 ? "worse" : "" };
}

/** Few cases say the same by chance: all of five do in one of 16 times, all of eight in one of 128. */
function canTell(cases: number, level: number): boolean {
  return 2 * 0.5 ** cases <= 1 - level;
}

export function sumsByCase(scores: readonly Score[]): ReadonlyMap<string, { held: number; all: number }> {
  const sums = new Map<string, { held: number; all: number }>();
  for (const { case: name, held, all } of scores) {
    const sum = sums.get(name) ?? { held: 0, all: 0 };
    sums.set(name, { held: sum.held + held, all: sum.all + all });
  }
  return sums;
}
