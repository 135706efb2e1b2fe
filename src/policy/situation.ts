/** Situation: everything a decision is made from. */
import type { Conversation } from "../conversation/conversation.ts";
import type { CompactionState } from "../state/compaction-state.ts";
import type { Fill } from "../tokens/fill.ts";
import type { Policy } from "./policy.ts";

export interface Situation {
  readonly fill: Fill;
  readonly conversation: Conversation;
  readonly policy: Policy;
  readonly state: CompactionState;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** A person asked, or the provider refused the request for its size. */
  readonly force?: "manual" | "overflow" | undefined;
  /** The agent asked, with `compress_context`. Blocks and pauses do not hold it back. */
  readonly requested?: boolean | undefined;
  /** Tokens of the largest unpinned tool result; asked for only where a rule needs it. */
  readonly largestResultTokens?: (() => number) | undefined;
}

/** A situation in which the messages are counted. */
export interface CountedSituation extends Situation {
  /** Messages besides system messages: what the message rules count. */
  readonly spoken: number;
}
