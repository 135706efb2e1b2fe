/** Constraints: what binds, in the user's own words; never from quoted, pasted or tool text. */
import type { Message } from "../conversation/message.ts";
import { userWordsOf } from "../handoff/user-words.ts";
import { bindingSentences } from "../salience/binding-sentences.ts";
import type { Draft } from "./draft.ts";

/** Notes what a user's message binds by, verbatim, each sentence once. */
export function noteConstraints(draft: Draft, message: Message): void {
  const words = userWordsOf(message);
  if (words === "") return;
  for (const text of bindingSentences(words)) {
    if (!draft.constraints.has(text)) draft.constraints.set(text, { text, role: "user", at: draft.messages });
  }
}
