/** TF-IDF over a conversation: words that few of its messages use weigh more than those that all of them share. */
import { forEachWord } from "../../text/words.ts";

/** How rare each word is among the documents that were read. */
export interface DocumentFrequencies {
  /** How many documents were read. */
  readonly documents: number;
  /** ln((documents + 1) / (documents that hold the word + 1)), for the word with this hash. */
  readonly rarity: (wordHash: number) => number;
}

/** Reads documents, usually the messages of one conversation. The vocabulary is capped: words beyond it count as new. */
export function documentFrequencies(texts: Iterable<string>): DocumentFrequencies {
  const words = new Int32Array(TABLE_SIZE);
  const counts = new Uint32Array(TABLE_SIZE);
  const lastDocument = new Uint32Array(TABLE_SIZE);
  let documents = 0;
  let vocabulary = 0;
  const count = (hash: number) => {
    const slot = slotOf(words, hash);
    if (words[slot] === 0) {
      if (vocabulary === MAX_VOCABULARY) return;
      vocabulary++;
      words[slot] = hash;
    }
    if (lastDocument[slot] === documents) return;
    lastDocument[slot] = documents;
    counts[slot]!++;
  };
  for (const text of texts) {
    documents++;
    forEachWord(text, count);
  }
  const rarities = Float64Array.from({ length: documents + 1 }, (_, held) =>
    Math.log((documents + 1) / (held + 1)),
  );
  return { documents, rarity: (hash) => rarities[counts[slotOf(words, hash)]!]! };
}

/**
 * The mean inverse document frequency of a text's words, each as often as it occurs: 0 when every document holds them
 * all, ln(documents + 1) when none does. High: specific to this place; low: said everywhere.
 */
export function tfIdf(text: string, frequencies: DocumentFrequencies): number {
  let sum = 0;
  let words = 0;
  forEachWord(text, (hash) => {
    words++;
    sum += frequencies.rarity(hash);
  });
  return words === 0 ? 0 : sum / words;
}

const TABLE_SIZE = 1 << 18;
/** Half of the table, so that a search always ends soon. */
const MAX_VOCABULARY = TABLE_SIZE / 2;

/** Where the word is in the table, or the empty slot where it would be. */
function slotOf(words: Int32Array, hash: number): number {
  let slot = (hash ^ (hash >>> 14)) & (TABLE_SIZE - 1);
  while (words[slot] !== 0 && words[slot] !== hash) slot = (slot + 1) & (TABLE_SIZE - 1);
  return slot;
}
