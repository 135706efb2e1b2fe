/** Conversations: a row of their list, and the timeline of one. */
import type { KindTokens, TokenKind } from "./message.ts";
import type { ThresholdView } from "./session.ts";

/** GET api/conversations → ConversationRow[]; api/live sends one as `event: row` whenever it changed. */
export interface ConversationRow {
  readonly id: string;
  readonly messages: number;
  /** In the context now. Absent while it is not counted yet: it comes by a later row. */
  readonly tokens?: number;
  readonly window?: number;
  /** `tokens` as a share of the window. */
  readonly fill?: number;
  readonly compactions: number;
  /** How often the agent called recall_search or recall_expand. */
  readonly recallUsed?: number;
  /** Attempts to compact that failed or gained nothing, since the last that did; `lastError` says why. */
  readonly errors?: number;
  readonly lastError?: string;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** GET api/conversations/:id */
export interface ConversationView {
  readonly id: string;
  readonly format?: string;
  readonly model?: string;
  /** Everything that was ever said: the length of every list in `kinds`. */
  readonly messages: number;
  /** False where the model's tokenizer is not public and the counts are estimates. */
  readonly exact: boolean;
  /** In the context now, and everything that was ever said. Tools are in both. */
  readonly tokens: number;
  readonly saidTokens: number;
  /** Tool definitions: part of every request, and of no message. */
  readonly toolTokens: number;
  readonly window?: number;
  /** The window without what is kept free for the answer. */
  readonly budget?: number;
  /** The preset that the thresholds are of. */
  readonly preset: string;
  readonly thresholds: readonly ThresholdView[];
  /** By position, what each message costs in each kind. A kind that never occurs is an empty list. */
  readonly kinds: Readonly<Record<TokenKind, readonly number[]>>;
  /** Oldest first. */
  readonly compactions: readonly CompactionMark[];
  /** Prompt sizes that a provider reported. */
  readonly usage: readonly { readonly position: number; readonly tokens: number }[];
  readonly firstAt: number;
  readonly lastAt: number;
  /** Positions that the program itself never takes away. */
  readonly pins: readonly number[];
  /** Of a session file: what was passed over in it. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/** A compaction on the timeline. The fill falls to `kindsAfter` there and grows on with the messages from `position` on. */
export interface CompactionMark {
  readonly id: string;
  readonly at: number;
  /** How many messages had been said: it is before the message of this position. */
  readonly position: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly kindsAfter: KindTokens;
  readonly preset: string;
  /** One sentence: why it was made. */
  readonly reason?: string;
  /** It was taken back: the fill goes on as if it had never been. */
  readonly undone: boolean;
}
