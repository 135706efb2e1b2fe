/** createCompactor: the front door of the library. (The implementation follows; these are its shapes.) */
import type { Conversation } from "./conversation/conversation.ts";
import type { Plan } from "./plan/plan.ts";
import type { Policy } from "./policy/policy.ts";
import type { PresetExpression } from "./policy/presets.ts";
import type { CompactionEvent } from "./report/event.ts";
import type { Health } from "./report/health.ts";
import type { Report } from "./report/report.ts";
import type { CompactionState } from "./state/compaction-state.ts";

export interface CompactorOptions {
  /** When and how to compact: a preset with modifiers, or a policy of your own. @default "balanced" */
  readonly preset?: PresetExpression | Policy;
  /** The model's context window in tokens. Needed unless the model is a known one or every call has a target. */
  readonly window?: number;
  /** Tokens kept free for the answer. @default the smaller of 8,192 and an eighth of the window */
  readonly reserve?: number;
  /** The model's name: picks the tokenizer, and the window where it is known. */
  readonly model?: string;
  /** Wire format of what is given. @default "auto" */
  readonly format?: string;
  /** Hears about progress. */
  readonly onEvent?: (event: CompactionEvent) => void;
  /** Receives the SESSION_LOG lines of every compaction (F28, F39); append them to a file, never rewrite it. */
  readonly sessionLog?: (text: string) => void;
  /** Milliseconds since the epoch. @default Date.now */
  readonly clock?: () => number;
}

export interface CompactOptions {
  /** A hard ceiling in tokens, or a share of what came in ("30%"). Compacts whatever the thresholds say. */
  readonly target?: number | `${number}%`;
  /** Tool definitions that are sent with the conversation, when the body does not hold them. */
  readonly tools?: readonly unknown[];
  /** Positions of messages that must stay whole and verbatim. */
  readonly pins?: readonly number[];
  /** What the last call returned. */
  readonly state?: CompactionState;
  /** The provider's usage block of the last answer. */
  readonly usage?: unknown;
  /** Compact now, whatever the thresholds and pauses say. `overflow`: the provider refused the request for its size. */
  readonly force?: "manual" | "overflow";
}

export interface Result {
  /** The compacted body, in the kind and format it was given. The very input when nothing was done. */
  readonly output: unknown;
  readonly conversation: Conversation;
  readonly plan: Plan;
  readonly report: Report;
  readonly state: CompactionState;
}

export interface Compactor {
  /** Never throws: on any failure `output` is the input and `report.error` says why. */
  readonly compact: (input: unknown, options?: CompactOptions) => Promise<Result>;
  /** The plan that `compact` would carry out; empty steps when nothing is due. Throws CompactionError. */
  readonly plan: (input: unknown, options?: CompactOptions) => Plan;
  readonly health: (input: unknown, options?: CompactOptions) => Health;
  readonly policy: Policy;
}
