/** Histogram: how long something took, as Prometheus reads it: how many times it was no longer than each bound. */

export interface Histogram {
  /** @param labels as text, such as `api="chat"`; of few values, since each has all bounds for itself */
  readonly observe: (seconds: number, labels?: string) => void;
  readonly lines: () => readonly string[];
}

interface Series {
  readonly counts: number[];
  observed: number;
  sum: number;
}

export function createHistogram(name: string, help: string, bounds: readonly number[]): Histogram {
  const all = new Map<string, Series>();
  const linesOf = ([labels, { counts, observed, sum }]: [string, Series]): readonly string[] => {
    const before = labels === "" ? "" : `${labels},`;
    const own = labels === "" ? "" : `{${labels}}`;
    return [
      ...bounds.map((bound, index) => `${name}_bucket{${before}le="${bound}"} ${counts[index]}`),
      `${name}_bucket{${before}le="+Inf"} ${observed}`,
      `${name}_sum${own} ${sum}`,
      `${name}_count${own} ${observed}`,
    ];
  };
  return {
    observe: (seconds, labels = "") => {
      const series = all.get(labels) ?? { counts: bounds.map(() => 0), observed: 0, sum: 0 };
      all.set(labels, series);
      series.observed++;
      series.sum += seconds;
      for (const [index, bound] of bounds.entries()) if (seconds <= bound) series.counts[index]!++;
    },
    lines: () => [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...[...all].flatMap(linesOf)],
  };
}
