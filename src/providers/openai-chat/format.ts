/** openai-chat: the message format of the OpenAI Chat Completions API and of the many servers that speak it. */
import type { Conversation } from "../../conversation/conversation.ts";
import { type Message, messageOf } from "../../conversation/message.ts";
import { isObject, type WireObject } from "../../json/wire-value.ts";
import { type Envelope, rawMessageAt, readBody, writeBody } from "../body.ts";
import type { Format } from "../format.ts";
import { createMessageMemo } from "../message-memo.ts";
import { textBehind } from "../text-behind.ts";
import { otherIdsOf, readMessage, withPairId } from "./read.ts";
import { writeMessage } from "./write.ts";

/**
 * Roles system, developer, user, assistant, tool and function; content as a string or as parts; tool calls of all
 * kinds. Messages it does not fully understand ride along and come out as they went in.
 */
export const openAIChat: Format = {
  name: "openai-chat",
  aliases: ["openai"],
  detect,
  read,
  write,
  create: (role, parts) => messageOf({ role, parts, position: -1 }),
  noted: (message, note) =>
    isObject(message) && (message.role === "user" || message.role === "tool")
      ? textBehind(message, "content", note)
      : message,
  toolDefinition: (tool) => ({ type: "function", function: tool }),
  handoffRoles: ["user", "assistant", "system"],
  leadRoles: ["user", "assistant"],
};

const recall = createMessageMemo(readMessage);

function read(input: unknown): Conversation {
  const body = readBody(input);
  const messages = body.values.map((value, index) =>
    body.source === undefined ? recall(value, index) : readMessage(rawMessageAt(body, index), index),
  );
  const { model, tools, functions } = body.rest;
  const envelope: Envelope = { body, messages };
  return {
    format: openAIChat.name,
    messages: pairByAnyId(messages),
    tools: [...(Array.isArray(tools) ? tools : []), ...(Array.isArray(functions) ? functions : [])],
    ...(typeof model === "string" ? { model } : {}),
    envelope,
  };
}

function write({ messages, envelope }: Conversation): unknown {
  const items = messages.map((message) => {
    const { raw, changed } = message;
    if (raw === undefined) return { raw: { value: writeMessage(message) } };
    return changed ? { raw: { value: writeMessage(message) }, origin: raw } : { raw };
  });
  return writeBody(envelope as Envelope, items);
}

/** Some servers give a call two ids (`id` and `call_id`) and name either in the result: both mean the same pair. */
function pairByAnyId(messages: readonly Message[]): readonly Message[] {
  const pairIds = new Map<string, string>();
  for (const { role, parts } of messages) {
    if (role !== "assistant") continue;
    for (const [other, pairId] of otherIdsOf(parts)) pairIds.set(other, pairId);
  }
  return pairIds.size === 0 ? messages : messages.map((message) => withPairId(message, pairIds));
}

/** Sure by what only this format has; plain lists of role and text are taken for it. */
function detect(body: unknown): number {
  const messages = Array.isArray(body) ? body : isObject(body) ? body.messages : undefined;
  if (!Array.isArray(messages)) return 0;
  if (isObject(body) && hasFunctionTools(body)) return 1;
  let sureness = 0.5;
  for (const message of messages) {
    if (!isObject(message)) continue;
    const { role } = message;
    if (role === "tool" || role === "function" || role === "developer") return 1;
    if (message.tool_calls || message.function_call || hasPart(message)) return 1;
    if (role === "system") sureness = 0.8;
  }
  return sureness;
}

function hasFunctionTools({ tools }: WireObject): boolean {
  return Array.isArray(tools) && tools.some((tool) => isObject(tool) && isObject(tool.function));
}

function hasPart({ content }: WireObject): boolean {
  if (!Array.isArray(content)) return false;
  return content.some(
    (piece) => isObject(piece) && (piece.type === "image_url" || piece.type === "input_audio"),
  );
}
