/** The room that is kept for what a model is asked to write. */
import type { Message } from "../conversation/message.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { readSections } from "./sections.ts";
import { handoffIn } from "./separate.ts";
import { SHARES } from "./shares.ts";
import type { StoryRoom } from "./story.ts";
import { readStory } from "./write-story.ts";
import { AROUND_WRITTEN } from "./written-story.ts";

/**
 * No more is asked for than what is replaced is worth: in a large room the words themselves stand beside it. Where what was written before
 * and what is new need more than their share, they get more of it.
 */
export function roomOf(
  { span, counter }: { readonly span: readonly Message[]; readonly counter: TokenCounter },
  roomTokens: number,
): Omit<StoryRoom, "beside"> | undefined {
  const written = counter.text(writtenLines(span).join("\n"));
  const told = (span.reduce((sum, message) => sum + counter.message(message), 0) - written) * TOLD_SHARE;
  const [usual, most] = [SHARES.written, SHARES.writtenOn].map((share) => roomTokens * share);
  const share = written === 0 ? usual! : Math.min(most!, Math.max(usual!, written + told));
  const worth = Math.max(written * GROWN + told, SMALL_STORY);
  const tokens = Math.floor(Math.min(share, MOST_WRITTEN, worth));
  return tokens < LEAST_WRITTEN
    ? undefined
    : {
        tokens,
        mostTokens: Math.max(tokens, roomTokens - AROUND_WRITTEN),
        missingTokens: Math.max(0, written - tokens),
      };
}

/** In fewer tokens nobody tells a story; and so many are well spent on any. */
const LEAST_WRITTEN = 100;
const SMALL_STORY = 1_000;
/** More takes a model minutes to write. */
const MOST_WRITTEN = 8_000;
/** What a telling of messages needs; what an earlier model wrote has been condensed already, and nobody fills all of a room. */
export const TOLD_SHARE = 0.15;
const GROWN = 1.2;

/** What a model wrote in the hand-offs among these messages, line by line. */
export function writtenLines(span: readonly Message[]): readonly string[] {
  return span.flatMap((message) => {
    const found = handoffIn(message);
    const turns = found ? readStory(readSections(found.body).story) : [];
    const entries = turns.flatMap((turn) => turn.entries).filter(({ voice }) => voice === "earlier");
    return entries.flatMap(({ units }) =>
      units
        .map(({ text, join }, at) => (at === 0 ? text : join + text))
        .join("")
        .split("\n"),
    );
  });
}
