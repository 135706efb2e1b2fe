/** The newest ask and every binding sentence of the user are still there, word for word (R8, R37). */
import { textOfMessage } from "../conversation/message.ts";
import { askSentences, asksOf, constraintsOf } from "../handoff/user-words.ts";
import type { Invariant } from "./invariant.ts";

export const userWordsSurvive: Invariant = {
  name: "user-words-survive",
  broken: (before, after) => {
    const texts = after.map(textOfMessage);
    const ask = asksOf(before, () => false).latest;
    const missing = [...askSentences(ask), ...constraintsOf(before)].filter(
      (sentence) => !texts.some((text) => text.includes(sentence)),
    );
    return [...new Set(missing)].map(
      (sentence) => `the user's words are gone: ${JSON.stringify(sentence.slice(0, 120))}`,
    );
  },
};
