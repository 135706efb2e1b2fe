/** openai-responses: the items of the OpenAI Responses API. */
import type { Conversation } from "../../conversation/conversation.ts";
import { type Message, messageOf } from "../../conversation/message.ts";
import { isObject } from "../../json/wire-value.ts";
import { type Envelope, rawMessageAt, readBody, type WireItem, writeBody } from "../body.ts";
import type { Format } from "../format.ts";
import { textBehind } from "../text-behind.ts";
import { gatherItems, isCall, isOutput, readInstructions, readMessage, typeOf } from "./read.ts";
import { writeInstructions, writeMessage } from "./write.ts";

/**
 * A body with an `input` list, or the bare list. The items of one answer (thinking, text, calls) are one message;
 * `instructions` lead the conversation. What the provider runs itself, and what has no name here, rides along.
 */
export const openAIResponses: Format = {
  name: "openai-responses",
  aliases: ["responses"],
  detect,
  read,
  write,
  create: (role, parts) => messageOf({ role, parts, position: -1 }),
  elements: (message) => [itemOf(message).raw.value].flat().length,
  noted: (item, note) => {
    if (!isObject(item)) return item;
    if (item.type === "function_call_output") return textBehind(item, "output", note, "input_text");
    return item.role === "user" ? textBehind(item, "content", note, "input_text") : item;
  },
  toolDefinition: (tool) => ({ type: "function", strict: false, ...tool }),
  handoffRoles: ["user", "assistant", "system"],
  leadRoles: ["user", "assistant"],
};

function read(input: unknown): Conversation {
  const body = gatherItems(readBody(input));
  const { model, tools, instructions } = body.rest;
  const slice = body.source?.system?.value;
  const system =
    instructions === undefined || instructions === null || body.key !== "input"
      ? undefined
      : readInstructions({
          value: instructions,
          ...(slice && { source: body.source!.text.slice(slice.start, slice.end) }),
        });
  const shift = system === undefined ? 0 : 1;
  const messages = body.values.map((_items, index) => readMessage(rawMessageAt(body, index), index + shift));
  const envelope: Envelope = { body, messages, ...(system && { system: system.raw! }) };
  return {
    format: openAIResponses.name,
    messages: system === undefined ? messages : [system, ...messages],
    tools: Array.isArray(tools) ? tools : [],
    ...(typeof model === "string" ? { model } : {}),
    envelope,
  };
}

function write({ messages, envelope }: Conversation): unknown {
  const origin = envelope as Envelope;
  const [first] = messages;
  // Instructions are hardly ever a list, and then not of items; wherever they were read, text is theirs.
  const leads = first?.raw !== undefined && (first.raw === origin.system || !Array.isArray(first.raw.value));
  const system = leads ? instructionsItem(first) : undefined;
  return writeBody(origin, (leads ? messages.slice(1) : messages).map(itemOf), system);
}

function instructionsItem(message: Message): WireItem {
  return { raw: message.changed ? { value: writeInstructions(message) } : message.raw! };
}

function itemOf(message: Message): WireItem {
  const { raw, changed } = message;
  if (raw === undefined) return { raw: { value: writeMessage(message) } };
  return changed ? { raw: { value: writeMessage(message) }, origin: raw } : { raw };
}

/** Sure by its items, or by an `input` list: no other format has one. */
function detect(body: unknown): number {
  if (isObject(body)) return Array.isArray(body.input) && !Array.isArray(body.messages) ? 1 : 0;
  if (!Array.isArray(body)) return 0;
  return body.some((item) => isObject(item) && isOwnItem(item)) ? 0.97 : 0;
}

function isOwnItem(item: Readonly<Record<string, unknown>>): boolean {
  const type = typeOf(item);
  if (isCall(type) || isOutput(type) || type === "reasoning") return true;
  if (item.type !== "message") return false;
  const [block] = Array.isArray(item.content) ? item.content : [];
  return isObject(block) && (block.type === "input_text" || block.type === "output_text");
}
