/** Message: one entry of a conversation, as the engine sees it, with its raw original beside it. */
import { type Part, type TextPart, type ToolCallPart, type ToolResultPart, textOfPart } from "./part.ts";

/** `other` is a role that no format knows: an agent's, whose name it is (`agentOf`). */
export type Role = "system" | "user" | "assistant" | "tool" | "other";

export interface Message {
  readonly role: Role;
  readonly parts: readonly Part[];
  /** Where it was in the conversation that was read; -1 for a message that Pith wrote. */
  readonly position: number;
  /**
   * The original as it came in. A message whose `parts` are those that were read is written back as exactly this;
   * a changed one (see `changed`) is this with only the changed parts exchanged. Absent on messages Pith wrote.
   */
  readonly raw?: RawMessage | undefined;
  /** The parts differ from what `raw` says: the format writes them over the original. */
  readonly changed?: boolean | undefined;
  /** Must stay, whole and verbatim: the caller said so. */
  readonly pinned?: boolean | undefined;
  /** So many of its first texts are those of skills that were loaded, under the user's role: nobody's words. */
  readonly loaded?: number | undefined;
  /** A program's words among the messages: a system message that may only be right after the user's, before the assistant's or last. */
  readonly placed?: boolean | undefined;
}

export interface RawMessage {
  /** The wire value. */
  readonly value: unknown;
  /** The very characters it was read from, when the input was text. */
  readonly source?: string;
}

/** A message as it was read or written. */
export function messageOf({
  role,
  parts,
  position,
  raw,
}: Pick<Message, "role" | "parts" | "position" | "raw">): Message {
  // Thousands are looked at one after the other: with all fields there, one that is marked later has the shape of the rest.
  return {
    role,
    parts,
    position,
    raw,
    changed: undefined,
    pinned: undefined,
    loaded: undefined,
    placed: undefined,
  };
}

/** The same message with some fields other. Not by a spread: fields that are set twice make compiled code that reads them void. */
export function messageWith(message: Message, other: Partial<Message>): Message {
  return {
    role: other.role ?? message.role,
    parts: other.parts ?? message.parts,
    position: other.position ?? message.position,
    raw: message.raw,
    changed: other.changed ?? message.changed,
    pinned: other.pinned ?? message.pinned,
    loaded: other.loaded ?? message.loaded,
    placed: other.placed ?? message.placed,
  };
}

/** The same message with other parts. */
export function withParts(message: Message, parts: readonly Part[]): Message {
  return messageWith(message, { parts, changed: true });
}

/** The role that the wire has for it; undefined where it has none. */
export function wireRoleOf({ raw }: Message): string | undefined {
  // In some formats one message is several items.
  const value: unknown = Array.isArray(raw?.value) ? raw.value[0] : raw?.value;
  const role = typeof value === "object" && value !== null && "role" in value ? value.role : undefined;
  return typeof role === "string" ? role : undefined;
}

/** The agent that says it, by its name, where it is one of several: its role is that. */
export function agentOf(message: Message): string | undefined {
  if (message.role !== "other") return undefined;
  const name = wireRoleOf(message);
  return name !== undefined && AGENT_NAME.test(name) ? name : undefined;
}

const AGENT_NAME = /^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,63}$/u;

/** All the text of a message that a model reads, calls and results included, parts joined by newlines. */
export function textOfMessage(message: Message): string {
  return message.parts.length === 1
    ? textOfPart(message.parts[0]!)
    : message.parts.map(textOfPart).filter(Boolean).join("\n");
}

/** The prose of a message: its text parts only. */
export function proseOf({ parts }: Message): string {
  const [first] = parts;
  if (parts.length === 1) return first!.type === "text" ? first!.text : "";
  let prose: string | undefined;
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!;
    if (part.type === "text") prose = prose === undefined ? part.text : `${prose}\n${part.text}`;
  }
  return prose ?? "";
}

export function toolCallsOf(message: Message): readonly ToolCallPart[] {
  return message.parts.filter((part): part is ToolCallPart => part.type === "tool-call");
}

export function toolResultsOf(message: Message): readonly ToolResultPart[] {
  return message.parts.filter((part): part is ToolResultPart => part.type === "tool-result");
}

/** All calls by the id that their results carry. */
export function callsById(messages: readonly Message[]): ReadonlyMap<string, ToolCallPart> {
  let calls = callsBy.get(messages);
  if (calls === undefined) {
    calls = readCalls(messages);
    callsBy.set(messages, calls);
  }
  return calls;
}

/** Every stage and every part of the report asks for those of the same list. */
const callsBy = new WeakMap<readonly Message[], ReadonlyMap<string, ToolCallPart>>();

function readCalls(messages: readonly Message[]): ReadonlyMap<string, ToolCallPart> {
  const calls = new Map<string, ToolCallPart>();
  const add = (part: Part): void => {
    if (part.type === "tool-call") calls.set(part.pairId, part);
  };
  messages.forEach(({ parts }) => {
    parts.forEach(add);
  });
  return calls;
}

/** Said by a person: role user, with text or media of its own, not merely the carrier of tool results or of a skill. */
export function isUserMessage(message: Message): boolean {
  if (message.role !== "user") return false;
  let loaded = message.loaded ?? 0;
  for (const { type } of message.parts) {
    if (type === "media" || (type === "text" && loaded-- <= 0)) return true;
  }
  return false;
}

/** The texts of a message that are not those of skills. */
export function ownTextsOf(message: Message): readonly TextPart[] {
  const texts = message.parts.filter((part): part is TextPart => part.type === "text");
  return message.loaded === undefined ? texts : texts.slice(message.loaded);
}

/** Carries results of client-side tool calls (role tool, or a user message with result blocks). */
export function carriesResults(message: Message): boolean {
  return message.parts.some(isClientResult);
}

/** Makes client-side tool calls, which the following messages must answer. */
export function makesCalls(message: Message): boolean {
  return message.parts.some(isClientCall);
}

function isClientResult(part: Part): boolean {
  return part.type === "tool-result" && !part.server;
}

function isClientCall(part: Part): boolean {
  return part.type === "tool-call" && !part.server;
}
