/** Byte pair encoding: the exact number of tokens of a text in a public encoding. */
import { mergedCount } from "./merge.ts";
import { cl100kPieceEnd, o200kPieceEnd, type PieceEnd } from "./pre-split.ts";
import { equalBytes, hashOf, type Ranks, rankOf, ranksOf } from "./ranks.ts";
import type { Encoding } from "./vocabulary.ts";

/**
 * Counts the tokens of a text. Special tokens are plain text here, so `<|endoftext|>` counts as its 7 pieces.
 *
 *     countTokens("Hello, world", "o200k_base") → 3
 */
export function countTokens(text: string, encoding: Encoding): number {
  const coder = coderOf(encoding);
  if (text.length > SHARED_CHARACTERS) {
    const bytes = encoder.encode(text);
    return countBytes(coder, bytes, bytes.length);
  }
  return countBytes(coder, sharedBytes, encoder.encodeInto(text, sharedBytes).written);
}

/** What counting in one encoding needs. */
interface Coder {
  readonly ranks: Ranks;
  readonly pieceEnd: PieceEnd;
  readonly cache: PieceCache;
}

/** Counts of pieces that are more than one token: one piece per slot, the newest wins, so it never grows. */
interface PieceCache {
  readonly bytes: Uint8Array;
  readonly lengths: Uint8Array;
  readonly counts: Uint8Array;
}

const PIECE_ENDS: Record<Encoding, PieceEnd> = { o200k_base: o200kPieceEnd, cl100k_base: cl100kPieceEnd };
const CACHE_SLOTS = 2 ** 15;
const CACHE_PIECE_BYTES = 32;
/** Texts up to this long are encoded into one buffer that is used again and again. */
const SHARED_CHARACTERS = 2 ** 16;

const encoder = new TextEncoder();
const sharedBytes = new Uint8Array(SHARED_CHARACTERS * 3);
const coders = new Map<Encoding, Coder>();

function coderOf(encoding: Encoding): Coder {
  let coder = coders.get(encoding);
  if (!coder) {
    const cache = {
      bytes: new Uint8Array(CACHE_SLOTS * CACHE_PIECE_BYTES),
      lengths: new Uint8Array(CACHE_SLOTS),
      counts: new Uint8Array(CACHE_SLOTS),
    };
    coder = { ranks: ranksOf(encoding), pieceEnd: PIECE_ENDS[encoding], cache };
    coders.set(encoding, coder);
  }
  return coder;
}

function countBytes({ ranks, pieceEnd, cache }: Coder, bytes: Uint8Array, end: number): number {
  let count = 0;
  let start = 0;
  while (start < end) {
    const next = pieceEnd(bytes, start, end);
    count +=
      next - start > ranks.longest
        ? mergedCount(ranks, bytes, start, next)
        : countPiece(ranks, cache, bytes, start, next);
    start = next;
  }
  return count;
}

function countPiece(ranks: Ranks, cache: PieceCache, bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length === 1) return 1;
  const hash = hashOf(bytes, start, end);
  if (rankOf(ranks, bytes, start, end, hash) >= 0) return 1;
  if (length > CACHE_PIECE_BYTES) return mergedCount(ranks, bytes, start, end);
  const slot = hash & (CACHE_SLOTS - 1);
  const offset = slot * CACHE_PIECE_BYTES;
  if (cache.lengths[slot] === length && equalBytes(cache.bytes, offset, bytes, start, end))
    return cache.counts[slot]!;
  const count = mergedCount(ranks, bytes, start, end);
  cache.bytes.set(bytes.subarray(start, end), offset);
  cache.lengths[slot] = length;
  cache.counts[slot] = count;
  return count;
}
