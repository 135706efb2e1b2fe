/** CompactionState: all that must be remembered between two calls, as a plain serialisable value (F60). */

import type { Ledger } from "../ledger/ledger.ts";
import type { UsageAnchor } from "../tokens/anchor.ts";
import type { Lessons } from "../weights/lessons.ts";
import type { SummarizerState } from "./summarizer-state.ts";

export interface CompactionState {
  readonly version: 1;
  /** How often this conversation was compacted. */
  readonly compactions: number;
  /** Milliseconds since the epoch of the last automatic attempt, for the pause between attempts. */
  readonly lastAttemptAt?: number;
  /** A compaction whose effect the next real prompt size will judge (R16). */
  readonly pendingVerdict?: { readonly thresholdTokens: number };
  /** Compactions in a row that did not bring the prompt under its threshold, or fixed points (R16, R20). */
  readonly strikes: number;
  /** Sizes after the last few automatic compactions, newest last, to see a fixed point or a too fast rhythm (R20). */
  readonly recentResults: readonly {
    readonly at: number;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
  }[];
  /** No automatic compaction before this time; then one probe (R17, R18). */
  readonly blockedUntil?: number;
  readonly blockedReason?: string;
  /** The block ends early when the fill reaches this many tokens: there is something new to look at (R18). */
  readonly blockEndsAtTokens?: number;
  /** Hysteresis: the fill must pass this many tokens again before the next automatic attempt (R48). */
  readonly rearmTokens?: number;
  /** What the provider last reported; unknown after a compaction (R22). */
  readonly anchor?: UsageAnchor;
  /** The reported size that the last compaction acted on: the same report given again is old news (R22). */
  readonly actedOnUsage?: number;
  /** The model the verdicts were made for: a switch resets them (R17). */
  readonly model?: string;
  /** The call of compress_context that was honoured last: each is honoured once (R50). */
  readonly honouredRequest?: string;
  /** Cooldowns and attempts of the summarizers (R32, R34). */
  readonly summarizer?: SummarizerState;
  /** The conversation's name in the archive, and the id of its last compaction there. */
  readonly conversationId?: string;
  readonly lastCompaction?: string;
  /** What is known of all that was handed off: the next hand-off is written from it. */
  readonly ledger?: Ledger;
  /** What had to be recalled after it was dropped, with `adaptive` (F19). Leave it out to forget it. */
  readonly lessons?: Lessons;
  /** The key of the hand-off that the last compaction wrote: by it the next one knows that it is ours. */
  readonly handoff?: string;
  /** The note of F44 is in the system prompt already. */
  readonly systemNoted?: boolean;
}

export const initialState: CompactionState = { version: 1, compactions: 0, strikes: 0, recentResults: [] };
