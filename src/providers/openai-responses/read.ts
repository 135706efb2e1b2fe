/** Reading openai-responses: items of the list, those of one answer gathered into one message. */
import { type Message, messageOf, type RawMessage, type Role } from "../../conversation/message.ts";
import type { MediaPart, Part } from "../../conversation/part.ts";
import { firstText, isObject, jsonText, sealOf, type WireObject } from "../../json/wire-value.ts";
import type { Body } from "../body.ts";
import { type Places, valueUnder } from "../places.ts";
import { type Attachment, opaquePart, readResultContent, textOfPiece } from "../result-content.ts";
import { roleNamed, SPEAKERS } from "../roles.ts";

const ROLES: Readonly<Record<string, Role>> = { ...SPEAKERS, system: "system", developer: "system" };

/** Which item, and which block of it, each part came from. The raw value of a message is the list of its items. */
export const places: Places = new WeakMap();

/** The body with one element for each message: what the assistant says, thinks and calls in one go belongs together. */
export function gatherItems(body: Body): Body {
  const groups: { readonly from: number; to: number }[] = [];
  for (const [index, item] of body.values.entries()) {
    const last = groups.at(-1);
    const joins = last && isOfAnswer(item) && isOfAnswer(body.values[last.from]!);
    if (joins) last.to = index + 1;
    else groups.push({ from: index, to: index + 1 });
  }
  const values = groups.map(({ from, to }) =>
    body.values.slice(from, to),
  ) as unknown as readonly WireObject[];
  const { source } = body;
  if (source === undefined) return { ...body, values };
  const elements = groups.map(({ from, to }) => ({
    start: source.elements[from]!.start,
    end: source.elements[to - 1]!.end,
  }));
  return { ...body, values, source: { ...source, elements } };
}

export function readMessage(raw: RawMessage, position: number): Message {
  const items = raw.value as readonly WireObject[];
  const [first] = items;
  const parts = items.flatMap((item, index) => readItem(item, raw, index));
  return messageOf({ role: first === undefined ? "other" : roleOf(first), parts, position, raw });
}

/** The body's `instructions`, as the message that leads the conversation. */
export function readInstructions(raw: RawMessage): Message {
  const part: Part =
    typeof raw.value === "string" ? { type: "text", text: raw.value } : opaquePart(raw.value);
  places.set(part, { raw, key: "", index: -1 });
  return messageOf({ role: "system", parts: [part], position: 0, raw });
}

/** The item's own type; a message may leave it out. */
export function typeOf(item: WireObject): string {
  return firstText(item.type) || (item.role === undefined ? "" : "message");
}

/** A message; what has neither a type nor a role is read and written as one, for what it says. */
export function hasContent(type: string): boolean {
  return type === "message" || type === "";
}

export function isOutput(type: string): boolean {
  return /^(?:function_call|custom_tool_call|local_shell_call|computer_call|shell_call|apply_patch_call)_output$/.test(
    type,
  );
}

/** Calls that the client runs and answers. */
export function isCall(type: string): boolean {
  return /^(?:function_call|custom_tool_call|local_shell_call|computer_call|shell_call|apply_patch_call)$/.test(
    type,
  );
}

/** The key under which a call has what it is called with. */
export function argumentsKey(type: string): string {
  if (type === "function_call") return "arguments";
  if (type === "custom_tool_call") return "input";
  return type === "apply_patch_call" ? "operation" : "action";
}

/** Said, thought or called by the assistant, or done by the provider: all of it up to the next output is one message. */
function isOfAnswer(item: WireObject): boolean {
  const type = typeOf(item);
  return type === "message" ? roleNamed(item.role, SPEAKERS) === "assistant" : type !== "" && !isOutput(type);
}

function roleOf(item: WireObject): Message["role"] {
  const type = typeOf(item);
  if (isOutput(type)) return "tool";
  if (isOfAnswer(item)) return "assistant";
  return roleNamed(item.role, ROLES);
}

