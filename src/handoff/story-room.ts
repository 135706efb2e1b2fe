/** The room that is kept for what a model is asked to write. */

import { handoffIn } from "../conversation/handoffs/separate.ts";
import type { Message } from "../conversation/message.ts";
import { isHandoff, readHandoff } from "../engine/write.ts";
import type { SummaryStyle } from "../policy/policy.ts";
import type { HandoffRequest } from "./compose.ts";
import { readStory } from "./read-story.ts";
import { readSections } from "./sections.ts";
import { SHARES } from "./shares.ts";
import type { StoryRoom } from "./story.ts";
import { AROUND_WRITTEN } from "./written-story.ts";

/**
 * As much as the policy says; otherwise no more than what is replaced is worth: in a large room the words themselves are beside it.
 * Where what was written before and what is new need more than their share, they get more of it.
 */
export function roomOf(
  { span, counter, policy }: Pick<HandoffRequest, "span" | "counter" | "policy">,
  roomTokens: number,
): Omit<StoryRoom, "beside"> | undefined {
  const written = counter.text(writtenLines(span).join("\n"));
  const all = span.reduce((sum, message) => sum + counter.message(message), 0);
  const told = (all - written) * TOLD_SHARE;
  const [usual, most] = [SHARES.written, SHARES.writtenOn].map((share) => roomTokens * share);
  const share = written === 0 ? usual! : Math.min(most!, Math.max(usual!, written + told));
  const worth = Math.max(written * GROWN + told, SMALL_STORY);
  const wished = wishedTokens(policy.summary, all) ?? Math.min(MOST_WRITTEN, worth);
  const tokens = Math.floor(Math.min(share, wished));
  return tokens < LEAST_WRITTEN
    ? undefined
    : {
        tokens,
        mostTokens: Math.max(tokens, roomTokens - AROUND_WRITTEN),
        missingTokens: Math.max(0, written - tokens),
      };
}

/** How long a policy wants the summary of so many tokens; undefined: as long as it is worth. */
function wishedTokens(style: SummaryStyle | undefined, spanTokens: number): number | undefined {
  if (style?.tokens === undefined) return undefined;
  const { tokens, share = 0, mostTokens = Number.POSITIVE_INFINITY } = style;
  return Math.min(mostTokens, Math.max(tokens, Math.ceil(share * spanTokens)));
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
    if (found && isHandoff(found.body)) return toldIn(found.body);
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

function toldIn(body: string): readonly string[] {
  const told = readHandoff(body).filter(({ kind }) => kind === "told");
  return told.flatMap(({ sections }) => sections.flatMap(({ text }) => text.split("\n")));
}
