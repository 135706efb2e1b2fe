/** Truth: whether a result says what is so in a small story, and nothing that is not. */
import type { Judge } from "./judge.ts";
import { resultText } from "./result-text.ts";
import { isSaid, type Sign } from "./signs.ts";
import { type Story, stories } from "./stories.ts";

const usualTokens = 700;

export const truth: Judge<number> = {
  *tasks() {
    for (const [order, { name }] of stories.entries()) yield { case: name, ask: order };
  },
  async measure({ ask: order }, compact) {
    const story = stories[order]!;
    const { name, messages, rounds = [], targetTokens = usualTokens } = story;
    let result = await compact(messages, targetTokens, "story");
    for (const [round, more] of rounds.entries())
      result = result && (await compact([...result, ...more], targetTokens, `round ${round + 1}`));
    const lies = result ? liesIn(story, resultText(messages, result)) : ["there is no result"];
    const note = lies.length > 0 ? `${name}: ${lies.join(", ")}` : undefined;
    return [{ row: "truth/stories", case: name, held: lies.length > 0 ? 0 : 1, all: 1, note }];
  },
};

/** What a text does not say of a story, or says and should not. */
export function liesIn({ says = [], never = [] }: Story, text: string): readonly string[] {
  const missing = says.filter((sign) => !isSaid(sign, text)).map((sign) => `does not say ${nameOf(sign)}`);
  const told = never.filter((sign) => isSaid(sign, text)).map((sign) => `says ${nameOf(sign)}`);
  return [...missing, ...told];
}

function nameOf(sign: Sign): string {
  return sign instanceof RegExp ? String(sign) : sign.join(" ");
}