function readItem(item: WireObject, raw: RawMessage, index: number): readonly Part[] {
  const type = typeOf(item);
  const placed = (part: Part, inner?: number): Part => {
    places.set(part, { raw, key: "", index, ...(inner !== undefined && { inner }) });
    return part;
  };
  if (hasContent(type)) return readContent(item.content, placed);
  if (type === "reasoning") return [placed(readReasoning(item))];
  if (isOutput(type)) return [placed(readOutput(item))];
  if (!isCall(type)) return [placed({ ...opaquePart(withoutBulk(item)), ...sealOf(item.encrypted_content) })];
  const given = item[argumentsKey(type)];
  return [
    placed({
      type: "tool-call",
      pairId: firstText(item.call_id, item.id),
      name: firstText(item.name) || type.replace(/_call$/, ""),
      arguments: typeof given === "string" ? given : jsonText(faithful(raw, index, type) ?? {}),
      server: false,
      ...(type !== "function_call" && type !== "custom_tool_call" && { shaped: true }),
    }),
  ];
}

/** Numbers of more than 15 digits would be rounded: they are taken from the source. */
function faithful(raw: RawMessage, index: number, type: string): unknown {
  const items = valueUnder(raw, "");
  const item: unknown = Array.isArray(items) ? items[index] : undefined;
  return isObject(item) ? item[argumentsKey(type)] : undefined;
}

function readContent(content: unknown, placed: (part: Part, inner?: number) => Part): readonly Part[] {
  if (content === undefined || content === null || content === "") return [];
  if (typeof content === "string") return [placed({ type: "text", text: content })];
  if (!Array.isArray(content)) return [placed(opaquePart(content))];
  return content.map((block, inner) => {
    const text = textOfPiece(block);
    return placed(text === undefined ? attachmentOf(block) : { type: "text", text }, inner);
  });
}

/** Kept by the provider under an id or encrypted: it may go, but nobody may edit it. */
function readReasoning({ summary, content, id, encrypted_content: encrypted }: WireObject): Part {
  const texts = [summary, content].flatMap((list) => (Array.isArray(list) ? list : []));
  const text = texts.flatMap((piece) => (isObject(piece) ? [firstText(piece.text)] : [])).join("\n");
  return { type: "reasoning", text, signed: firstText(id, encrypted) !== "", ...sealOf(encrypted) };
}

function readOutput(item: WireObject): Part {
  const attach = (piece: unknown, inner: number): Attachment => {
    const attachment = attachmentOf(piece);
    places.set(attachment, { raw: { value: { content: item.output } }, key: "content", index: inner });
    return attachment;
  };
  const { output } = item;
  const isScreen = isObject(output) && output.type === "computer_screenshot";
  return {
    type: "tool-result",
    pairId: firstText(item.call_id, item.id),
    ...readResultContent(isScreen ? [output] : output, attach),
    isError: item.status === "failed",
    server: false,
    ...(isScreen && { shaped: true }),
  };
}

function attachmentOf(block: unknown): MediaPart | ReturnType<typeof opaquePart> {
  const type = isObject(block) ? firstText(block.type) : "";
  // The agents SDK calls what a tool shows `image`.
  if (type === "input_image" || type === "computer_screenshot" || type === "image") {
    const detail = isObject(block) ? firstText(block.detail) : "";
    return { type: "media", kind: "image", ...(detail !== "" && { detail }) };
  }
  if (type === "input_audio") return { type: "media", kind: "audio" };
  return type === "input_file" ? { type: "media", kind: "document" } : opaquePart(block);
}

/** Pictures and ciphertext inside the provider's own items are no text that a model reads. */
export function withoutBulk(item: WireObject): WireObject {
  const { encrypted_content: _encrypted, result, ...rest } = item;
  return typeof result === "string" && rest.type === "image_generation_call"
    ? rest
    : { ...rest, ...(result !== undefined && { result }) };
}
