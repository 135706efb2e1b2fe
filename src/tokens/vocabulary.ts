/** The vocabularies of the public encodings, imported as data: a bundler takes them along, and nothing is looked up on disk. */
import { brotliDecompressSync } from "node:zlib";
import { CompactionError } from "../errors/compaction-error.ts";
import cl100k from "./cl100k-base.json" with { type: "json" };
import o200k from "./o200k-base.json" with { type: "json" };

/** Encodings that are public, so that their tokens can be counted exactly. */
export type Encoding = "o200k_base" | "cl100k_base";

/** A vocabulary in rank order. */
export interface Vocabulary {
  /** How many bytes each token has. */
  readonly lengths: Uint8Array;
  /** All tokens one after another. */
  readonly bytes: Uint8Array;
}

/** Unpacks a vocabulary, which takes about 15 ms for o200k. Throws CompactionError where its data is not whole. */
export function unpackVocabulary(encoding: Encoding): Vocabulary {
  try {
    const unpacked = brotliDecompressSync(Buffer.from(packed[encoding].tokens, "base64"));
    // No token is empty, so the first zero ends the lengths.
    const end = unpacked.indexOf(0);
    return { lengths: unpacked.subarray(0, end), bytes: unpacked.subarray(end + 1) };
  } catch (cause) {
    throw new CompactionError(
      "COMPACTION_FAILED",
      `The tokenizer's data for ${encoding} cannot be read, so no token can be counted. Install pith anew; in a bundled ` +
        "app, see that the bundler takes pith's .json files in whole, or leave pith out of the bundle.",
      { cause },
    );
  }
}

/** Written by scripts/pack-vocabulary.ts. */
const packed: Readonly<Record<Encoding, { readonly tokens: string }>> = {
  o200k_base: o200k,
  cl100k_base: cl100k,
};
