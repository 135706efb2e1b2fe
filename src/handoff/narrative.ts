/** Narrative: what a summary brings into a hand-off. */

export interface Narrative {
  /** Lines in the ledger's own form, by which the next compaction knows them again. They come before the story. */
  readonly mustKeep: readonly string[];
  /** What the summary tells, audited: line by line, or in the text form sentence by sentence. */
  readonly story: readonly string[];
}
