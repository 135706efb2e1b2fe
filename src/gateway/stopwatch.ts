/** Stopwatch: when things were done, to be told as spans by another thread. */
import type { Archive } from "../archive/archive.ts";

/** Milliseconds since the epoch. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

export interface Stopwatch {
  readonly periods: readonly Period[];
  readonly time: <Value>(work: () => Promise<Value>) => Promise<Value>;
}

export function createStopwatch(): Stopwatch {
  const periods: Period[] = [];
  const now = (): number => performance.timeOrigin + performance.now();
  return {
    periods,
    time: async (work) => {
      const from = now();
      try {
        return await work();
      } finally {
        periods.push({ from, to: now() });
      }
    },
  };
}

/** The same archive; its writes are timed. */
export function timedWrites(archive: Archive, { time }: Stopwatch): Archive {
  return { ...archive, put: (write) => time(() => archive.put(write)) };
}
