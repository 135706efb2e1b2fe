/** TokenCounter: the contract for counting tokens. Everyone who counts, counts with this. */
import type { Conversation } from "../conversation/conversation.ts";
import type { Message } from "../conversation/message.ts";

/** What a message costs beside its content. */
export const MESSAGE_TOKENS = 4;

/** A text that comes again as the same object, by which its count is remembered. */
export interface TextPiece {
  readonly text: string;
}

export interface TokenCounter {
  /** Such as "o200k_base", for the Report. */
  readonly encoding: string;
  /** False where the model's tokenizer is private and the figure is an estimate. */
  readonly exact: boolean;
  /** Tokens of a text, special tokens counted as plain text. Memoised by content. */
  readonly text: (text: string) => number;
  /**
   * Tokens of a text that is given in pieces, one after the other, most of which were counted before; with the text itself, its
   * count is remembered. @default `text` of all of them put together
   */
  readonly pieces?: (pieces: readonly TextPiece[], text?: string) => number;
  /** Tokens of the text of each, remembered by the list: for those that are asked for again as the same list. @default `text` of each */
  readonly texts?: (pieces: readonly TextPiece[]) => readonly number[];
  /** Tokens of a message: its text, call envelopes and media, plus 4 (see docs/tokens.md). */
  readonly message: (message: Message) => number;
  /** Tokens of the tool definitions. */
  readonly tools: (tools: readonly unknown[]) => number;
  /** Σ messages + tools: what a request costs before any answer. */
  readonly conversation: (conversation: Conversation) => number;
}

/** Tokens of a text that is given in pieces, with any counter. */
export function countPieces(counter: TokenCounter, pieces: readonly TextPiece[], text?: string): number {
  return counter.pieces ? counter.pieces(pieces, text) : counter.text(text ?? joined(pieces));
}

/** The text that pieces make. */
export function joined(pieces: readonly TextPiece[]): string {
  return pieces.map(({ text }) => text).join("");
}

/** Tokens of the text of each, with any counter. */
export function countTexts(counter: TokenCounter, pieces: readonly TextPiece[]): readonly number[] {
  return counter.texts ? counter.texts(pieces) : pieces.map(({ text }) => counter.text(text));
}
