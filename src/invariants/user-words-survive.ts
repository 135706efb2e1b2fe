/** The newest ask and every binding sentence of the user are still there, word for word (R8, R37). */
import { textOfMessage } from "../conversation/message.ts";
import { plainText, unquotedText } from "../handoff/quoted.ts";
import { askSentences, asksOf, constraintsOf } from "../handoff/user-words.ts";
import type { Invariant } from "./invariant.ts";

export const userWordsSurvive: Invariant = {
  name: "user-words-survive",
  broken: (before, after) => {
    const texts = after.map(textOfMessage);
    const ask = asksOf(before, () => false).latest;
    const said = [...askSentences(ask), ...constraintsOf(before)];
    const isSeen = lookupIn(texts);
    const unseen = said.filter((sentence) => !isSeen(sentence));
    // Few are there in another form: beside control characters, or with a line of them marked as a quote.
    const read = unseen.length > 0 ? texts.map((text) => unquotedText(plainText(text))) : [];
    const missing = unseen.filter((sentence) => !read.some((text) => text.includes(sentence)));
    return [...new Set(missing)].map(
      (sentence) => `the user's words are gone: ${JSON.stringify(sentence.slice(0, 120))}`,
    );
  },
};

/** What was said in order stands in order: each sentence is looked for from where the one before it was found. */
function lookupIn(texts: readonly string[]): (sentence: string) => boolean {
  const from = texts.map(() => 0);
  return (sentence) =>
    texts.some((text, index) => {
      const next = text.indexOf(sentence, from[index]);
      const at = next < 0 && from[index]! > 0 ? text.indexOf(sentence) : next;
      if (at >= 0) from[index] = at;
      return at >= 0;
    });
}
