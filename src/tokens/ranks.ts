/** Ranks: the vocabulary of an encoding (byte strings in merge order), held in flat typed arrays. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** Encodings that are public, so that their tokens can be counted exactly. */
export type Encoding = "o200k_base" | "cl100k_base";

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

/** Reads the ranks on first use (about 40 ms for o200k); afterwards the same value comes back. */
export function ranksOf(encoding: Encoding): Ranks {
  let ranks = loaded.get(encoding);
  if (!ranks) {
    const require = createRequire(import.meta.url);
    ranks = parseRanks(readFileSync(require.resolve(`gpt-tokenizer/data/${encoding}.tiktoken`)));
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

/** A file of lines `<base64 of the token> <rank>`, in rank order. */
function parseRanks(file: Uint8Array): Ranks {
  const bytes = new Uint8Array(file.length);
  const offsets: number[] = [0];
  let length = 0;
  let longest = 0;
  for (let at = 0; at < file.length; at = file.indexOf(NEWLINE, at) + 1 || file.length) {
    const start = length;
    for (; file[at] !== SPACE; at += 4) {
      const quad =
        (SIXTETS[file[at]!]! << 18) |
        (SIXTETS[file[at + 1]!]! << 12) |
        (SIXTETS[file[at + 2]!]! << 6) |
        SIXTETS[file[at + 3]!]!;
      bytes[length++] = quad >> 16;
      if (file[at + 2] !== PADDING) bytes[length++] = quad >> 8;
      if (file[at + 3] !== PADDING) bytes[length++] = quad;
    }
    offsets.push(length);
    longest = Math.max(longest, length - start);
  }
  const ranks = {
    bytes: bytes.slice(0, length),
    offsets: Uint32Array.from(offsets),
    slots: new Int32Array(2 ** Math.ceil(Math.log2(offsets.length * 2))),
    longest,
  };
  for (let rank = 0; rank < offsets.length - 1; rank++) insert(ranks, rank);
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

const NEWLINE = 0x0a;
const SPACE = 0x20;
const PADDING = 0x3d;
const SIXTETS = new Uint8Array(256);
for (const [value, character] of [
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
].entries()) {
  SIXTETS[character.charCodeAt(0)] = value;
}
