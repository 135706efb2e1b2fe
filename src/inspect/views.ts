/**
 * Views: what the inspector's page is given, as plain JSON. Types only: the page imports nothing else of Pith.
 * Numbers of tokens are as Pith counts them; times are milliseconds since the epoch; ids are those of the archive.
 *
 * A `position` is a message's place in everything that was ever said in its conversation, from 0; -1 for one that Pith
 * wrote. What is refused is `ErrorView` with a status of 4xx or 5xx.
 */
export type * from "./views/change.ts";
export type * from "./views/compaction.ts";
export type * from "./views/conversation.ts";
export type * from "./views/cost.ts";
export type * from "./views/item.ts";
export type * from "./views/message.ts";
export type * from "./views/search.ts";
export type * from "./views/session.ts";

export interface ErrorView {
  readonly error: {
    /** Such as "TARGET_UNREACHABLE", "READ_ONLY", "NOT_FOUND", "UNAUTHORIZED". */
    readonly code: string;
    readonly message: string;
  };
}

/**
 * What `--export` puts into its page, as JSON in `<script type="application/json" id="pith-data">`: the answers by
 * their routes, such as `{"api/session": …, "api/conversations/NAME": …, "api/items/pith:…": …}`, encoded as in a URL.
 */
export type ExportedAnswers = Readonly<Record<string, unknown>>;
