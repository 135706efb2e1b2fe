/** steadyClock: a clock that is never set back: what was stored later has no earlier time, by which the latest is found. */
export function steadyClock(clock: () => number): () => number {
  let latest = Number.NEGATIVE_INFINITY;
  return () => {
    latest = Math.max(latest, clock());
    return latest;
  };
}
