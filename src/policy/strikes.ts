/** Strikes: a compaction that did not help is one; so many in a row stop automatic compaction (R16). */
export const strikesToBlock = 2;
