/** batches: a list in pieces that one statement can carry. */

/** A statement carries so many rows at most, and ends early when they are large. */
const BATCH_ROWS = 1_000;
const BATCH_BYTES = 8_000_000;

/** @param bytesOf what an entry takes */
export function* batches<T>(
  list: readonly T[],
  bytesOf: (entry: T) => number = () => 0,
): Generator<readonly T[]> {
  let batch: T[] = [];
  let bytes = 0;
  for (const entry of list) {
    const size = bytesOf(entry);
    if (batch.length > 0 && (batch.length === BATCH_ROWS || bytes + size > BATCH_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(entry);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
