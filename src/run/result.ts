/** Result: what a compaction gives. */
import type { Conversation } from "../conversation/conversation.ts";
import type { Rewrite } from "../conversation/rewrite.ts";
import type { Plan } from "../plan/plan.ts";
import type { Report } from "../report/report.ts";
import type { CompactionState } from "../state/compaction-state.ts";
import type { CompactOptions } from "./options.ts";

export interface Result<Body = unknown> {
  /** The compacted body, in the kind and format it was given. The very input when nothing was done. */
  readonly output: Body;
  /** What came in: `undo` gives it back. */
  readonly original: { readonly body: Body; readonly state: CompactionState };
  readonly conversation: Conversation;
  /** Which of the messages stayed, and which were written: `conversation` in terms of what came in. */
  readonly rewrite: Rewrite;
  readonly plan: Plan;
  readonly report: Report;
  readonly state: CompactionState;
}

/** What a wrapped call gives: the model's answer, and the compaction that the request went through. */
export type WrappedCall<Answer, Body = unknown> = (
  input: Body,
  options?: CompactOptions,
) => Promise<{ readonly answer: Answer; readonly result: Result<Body> }>;
