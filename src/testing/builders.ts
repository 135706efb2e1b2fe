/** Builders: conversations for tests, written as one would tell them. They build wire values and read those. */
import type { Conversation } from "../conversation/conversation.ts";
import { anthropicMessages } from "../providers/anthropic-messages/format.ts";
import { convertConversation } from "../providers/convert.ts";
import { readConversation } from "../providers/detect.ts";
import { openAIChat } from "../providers/openai-chat/format.ts";

/** A message as the openai-chat wire has it. */
export interface WireMessage {
  readonly role: string;
  readonly content: unknown;
  readonly [key: string]: unknown;
}

/** A tool call as the openai-chat wire has it. */
export interface WireCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

/**
 * A conversation in openai-chat.
 *
 *     conversation(user("fix it"), assistant("", call("read", { path: "a.ts" })), result("…"))
 */
export function conversation(...messages: readonly WireMessage[]): Conversation {
  return readConversation(rawConversation(...messages), { format: openAIChat.name });
}

/** The same conversation in anthropic-messages. */
export function anthropicConversation(...messages: readonly WireMessage[]): Conversation {
  return convertConversation(conversation(...messages), anthropicMessages.name);
}

/** The wire values. A call or a result without an id gets one: results answer the calls before them, in order. */
export function rawConversation(...messages: readonly WireMessage[]): readonly WireMessage[] {
  const open: string[] = [];
  let count = 0;
  return messages.map((message) => {
    const calls = message.tool_calls as readonly WireCall[] | undefined;
    if (calls !== undefined) {
      const named = calls.map((made) => (made.id === "" ? { ...made, id: `call_${++count}` } : made));
      open.push(...named.map((made) => made.id));
      return { ...message, tool_calls: named };
    }
    if (message.role !== "tool") return message;
    const id = message.tool_call_id === "" ? (open[0] ?? `call_${++count}`) : String(message.tool_call_id);
    const answered = open.indexOf(id);
    if (answered >= 0) open.splice(answered, 1);
    return { ...message, tool_call_id: id };
  });
}

export function system(text: string): WireMessage {
  return { role: "system", content: text };
}

export function user(text: string): WireMessage {
  return { role: "user", content: text };
}

/** What the assistant says and the calls it makes. */
export function assistant(text: string, ...calls: readonly WireCall[]): WireMessage {
  if (calls.length === 0) return { role: "assistant", content: text };
  return { role: "assistant", content: text === "" ? null : text, tool_calls: calls };
}

/** A call. Arguments that are a string are taken as the JSON text itself. */
export function call(name: string, args: unknown = {}, id = ""): WireCall {
  const text = typeof args === "string" ? args : JSON.stringify(args);
  return { id, type: "function", function: { name, arguments: text } };
}

export interface ResultOptions {
  /**
   * The call that it answers.
   * @default the first call before it that has no result yet
   */
  readonly id?: string;
  /**
   * The tool failed.
   * @default false
   */
  readonly isError?: boolean;
}

export function result(text: string, { id = "", isError = false }: ResultOptions = {}): WireMessage {
  return { role: "tool", tool_call_id: id, content: text, ...(isError ? { is_error: true } : {}) };
}
