/** countedTerms: the stems of a text as a tsvector that tells how often each is there. */
import { indexTerms, MAX_LENGTH } from "../index-words.ts";

export interface CountedTerms {
  /** As PostgreSQL reads a tsvector. */
  readonly vector: string;
  /** All words, those that are left out of the vector included. */
  readonly length: number;
}

/**
 * A stem's only position is one more than its count, and `#` has the position 1: from the distance the server gets the count
 * back (see `COUNT`). Positions of all occurrences would tell no more than 255 of them.
 *
 * `"cache the caches"` → `'#':1 'cach':3 'the':2`
 */
export function countedTerms(text: string): CountedTerms {
  const terms = indexTerms(text);
  const counts = new Map<string, number>();
  for (const term of terms) if (term.length <= MAX_LENGTH) counts.set(term, (counts.get(term) ?? 0) + 1);
  let bytes = 0;
  const entries = [...counts].map(([term, count]) => {
    bytes += Buffer.byteLength(term) + BYTES_PER_TERM;
    return bytes <= MAX_BYTES ? ` '${term}':${Math.min(count, MAX_COUNT) + 1}` : "";
  });
  return { vector: `'#':1${entries.join("")}`, length: terms.length };
}

/** SQL: how often the stem `term` is in `vector`; nothing where it is not. `ts_rank_cd` is one by the distance. */
export const COUNT = `nullif(round(1 / nullif(ts_rank_cd('{1,1,1,1}', vector, '''#'''::tsquery && term), 0)), 0)`;

/** The stem as a query: no word has a quote in it. */
export function termQuery(term: string): string {
  return `'${term}'`;
}

/** A tsvector may take one megabyte, what is beside each stem included. */
const MAX_BYTES = 1_000_000;
const BYTES_PER_TERM = 6;
/** The last position is 16,383. */
const MAX_COUNT = 16_382;
