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
    ? { readonly messages: Widened<Body>; readonly body?: never }
    : { readonly body: Widened<Body>; readonly messages?: never };

/**
 * The type without what a compaction does not keep: how many messages there are, which comes where, and what they say.
 * Anything but a tuple, a body that has one, or a text known to the letter, is its own type.
 */
export type Widened<Body> = Body extends string
  ? string
  : Body extends readonly unknown[]
    ? WidenedList<Body>
    : Body extends { readonly messages: infer List } | { readonly input: infer List }
      ? List extends Tuple<List>
        ? { [Key in keyof Body]: Key extends "messages" | "input" ? WidenedList<Body[Key]> : Body[Key] }
        : Body
      : Body;

type Tuple<List> = List extends readonly unknown[] ? (number extends List["length"] ? never : List) : never;

type WidenedList<List> =
  List extends Tuple<List>
    ? List extends unknown[]
      ? WidenedMessage<List[number]>[]
      : List extends readonly unknown[]
        ? readonly WidenedMessage<List[number]>[]
        : List
    : List;

type WidenedMessage<Message> = Message extends { readonly content: string }
  ? { [Key in keyof Message]: Key extends "content" ? string : Message[Key] }
  : Message;

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
