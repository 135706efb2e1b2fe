/** Constraints: what binds, in the user's own words; never from quoted, pasted or tool text. */
import type { LedgerDraft } from "./draft.ts";

/** Notes what the user's words bind by, verbatim, each sentence once. */
export function noteConstraints(draft: LedgerDraft, sentences: readonly string[]): void {
  for (const text of sentences) {
    if (!draft.constraints.has(text)) draft.constraints.set(text, { text, role: "user", at: draft.messages });
  }
}
