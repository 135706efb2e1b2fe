/** Result: what a compaction gives. */
import type { Conversation } from "../conversation/conversation.ts";
import type { Rewrite } from "../conversation/rewrite.ts";
import type { Plan } from "../plan/plan.ts";
import type { Report } from "../report/report.ts";
import type { CompactionState } from "../state/compaction-state.ts";
import type { CompactOptions } from "./options.ts";

export type Result<Body = unknown> = Returned<Body> & {
  /** What came in: `undo` gives it back. */
  readonly original: { readonly body: Body; readonly state: CompactionState };
  readonly conversation: Conversation;
  /** Which of the messages stayed, and which were written: `conversation` in terms of what came in. */
  readonly rewrite: Rewrite;
  readonly plan: Plan;
  readonly report: Report;
  readonly state: CompactionState;
};

/**
 * What comes back, in the kind and format it was given: `messages` where a list was, `body` where a request body or JSON
 * text was. The very input when nothing was done.
 */
export type Returned<Body> = unknown extends Body
  ? { readonly messages?: Body; readonly body?: Body }
  : Body extends readonly unknown[]
    ? { readonly messages: Body; readonly body?: never }
    : { readonly body: Body; readonly messages?: never };

export function returned(value: unknown): Returned<unknown> {
  return Array.isArray(value) ? { messages: value } : { body: value };
}

/** Whichever of the two it is. */
export function bodyOf<Body>({ messages, body }: Result<Body>): Body {
  return (messages ?? body) as Body;
}

/** What a wrapped call gives: the model's answer, and the compaction that the request went through. */
export type WrappedCall<Answer, Body = unknown> = (
  input: Body,
  options?: CompactOptions,
) => Promise<{ readonly answer: Answer; readonly result: Result<Body> }>;
