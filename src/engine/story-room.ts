/** How much of a hand-off is kept for what a model is asked to write. */
import { handoffIn } from "../conversation/handoffs/separate.ts";
import type { Message } from "../conversation/message.ts";
import type { Policy, SummaryStyle } from "../policy/policy.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { isHandoff, readHandoff } from "./write.ts";
import type { StoryRoom } from "./written.ts";

/** What the prompt shows in the place of the text that it asks for. */
export const STANDS_HERE = "(your text will stand here)";

interface RoomRequest {
  /** What is handed off. */
  readonly span: readonly Message[];
  readonly counter: TokenCounter;
  readonly policy: Pick<Policy, "summary">;
}

/**
 * As much as the policy says; otherwise no more than what is replaced is worth: in a large room the words themselves are beside it.
 * Where what was written before and what is new need more than their share, they get more of it.
 */
export function roomOf(
  { span, counter, policy }: RoomRequest,
  roomTokens: number,
  lines: readonly string[] = writtenLines(span),
): Omit<StoryRoom, "beside"> | undefined {
  const written = counter.text(lines.join("\n"));
  const all = span.reduce((sum, message) => sum + counter.message(message), 0);
  const told = (all - written) * TOLD_SHARE;
  const [usual, most] = [WRITTEN_SHARE, WRITTEN_ON_SHARE].map((share) => roomTokens * share);
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

/** Of what rules, state and the latest ask leave; the rest is the turn in hand, in the agent's own words. */
const WRITTEN_SHARE = 0.85;
/** The same where there is more to tell on than that holds. */
const WRITTEN_ON_SHARE = 0.93;
/** A label, a number, the heading of the story and the ends of lines. */
export const AROUND_WRITTEN = 20;
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
    return found && isHandoff(found.body) ? toldIn(found.body) : [];
  });
}

function toldIn(body: string): readonly string[] {
  const told = readHandoff(body).filter(({ kind }) => kind === "told");
  return told.flatMap(({ sections }) => sections.flatMap(({ text }) => text.split("\n")));
}
