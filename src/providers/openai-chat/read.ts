/** Reading one openai-chat message: its role and its parts, each with the raw piece that it came from. */
import { type Message, messageOf, messageWith, type RawMessage } from "../../conversation/message.ts";
import type { MediaPart, Part, ToolCallPart } from "../../conversation/part.ts";
import { firstText, isObject, jsonText, sealOf, type WireObject } from "../../json/wire-value.ts";
import type { Places } from "../places.ts";
import { type Attachment, opaquePart, readResultContent, textOfPiece } from "../result-content.ts";
import { ROLES, roleNamed } from "../roles.ts";

/** Which raw piece each part came from. */
export const places: Places = new WeakMap();

/** Thinking as plain text, by the names that different servers give it. */
export const REASONING_TEXT_KEYS = ["reasoning_content", "reasoning"] as const;
/** Thinking as a list of blocks, which may be signed or encrypted. */
export const REASONING_LIST_KEYS = ["reasoning_details", "thinking_blocks"] as const;

export function readMessage(raw: RawMessage, position: number): Message {
  const value = raw.value as WireObject;
  const role = roleNamed(value.role, ROLES);
  if (role === "tool") {
    const result = readResult(raw, value);
    places.set(result, { raw, key: "content", index: -1 });
    return messageOf({ role, parts: [result], position, raw });
  }
  const found: Part[] = [];
  const add = (part: Part, key: string, index = -1): void => {
    places.set(part, { raw, key, index });
    found.push(part);
  };
  readReasoning(value, add);
  readContent(value, add);
  if (typeof value.refusal === "string" && value.refusal !== "") {
    add({ type: "opaque", kind: "refusal", text: value.refusal }, "refusal");
  }
  if (isObject(value.audio)) add({ type: "media", kind: "audio" }, "audio");
  readCalls(value, add);
  // A list that was pushed to has room for many more, and there are thousands of messages.
  const parts = [...found];
  const others = otherIdsIn(value.tool_calls);
  if (others.length > 0) otherIds.set(parts, others);
  return messageOf({ role, parts, position, raw });
}

/** Ids by which a result may name a call, beside the call's `pairId`, as pairs of that id and the `pairId`. */
export function otherIdsOf(parts: readonly Part[]): readonly (readonly [string, string])[] {
  return otherIds.get(parts) ?? [];
}

/** The message with results that name their call by another id set to the `pairId` of the call. */
export function withPairId(message: Message, pairIds: ReadonlyMap<string, string>): Message {
  const [part] = message.parts;
  if (part?.type !== "tool-result" || !pairIds.has(part.pairId)) return message;
  const paired: Part = { ...part, pairId: pairIds.get(part.pairId)! };
  places.set(paired, places.get(part)!);
  return messageWith(message, { parts: [paired] });
}

/** The id of a call on the wire. `call_id`, where given, is the one that results are meant to name. */
export function idOfCall(call: WireObject): string {
  return firstText(call.call_id, call.id, call.tool_call_id);
}

const otherIds = new WeakMap<readonly Part[], readonly (readonly [string, string])[]>();

type Add = (part: Part, key: string, index?: number) => void;

function readResult(raw: RawMessage, value: WireObject): Part {
  const attach = (piece: unknown, index: number): Attachment => {
    const attachment = mediaPart(piece) ?? opaquePart(piece);
    places.set(attachment, { raw, key: "content", index });
    return attachment;
  };
  const ids = Array.isArray(value.tool_call_ids) ? value.tool_call_ids : [];
  return {
    type: "tool-result",
    pairId: firstText(value.tool_call_id, value.call_id, value.tool_use_id, value.id, ...ids),
    ...readResultContent(value.content, attach),
    isError: value.is_error === true,
    server: false,
  };
}

function readReasoning(value: WireObject, add: Add): void {
  let told = "";
  for (const key of REASONING_TEXT_KEYS) {
    const text = value[key];
    // The same thinking under two names is one part: the model reads it once.
    if (typeof text !== "string" || text === "" || text === told) continue;
    told = text;
    add({ type: "reasoning", text, signed: false }, key);
  }
  for (const key of REASONING_LIST_KEYS) {
    const details = value[key];
    if (!Array.isArray(details)) continue;
    for (const [index, detail] of details.entries()) {
      const block = isObject(detail) ? detail : {};
      const text = told === "" ? firstText(block.text, block.thinking, block.summary) : "";
      const seal = firstText(block.signature, block.data);
      add({ type: "reasoning", text, signed: seal !== "", ...sealOf(seal) }, key, index);
    }
  }
}

function readContent({ content }: WireObject, add: Add): void {
  if (content === undefined || content === null || content === "") return;
  if (typeof content === "string") add({ type: "text", text: content }, "content");
  else if (!Array.isArray(content)) add(opaquePart(content), "content");
  else {
    for (const [index, piece] of content.entries()) {
      const text = textOfPiece(piece);
      const part: Part =
        text === undefined ? (mediaPart(piece) ?? opaquePart(piece)) : { type: "text", text };
      add(part, "content", index);
    }
  }
}

function mediaPart(piece: unknown): MediaPart | undefined {
  if (!isObject(piece)) return undefined;
  const image = isObject(piece.image_url) ? piece.image_url : piece;
  switch (piece.type) {
    case "image_url":
    case "input_image":
      return {
        type: "media",
        kind: "image",
        ...(typeof image.detail === "string" ? { detail: image.detail } : {}),
      };
    case "input_audio":
      return { type: "media", kind: "audio" };
    case "file":
    case "input_file":
    case "video_url":
      return { type: "media", kind: "document" };
    default:
      return undefined;
  }
}

function readCalls(value: WireObject, add: Add): void {
  const { tool_calls: calls, function_call: legacy } = value;
  if (Array.isArray(calls)) {
    for (const [index, call] of calls.entries()) {
      add(isObject(call) ? readCall(call) : opaquePart(call), "tool_calls", index);
    }
  } else if (calls !== undefined && calls !== null) add(opaquePart(calls), "tool_calls");
  if (isObject(legacy)) add(readCall({ function: legacy }), "function_call");
  else if (legacy !== undefined && legacy !== null) add(opaquePart(legacy), "function_call");
}

function readCall(call: WireObject): ToolCallPart {
  const asked = isObject(call.function) ? call.function : isObject(call.custom) ? call.custom : call;
  const given = asked.arguments ?? asked.input;
  return {
    type: "tool-call",
    pairId: idOfCall(call),
    name: firstText(asked.name),
    arguments:
      typeof given === "string" ? given : given === undefined || given === null ? "" : jsonText(given),
    server: false,
  };
}

function otherIdsIn(calls: unknown): readonly (readonly [string, string])[] {
  if (!Array.isArray(calls)) return [];
  return calls.filter(isObject).flatMap((call) => {
    const pairId = idOfCall(call);
    const ids = [call.id, call.tool_call_id].filter(
      (id) => typeof id === "string" && id !== "" && id !== pairId,
    );
    return ids.map((id) => [id as string, pairId] as const);
  });
}
