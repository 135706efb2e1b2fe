/** anthropic-messages: the message format of the Anthropic Messages API. */
import type { Conversation } from "../../conversation/conversation.ts";
import { type Message, messageOf } from "../../conversation/message.ts";
import { isObject } from "../../json/wire-value.ts";
import { type Body, type Envelope, rawMessageAt, readBody, type WireItem, writeBody } from "../body.ts";
import type { Format } from "../format.ts";
import { createMessageMemo } from "../message-memo.ts";
import { textBehind } from "../text-behind.ts";
import { readMessage, readPlaced, readSystem } from "./read.ts";
import { joinPlaced, writeMessage, writeSystem } from "./write.ts";

/**
 * Content as a string or as blocks. The body's `system` is read as a leading system message and written back to where
 * it was; a system message among the others is a `placed` one. Blocks of the provider's own tools are marked as such; blocks
 * without a name here ride along.
 */
export const anthropicMessages: Format = {
  name: "anthropic-messages",
  aliases: ["anthropic"],
  detect,
  read,
  write,
  create: (role, parts) => messageOf({ role, parts, position: -1 }),
  joined: joinPlaced,
  noted: (message, note) => {
    if (!isObject(message) || message.role !== "user") return message;
    const { content } = message;
    // A block of its own: what the client marked for the cache ends before it.
    return typeof content === "string"
      ? { ...message, content: [content, note].map((text) => ({ type: "text", text })) }
      : textBehind(message, "content", note);
  },
  toolDefinition: ({ name, description, parameters }) => ({ name, description, input_schema: parameters }),
  handoffRoles: ["user", "assistant"],
  leadRoles: ["user"],
  alternates: true,
};

const recall = createMessageMemo(readMessage);
const recallPlaced = createMessageMemo(readPlaced);
const recallSystem = createMessageMemo(readSystem);

function read(input: unknown): Conversation {
  const body = readBody(input);
  const system = systemOf(body);
  const shift = system === undefined ? 0 : 1;
  const spoken = body.values.findIndex(({ role }) => role !== "system");
  const messages = body.values.map((value, index) => {
    const isPlaced = value.role === "system" && index > spoken && spoken >= 0;
    if (body.source === undefined) return (isPlaced ? recallPlaced : recall)(value, index + shift);
    return (isPlaced ? readPlaced : readMessage)(rawMessageAt(body, index), index + shift);
  });
  const { model, tools } = body.rest;
  const envelope: Envelope = {
    body,
    messages,
    ...(system === undefined ? {} : { system: system.raw! }),
  };
  return {
    format: anthropicMessages.name,
    messages: system === undefined ? messages : [system, ...messages],
    tools: Array.isArray(tools) ? tools : [],
    ...(typeof model === "string" ? { model } : {}),
    envelope,
  };
}

function systemOf(body: Body): Message | undefined {
  const value = body.rest.system;
  if (value === undefined || value === null) return undefined;
  const slice = body.source?.system?.value;
  if (slice !== undefined)
    return readSystem({ value, source: body.source!.text.slice(slice.start, slice.end) }, 0);
  return typeof value === "object" ? recallSystem(value, 0) : readSystem({ value }, 0);
}

function write({ messages, envelope }: Conversation): unknown {
  const origin = envelope as Envelope;
  const leading = leadingSystem(messages, origin);
  const items = messages.slice(leading.length).map(itemOf);
  return writeBody(origin, items, systemItem(leading, origin));
}

function itemOf(message: Message): WireItem {
  const { raw, changed } = message;
  if (raw === undefined) return { raw: { value: writeMessage(message) } };
  return changed ? { raw: { value: writeMessage(message) }, origin: raw } : { raw };
}

/** The messages that make up the body's `system`: its own, and new ones beside it. A bare list has no such place. */
function leadingSystem(
  messages: readonly Message[],
  { body, system, messages: listed }: Envelope,
): readonly Message[] {
  if (Array.isArray(body.input) || (body.source !== undefined && body.source.rest === undefined)) return [];
  const inList = (message: Message): boolean =>
    message.raw !== undefined && message.raw !== system && listed.some(({ raw }) => raw === message.raw);
  const end = messages.findIndex((message) => message.role !== "system" || inList(message));
  return messages.slice(0, end < 0 ? messages.length : end);
}

function systemItem(leading: readonly Message[], { system }: Envelope): WireItem | undefined {
  const [first] = leading;
  if (first === undefined) return undefined;
  const untouched = leading.length === 1 && system !== undefined && first.raw === system && !first.changed;
  if (untouched) return { raw: system };
  return { raw: { value: writeSystem(leading) } };
}

const OWN_BLOCKS: ReadonlySet<unknown> = new Set([
  "tool_use",
  "tool_result",
  "thinking",
  "redacted_thinking",
  "server_tool_use",
  "image",
  "document",
]);

/**
 * Sure by what only this format has: its blocks, its tool schemas, a system prompt beside the messages. A Claude model
 * by its own name, with the `max_tokens` that is required here, says it too, unless a message is another format's.
 */
function detect(body: unknown): number {
  const messages = Array.isArray(body) ? body : isObject(body) ? body.messages : undefined;
  if (!Array.isArray(messages)) return 0;
  if (
    isObject(body) &&
    Array.isArray(body.tools) &&
    body.tools.some((tool) => isObject(tool) && "input_schema" in tool)
  ) {
    return 0.95;
  }
  const hasSystem = isObject(body) && body.system !== undefined && body.system !== null;
  for (const message of messages) {
    if (!isObject(message) || !Array.isArray(message.content)) continue;
    if (message.content.some((block) => isObject(block) && OWN_BLOCKS.has(block.type))) return 0.95;
  }
  if (hasSystem) return 0.9;
  return isObject(body) && body.max_tokens !== undefined && /^claude/i.test(String(body.model)) ? 0.6 : 0.4;
}
