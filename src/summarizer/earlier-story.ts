/** The earlier story: what a model wrote before, paragraph by paragraph, and how it is to be told on in the room there is. */
import type { Message } from "../conversation/message.ts";
import { TOLD_SHARE } from "../engine/story-room.ts";
import { writtenLines } from "../handoff/story-room.ts";
import { type Paragraph, paragraphsOf } from "../text/paragraphs.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { sharedRoom, sum } from "./shared-room.ts";

export interface EarlierParagraph extends Paragraph {
  readonly tokens: number;
  /** What it has when it is told on; all that it has where it is to be copied. */
  readonly most: number;
}

export interface EarlierStory {
  readonly paragraphs: readonly EarlierParagraph[];
  /** What is left of the room for what is new. */
  readonly newTokens: number;
  readonly wordsPerToken: number;
}

/** Undefined where nobody wrote before. */
export function earlierStory(
  span: readonly Message[],
  roomTokens: number,
  counter: TokenCounter,
): EarlierStory | undefined {
  const lines = writtenLines(span).filter((line) => line.trim() !== "");
  if (lines.length === 0) return undefined;
  const paragraphs = paragraphsOf(lines).map((paragraph) => ({
    ...paragraph,
    tokens: counter.text(paragraph.lines.join("\n")) + 1,
  }));
  const written = sum(paragraphs.map(({ tokens }) => tokens));
  const all = sum(span.map((message) => counter.message(message)));
  const wished = Math.min((all - written) * TOLD_SHARE, roomTokens * NEW_SHARE);
  const most = sharedRoom(paragraphs, roomTokens - wished);
  return {
    paragraphs: paragraphs.map((paragraph, at) => ({ ...paragraph, most: most[at]! })),
    newTokens: Math.max(0, roomTokens - sum(most)),
    wordsPerToken: (lines.join(" ").split(/\s+/).length / written) * NEARLY_FILLED,
  };
}

/** What is new may have this share of the room before anything of the earlier story stays. */
const NEW_SHARE = 0.3;
/** Who is told a number of words writes somewhat less. */
const NEARLY_FILLED = 1.05;

/** How to tell it on, with sizes in words. */
export function tellOnNote({ paragraphs, newTokens, wordsPerToken }: EarlierStory): string {
  const words = (tokens: number) => Math.max(5, Math.round((tokens * wordsPerToken) / 5) * 5);
  const cuts = paragraphs
    .filter(({ tokens, most }) => most < tokens)
    .map((each) => `${nameOf(each, paragraphs)} to ${words(each.most)} words (from ${words(each.tokens)})`);
  const shorter = `There is no room for all of it. Make these paragraphs shorter, and no other: ${cuts.join(", ")}. What goes is narration, steps on the way and what is told elsewhere; what was asked, what was decided and why, what came of it, and every name, number, path and id stay.`;
  return `Its story, after "Summary by a model:" or "Earlier summary:", is all that is left of the turns that it tells, and whatever you leave out of it is lost. Tell it on:
- First the earlier story from its very beginning, paragraph by paragraph under the same numbers, word for word, with every value; Rules and Facts too. ${cuts.length > 0 ? `${shorter} ` : ""}Where the new turns changed what it says, add that in a few words.
- Then, under the next numbers, for what is new about ${words(newTokens)} words. That later turns get more room holds among these.
- State and Next last, as they are now.`;
}

/** `7`, `9–10`; of one without a number, which line it is. */
function nameOf(paragraph: EarlierParagraph, all: readonly EarlierParagraph[]): string {
  const { numbers } = paragraph;
  return numbers ? [...new Set(numbers)].join("–") : `line ${all.indexOf(paragraph) + 1}`;
}
