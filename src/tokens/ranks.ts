/** Ranks: the vocabulary of an encoding (byte strings in merge order), held in flat typed arrays. */
import { type Encoding, unpackVocabulary, type Vocabulary } from "./vocabulary.ts";

/** A token's rank is its place in the vocabulary: the pair of lowest rank is merged first. */
export interface Ranks {
  /** All tokens one after another; token `rank` is `bytes[offsets[rank]] … bytes[offsets[rank + 1]]`. */
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
  /** Open-addressing hash table: rank + 1, or 0 for a free slot. */
  readonly slots: Int32Array;
  /** Bytes of the longest token. */
  readonly longest: number;
}

/** Makes the ranks on first use (about 40 ms for o200k); afterwards the same value comes back. */
export function ranksOf(encoding: Encoding): Ranks {
  let ranks = loaded.get(encoding);
  if (!ranks) {
    ranks = indexTokens(unpackVocabulary(encoding));
    loaded.set(encoding, ranks);
  }
  return ranks;
}

/** The rank of the token `bytes[start … end)`, or -1 when these bytes are no token. */
export function rankOf(ranks: Ranks, bytes: Uint8Array, start: number, end: number, hash: number): number {
  const { slots, offsets } = ranks;
  const mask = slots.length - 1;
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const rank = slots[slot]! - 1;
    if (rank < 0) return -1;
    const offset = offsets[rank]!;
    if (offsets[rank + 1]! - offset === end - start && equalBytes(ranks.bytes, offset, bytes, start, end)) {
      return rank;
    }
  }
}

/** FNV-1a, folded so that the low bits depend on all others. */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let index = start; index < end; index++) hash = Math.imul(hash ^ bytes[index]!, 0x01000193);
  return hash ^ (hash >>> 15);
}

/** Whether `left` from `offset` on holds the same bytes as `right[start … end)`. */
export function equalBytes(
  left: Uint8Array,
  offset: number,
  right: Uint8Array,
  start: number,
  end: number,
): boolean {
  const shift = offset - start;
  for (let index = start; index < end; index++) {
    if (left[index + shift] !== right[index]) return false;
  }
  return true;
}

const loaded = new Map<Encoding, Ranks>();

function indexTokens({ lengths, bytes }: Vocabulary): Ranks {
  const offsets = new Uint32Array(lengths.length + 1);
  let longest = 0;
  for (let rank = 0; rank < lengths.length; rank++) {
    offsets[rank + 1] = offsets[rank]! + lengths[rank]!;
    longest = Math.max(longest, lengths[rank]!);
  }
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(offsets.length * 2)));
  const ranks = { bytes, offsets, slots, longest };
  for (let rank = 0; rank < lengths.length; rank++) insert(ranks, rank);
  return ranks;
}

function insert({ bytes, offsets, slots }: Ranks, rank: number): void {
  const start = offsets[rank]!;
  // subtle: the reference tokenizer never uses the tokens that begin with a byte order mark; nor do we.
  if (bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf) return;
  const mask = slots.length - 1;
  let slot = hashOf(bytes, start, offsets[rank + 1]!) & mask;
  while (slots[slot] !== 0) slot = (slot + 1) & mask;
  slots[slot] = rank + 1;
}
