/** PlanRequest: all that a plan depends on. */

import type { Marks } from "../archive/marks.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { Message } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Policy, ThresholdAction } from "../policy/policy.ts";
import type { Format } from "../providers/format.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { Lessons } from "../weights/lessons.ts";

export interface PlanRequest {
  readonly conversation: Conversation;
  readonly policy: Policy;
  readonly counter: TokenCounter;
  /** The hard ceiling, counted as `countedTokens` counts. */
  readonly targetTokens: number;
  /** What the window holds, counted alike: up to it what is in view may exceed the target. @default the target is hard */
  readonly roomTokens?: number;
  /** The provider refused it for its size: nothing is known of the window but that it is smaller. */
  readonly isRefused?: boolean;
  /** What stays whatever the target, and is not counted by `counter`: pictures and files that the model looks at. */
  readonly inView?: ReadonlySet<Part>;
  /** How far the plan may go. With `shrink` or `extract` it may stay above the target. */
  readonly action: ThresholdAction;
  /** Hand off even where lighter stages would do: there are too many messages, or the policy always does when it is due. */
  readonly mustHandOff?: boolean;
  /** What the retention's percent is a share of: the window's budget. @default the target */
  readonly budgetTokens?: number;
  /** How often the conversation was compacted before. */
  readonly compactions: number;
  /** The note of F44 was put into the system prompt before. */
  readonly systemNoted?: boolean;
  /** What the last compaction knew of all that it had handed off. */
  readonly ledger?: Ledger;
  /** What this conversation's recalls taught about what must be kept (F19). */
  readonly lessons?: Lessons;
  /** The id of what leaves; absent where nothing is archived, and then no text names an id. */
  readonly marks?: Marks | undefined;
  /** The keys of the hand-offs in it that are ours, for the engine. */
  readonly ours?: ReadonlySet<string>;
  readonly format: Pick<Format, "create" | "handoffRoles" | "leadRoles" | "alternates" | "joined">;
  /** Messages that leave with what is handed off although they are not in the conversation here: its id stands for them too. */
  readonly besides?: readonly Message[];
}
