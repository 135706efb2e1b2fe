/** The room that is kept for what a model is asked to write. */
import type { Message } from "../conversation/message.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { readSections } from "./sections.ts";
import { handoffIn } from "./separate.ts";
import { SHARES } from "./shares.ts";
import type { StoryRoom } from "./story.ts";
import { readStory } from "./write-story.ts";

/** No more is asked for than what is replaced is worth: in a large room the words themselves stand beside it. */
export function roomOf(
  { span, counter }: { readonly span: readonly Message[]; readonly counter: TokenCounter },
  mostTokens: number,
): Omit<StoryRoom, "beside"> | undefined {
  const written = span.reduce((sum, message) => sum + counter.text(writtenIn(message)), 0);
  const all = span.reduce((sum, message) => sum + counter.message(message), 0);
  const worth = written * GROWN + (all - written) * TOLD_SHARE;
  const most = Math.min(mostTokens * SHARES.written, MOST_WRITTEN);
  const tokens = Math.floor(Math.min(most, Math.max(worth, SMALL_STORY)));
  return tokens < LEAST_WRITTEN ? undefined : { tokens, mostTokens, isTight: tokens < written };
}

/** In fewer tokens nobody tells a story; and so many are well spent on any. */
const LEAST_WRITTEN = 100;
const SMALL_STORY = 1_000;
/** More takes a model minutes to write. */
const MOST_WRITTEN = 8_000;
/** What a telling of messages needs; what an earlier model wrote has been condensed already, and nobody fills all of a room. */
const TOLD_SHARE = 0.15;
const GROWN = 1.2;

function writtenIn(message: Message): string {
  const found = handoffIn(message);
  if (!found) return "";
  const entries = readStory(readSections(found.body).story).flatMap((turn) => turn.entries);
  const words = entries.filter(({ voice }) => voice === "earlier").flatMap(({ units }) => units);
  return words.map(({ text }) => text).join("\n");
}
