/** Constraints: what binds, in the user's own words; never from quoted, pasted or tool text. */
import { bindingSentences } from "../salience/binding-sentences.ts";
import type { Draft } from "./draft.ts";

/** Notes what the user's words bind by, verbatim, each sentence once. */
export function noteConstraints(draft: Draft, words: string): void {
  for (const text of bindingSentences(words)) {
    if (!draft.constraints.has(text)) draft.constraints.set(text, { text, role: "user", at: draft.messages });
  }
}
