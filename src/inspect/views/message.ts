/** Messages as lists show them, and what their tokens are spent on. */

/** What a token is spent on. A message may be of several kinds at once: prose, reasoning and calls. */
export type TokenKind = "system" | "user" | "assistant" | "reasoning" | "calls" | "results" | "handOff";

export type KindTokens = Readonly<Record<TokenKind, number>>;

/** GET api/conversations/:id/messages?from=&count= → MessageView[]; at most 500 at a time. */
export interface MessageView extends SideView {
  readonly at: number;
}

/** A message as a list shows it. The whole of it: `api/items/` and its id. */
export interface SideView {
  readonly position: number;
  readonly id: string;
  readonly role: "system" | "user" | "assistant" | "tool" | "other";
  /** What most of it is. */
  readonly kind: TokenKind;
  /** The tools that it calls or answers for. */
  readonly tools: readonly string[];
  readonly tokens: number;
  /** The beginning of what it says. */
  readonly text: string;
  /** How many characters it has in all. */
  readonly chars: number;
}
