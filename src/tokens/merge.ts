/** Merge: how many tokens a piece becomes when its byte pairs are merged, lowest rank first. */
import { hashOf, type Ranks, rankOf } from "./ranks.ts";

/**
 * The number of tokens of `bytes[start … end)`. A heap holds the pairs that may be merged, so that a piece of a
 * million bytes takes n log n steps.
 */
export function mergedCount(ranks: Ranks, bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  const { next, previous, pairRank, heap } = length <= SMALL ? small : workspace(length);
  let heapSize = 0;
  let count = length;

  // A part is named by its first byte; its pair is it and the part after it.
  const rankPair = (part: number, pairEnd: number): void => {
    const rank =
      pairEnd - part > ranks.longest
        ? -1
        : rankOf(ranks, bytes, start + part, start + pairEnd, hashOf(bytes, start + part, start + pairEnd));
    pairRank[part] = rank;
    if (rank >= 0) pushKey(heap, heapSize++, rank * POSITIONS + part);
  };

  for (let part = 0; part < length; part++) {
    next[part] = part + 1;
    previous[part] = part - 1;
    pairRank[part] = -1;
  }
  for (let part = 0; part < length - 1; part++) rankPair(part, part + 2);

  while (heapSize > 0) {
    const key = heap[0]!;
    popKey(heap, heapSize--);
    const part = key >>> 0;
    // A pair that has changed since it was pushed has another rank by now.
    if (pairRank[part] !== (key - part) / POSITIONS) continue;
    const merged = next[part]!;
    const after = next[merged]!;
    pairRank[merged] = -1;
    next[part] = after;
    count--;
    if (after < length) {
      previous[after] = part;
      rankPair(part, next[after]!);
    } else {
      pairRank[part] = -1;
    }
    if (part > 0) rankPair(previous[part]!, after);
  }
  return count;
}

/** Heap keys are `rank × POSITIONS + position`: lowest rank first, then leftmost. */
const POSITIONS = 2 ** 32;
const SMALL = 256;

interface Workspace {
  readonly next: Int32Array;
  readonly previous: Int32Array;
  readonly pairRank: Int32Array;
  readonly heap: Float64Array;
}

function workspace(length: number): Workspace {
  return {
    next: new Int32Array(length),
    previous: new Int32Array(length),
    pairRank: new Int32Array(length),
    // Each merge takes one key out and puts at most two in.
    heap: new Float64Array(length * 2),
  };
}

const small = workspace(SMALL);

function pushKey(heap: Float64Array, size: number, key: number): void {
  let at = size;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (heap[parent]! <= key) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = key;
}

function popKey(heap: Float64Array, size: number): void {
  const last = size - 1;
  const key = heap[last]!;
  let at = 0;
  for (let child = 1; child < last; child = at * 2 + 1) {
    if (child + 1 < last && heap[child + 1]! < heap[child]!) child++;
    if (heap[child]! >= key) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = key;
}
