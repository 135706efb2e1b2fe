/** Conversation: what is sent to a model, read from one wire format and written back to it. */
import type { Message } from "./message.ts";

export interface Conversation {
  /** The name of the format it was read by and will be written by. */
  readonly format: string;
  /** In order. Leading system messages include a system prompt that the wire keeps outside its message list. */
  readonly messages: readonly Message[];
  /** Tool definitions as the wire had them: they cost tokens on every request. */
  readonly tools: readonly unknown[];
  /** The model that the body names, where it does. */
  readonly model?: string;
  /** Whatever the format needs to write the rest of the body back. Opaque to the engine. */
  readonly envelope: unknown;
}

/** The same conversation with other messages. */
export function withMessages(conversation: Conversation, messages: readonly Message[]): Conversation {
  return { ...conversation, messages };
}
