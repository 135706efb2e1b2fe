/** The newest ask and the user's binding sentences are still there, word for word, within the share that rules have (R8, R37). */
import { textOfMessage } from "../conversation/message.ts";
import { textOfPart } from "../conversation/part.ts";
import type { Invariant } from "../engine/invariants/invariant.ts";
import { asksOf, constraintsOf } from "../handoff/asks.ts";
import { withoutSeries } from "../handoff/rules.ts";
import { plainText, unquotedText } from "../reading/handoffs/quoted.ts";
import { askSentences } from "../reading/user-words.ts";
import { oddsOf } from "../salience/binding-weights.ts";

export const userWordsSurvive: Invariant = {
  name: "user-words-survive",
  broken: (before, after) => {
    const ask = asksOf(before, () => false).latest;
    const rules = withoutSeries(constraintsOf(before));
    const said = [...askSentences(ask), ...rules];
    // Part by part: what is in one of them is in the message, and a long one is not copied to be looked at.
    const isSeen = lookupIn(after.flatMap(({ parts }) => parts.map(textOfPart)));
    const unseen = said.filter((sentence) => !isSeen(sentence));
    // Few are there in another form: over two parts, beside control characters, or with a line of them marked as a quote.
    const texts = unseen.length > 0 ? after.map(textOfMessage) : [];
    const read = texts.flatMap((text) => [text, unquotedText(plainText(text))]);
    const missing = unseen.filter((sentence) => !read.some((text) => text.includes(sentence)));
    const gone = mayGo(rules, new Set(missing));
    return [...new Set(missing.filter((sentence) => !gone(sentence)))].map(
      (sentence) => `the user's words are gone: ${JSON.stringify(sentence.slice(0, 120))}`,
    );
  },
};

/** Beyond their share rules go, but never the likeliest: an ask that stays says others by the way. */
function mayGo(rules: readonly string[], missing: ReadonlySet<string>): (sentence: string) => boolean {
  const kept = rules.filter((rule) => !missing.has(rule));
  if (missing.size === 0 || kept.join("").length < LEAST_CHARS) return () => false;
  const most = Math.max(...kept.map((rule) => oddsOf(rule).binds));
  const ruled = new Set(rules);
  return (sentence) => ruled.has(sentence) && oddsOf(sentence).binds <= most;
}

/** What the smallest share of rules holds, about. */
const LEAST_CHARS = 150;

/** What was said in order is in order: each sentence is looked for from where the one before it was found. */
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
