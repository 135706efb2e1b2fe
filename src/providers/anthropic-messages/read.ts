/** Reading one anthropic-messages message: its role and its blocks, each with the raw block that it came from. */
import {
  type Message,
  messageOf,
  messageWith,
  type RawMessage,
  type Role,
} from "../../conversation/message.ts";
import type { MediaPart, Part, ToolCallPart, ToolResultPart } from "../../conversation/part.ts";
import { faithfulValue } from "../../json/faithful.ts";
import { firstText, isObject, jsonText, sealOf, type WireObject } from "../../json/wire-value.ts";
import { type Places, pieceAt, type RawPlace } from "../places.ts";
import { type Attachment, opaquePart, readResultContent } from "../result-content.ts";
import { roleNamed, SPEAKERS } from "../roles.ts";

/** Which raw block each part came from. */
export const places: Places = new WeakMap();

const ROLES: Readonly<Record<string, Role>> = { ...SPEAKERS, system: "system" };

export function readMessage(raw: RawMessage, position: number): Message {
  const { role, content } = raw.value as WireObject;
  return messageOf({
    role: roleNamed(role, ROLES),
    parts: readContent(content, raw, "content"),
    position,
    raw,
  });
}

/** A system message that does not lead the list. */
export function readPlaced(raw: RawMessage, position: number): Message {
  return messageWith(readMessage(raw, position), { placed: true });
}

/** The body's `system`, a string or blocks, as the message that leads the conversation. */
export function readSystem(raw: RawMessage, position: number): Message {
  return messageOf({ role: "system", parts: readContent(raw.value, raw, ""), position, raw });
}

/** Whether the provider runs the tool itself: its call and result are in the assistant's own message. */
export function isServerResult(block: WireObject): boolean {
  return typeof block.type === "string" && block.type.endsWith("_tool_result");
}

/** The block's id of a call: that which the result names. */
export function idOfCall(block: WireObject): string {
  return firstText(block.id, block.tool_use_id);
}

/** The id of the call that a result answers. */
export function idOfResult(block: WireObject): string {
  return firstText(block.tool_use_id, block.tool_call_id, block.id);
}

function readContent(content: unknown, raw: RawMessage, key: string): readonly Part[] {
  if (content === undefined || content === null || content === "") return [];
  const placed = (part: Part, index: number): Part => {
    places.set(part, { raw, key, index });
    return part;
  };
  if (typeof content === "string") return [placed({ type: "text", text: content }, -1)];
  if (!Array.isArray(content)) return [placed(opaquePart(content), -1)];
  return content.map((block, index) => placed(readBlock(block, { raw, key, index }), index));
}

function readBlock(block: unknown, place: RawPlace): Part {
  if (typeof block === "string") return { type: "text", text: block };
  if (!isObject(block) || typeof block.type !== "string") return opaquePart(block);
  const { type } = block;
  switch (type) {
    case "text":
      return typeof block.text === "string" ? { type, text: block.text } : opaquePart(block);
    case "thinking":
      return {
        type: "reasoning",
        text: firstText(block.thinking),
        signed: firstText(block.signature) !== "",
        ...sealOf(block.signature),
      };
    case "redacted_thinking":
      return { type: "reasoning", text: "", signed: true, ...sealOf(block.data) };
    case "tool_use":
      return readCall(block, place, false);
    case "tool_result":
      return readResult(block, place);
  }
  if (type.endsWith("_tool_use")) return readCall(block, place, true);
  if (isServerResult(block)) return readServerResult(block);
  return mediaPart(block) ?? opaquePart(block);
}

function mediaPart(block: unknown): MediaPart | undefined {
  if (!isObject(block)) return undefined;
  if (block.type === "image") return { type: "media", kind: "image" };
  return block.type === "document" ? { type: "media", kind: "document" } : undefined;
}

function readCall(block: WireObject, place: RawPlace, server: boolean): ToolCallPart {
  const text = jsonText(block.input ?? {});
  return {
    type: "tool-call",
    pairId: idOfCall(block),
    name: firstText(block.name),
    arguments: /\d{16}/.test(text) ? faithfulArguments(place, text) : text,
    server,
  };
}

/** Ids of more than 15 digits would be rounded: take them from the source. */
function faithfulArguments(place: RawPlace, text: string): string {
  if (faithfulValue(place.raw) === place.raw.value) return text;
  const block = pieceAt(place);
  return isObject(block) ? jsonText(block.input ?? {}) : text;
}

function readResult(block: WireObject, place: RawPlace): ToolResultPart {
  const attach = (piece: unknown, inner: number): Attachment => {
    const attachment = mediaPart(piece) ?? opaquePart(piece);
    places.set(attachment, { ...place, inner });
    return attachment;
  };
  return {
    type: "tool-result",
    pairId: idOfResult(block),
    ...readResultContent(block.content, attach),
    isError: block.is_error === true,
    server: false,
  };
}

function readServerResult(block: WireObject): ToolResultPart {
  const error =
    isObject(block.content) &&
    typeof block.content.type === "string" &&
    block.content.type.endsWith("_error");
  return {
    type: "tool-result",
    pairId: idOfResult(block),
    text: serverText(block.content),
    attachments: [],
    isError: block.is_error === true || error,
    server: true,
  };
}

/** What the model reads of a server tool's result: search hits by title and address, output by its streams. */
function serverText(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(serverText).filter(Boolean).join("\n");
  if (!isObject(content)) return "";
  const { text, title, url, stdout, stderr, error_code: errorCode } = content;
  const own = [text, title, url, stdout, stderr, errorCode].filter(
    (line) => typeof line === "string" && line !== "",
  );
  const nested =
    isObject(content.content) || Array.isArray(content.content) ? shallowText(content.content) : "";
  return [...own, nested].filter(Boolean).join("\n");
}

/** One level further in and no deeper: a fetched document's own text. */
function shallowText(content: unknown): string {
  const pieces = Array.isArray(content) ? content : [content];
  return pieces
    .map((piece) =>
      isObject(piece)
        ? firstText(piece.text, piece.title, isObject(piece.source) ? piece.source.data : "")
        : "",
    )
    .filter(Boolean)
    .join("\n");
}
