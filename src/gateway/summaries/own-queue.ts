/** ownQueue: a SummaryQueue inside one process. What waits is lost with it: the deterministic hand-off is used. */
import type { SummaryJob } from "./summary-job.ts";
import { MOST_AT_ONCE, type SummaryQueue, type SummaryQueueOptions } from "./summary-queue.ts";

/** Snapshots that may wait; past that the oldest is given up. */
const MOST_WAITING = 64;
/** Snapshots that are known to have been here. */
const MOST_KNOWN = 10_000;

export function ownQueue({ write, onFailure, onEnd }: SummaryQueueOptions): SummaryQueue {
  const known = new Set<string>();
  /** Of those, what waits or is being written. */
  const open = new Set<string>();
  const waiting: SummaryJob[] = [];
  const underWay = new Set<Promise<void>>();
  const stop = new AbortController();

  const end = (job: SummaryJob): void => {
    open.delete(keyOf(job));
    onEnd?.(job);
  };
  const next = (): void => {
    while (underWay.size < MOST_AT_ONCE && waiting.length > 0 && !stop.signal.aborted) {
      const job = waiting.shift()!;
      const written = write(job, stop.signal)
        .catch(onFailure)
        .finally(() => {
          underWay.delete(written);
          end(job);
          next();
        });
      underWay.add(written);
    }
  };

  return {
    send: async (job) => {
      const key = keyOf(job);
      if (open.has(key)) return;
      if (known.has(key)) return end(job);
      known.add(key);
      open.add(key);
      for (const oldest of known) if (known.size > MOST_KNOWN) known.delete(oldest);
      waiting.push(job);
      if (waiting.length > MOST_WAITING) end(waiting.shift()!);
      next();
    },
    close: async () => {
      stop.abort();
      await Promise.all(underWay);
    },
  };
}

function keyOf({ tenant, snapshot }: SummaryJob): string {
  return `${tenant}/${snapshot}`;
}
