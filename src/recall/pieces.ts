/** piecesOf: what of a message is embedded: its first passages, and its start together with the start of what it follows. */
import type { ArchivedMessage } from "../archive/archive.ts";
import { type Passage, passagesOf } from "./passages.ts";
import { spokenIn } from "./spoken.ts";

/** A text to embed, and the part of the message that it stands for. */
export interface EmbeddedPiece {
  readonly text: string;
  readonly passage: Passage;
}

/**
 * "No, it has none." alone means nothing; behind "Does the parser have tests?" it answers a question about tests.
 *
 * @param before the message before it in the conversation
 */
export function piecesOf(message: Spoken, before: Spoken | undefined): readonly EmbeddedPiece[] {
  const passages = passagesOf(message.text.slice(0, MAX_READ)).slice(0, MAX_PASSAGES);
  if (passages.length === 0) return [];
  const pieces = passages.map((passage) => ({
    text: message.text.slice(passage.from, passage.to),
    passage,
  }));
  const own = startOf(message, OWN_CHARS);
  const context = before ? startOf(before, CONTEXT_CHARS) : "";
  return context ? [...pieces, { text: `${context}\n${own}`, passage: passages[0]! }] : pieces;
}

type Spoken = Pick<ArchivedMessage, "text" | "tools">;

/** About 2,000 characters of a message: what it is about is said by then, and every vector costs time. */
const MAX_PASSAGES = 4;
const MAX_READ = 4_000;
const OWN_CHARS = 320;
const CONTEXT_CHARS = 160;

/** The start of what is said before the first call, or of the call where nothing is. */
function startOf(message: Spoken, chars: number): string {
  return (spokenIn(message) || message.text.slice(0, MAX_READ).trim()).slice(0, chars).toWellFormed();
}
