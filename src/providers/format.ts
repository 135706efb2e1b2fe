/** Format: the contract between one wire format and the engine. */
import type { Conversation } from "../conversation/conversation.ts";
import type { Message, Role } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";

/** A tool that Pith offers to the model. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly parameters: unknown;
}

export interface Format {
  /** The name used in options, in the Report and on the command line. */
  readonly name: string;
  /** Other names a person may type. */
  readonly aliases: readonly string[];
  /** How surely a body is of this format, 0 (no) to 1; the surest wins in detection. */
  readonly detect: (body: unknown) => number;
  /**
   * Reads a body: text, or an already parsed value (a list of messages, or an object with `messages`).
   * Throws InputError, naming the place and the fix, when it cannot be a conversation.
   */
  readonly read: (input: string | unknown) => Conversation;
  /** Writes it back in the kind it was read from: text gives text, a list gives a list, an object an object. */
  readonly write: (conversation: Conversation) => unknown;
  /** A new message in this format: what Pith itself says, such as the hand-off. */
  readonly create: (role: Role, parts: readonly Part[]) => Message;
  /** One message that says what several `placed` ones say, but for some of their parts. Absent where the format has none. */
  readonly joined?: (messages: readonly Message[], stays: (part: Part) => boolean) => Message;
  /** Roles that a hand-off message may take in this format, in order of preference. */
  readonly handoffRoles: readonly Role[];
  /** How many elements of the body's list a message is written as. @default 1 */
  readonly elements?: (message: Message) => number;
  /**
   * A request's last message, as the wire has it, with a note behind what it says; the very message where there is no place
   * for one. Nothing that a later request begins with changes, so it costs no cached prefix.
   */
  readonly noted: (message: unknown, note: string) => unknown;
  /** A tool's definition as this format's requests carry it. */
  readonly toolDefinition: (tool: ToolDefinition) => unknown;
  /** Roles that may speak first, system messages aside (R4). */
  readonly leadRoles: readonly Role[];
  /** Speakers take turns: the provider combines two messages of one role in a row. @default false */
  readonly alternates?: boolean;
}
