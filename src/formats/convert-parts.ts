/** Converting parts: what a conversation's pieces become in another wire format. */
import type { Message } from "../conversation/message.ts";
import type { MediaPart, Part } from "../conversation/part.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import { places as anthropicPlaces } from "./anthropic-messages-read.ts";
import { places as openAIPlaces } from "./openai-chat-read.ts";
import { pieceAt } from "./places.ts";
import { firstText, isObject, type WireObject } from "./wire-value.ts";

/** The part with its images as the target format holds them. Other media has no equal there and is named in text. */
export function carryMedia(part: Part, formatName: string): Part {
  if (part.type === "media") return carryImage(part, formatName);
  if (part.type !== "tool-result" || part.attachments.length === 0) return part;
  const attachments = part.attachments.map((attachment) =>
    attachment.type === "media" ? carryImage(attachment, formatName) : attachment,
  );
  return { ...part, attachments };
}

/** The other format's definition of a tool; what is none is left as it is. */
export function convertTool(tool: unknown): unknown {
  if (!isObject(tool)) return tool;
  if (isObject(tool.function)) {
    const { name, description, parameters } = tool.function;
    return {
      name,
      ...(description === undefined ? {} : { description }),
      input_schema: parameters ?? EMPTY_SCHEMA,
    };
  }
  if (!("input_schema" in tool)) return tool;
  const { name, description, input_schema: parameters } = tool;
  return {
    type: "function",
    function: { name, ...(description === undefined ? {} : { description }), parameters },
  };
}

/**
 * Gives calls without an id one, and their results the same, in order; and replaces the characters that an
 * Anthropic id may not have.
 */
export function nameCalls(messages: readonly Message[]): readonly Message[] {
  const unanswered: string[] = [];
  let count = 0;
  const nameFor = (part: Part): string => {
    const made = (part.type === "tool-result" ? unanswered.shift() : undefined) ?? `call_${++count}`;
    if (part.type === "tool-call") unanswered.push(made);
    return made;
  };
  const name = (part: Part): Part => {
    if (part.type !== "tool-call" && part.type !== "tool-result") return part;
    const pairId = part.pairId === "" ? nameFor(part) : part.pairId.replace(/[^\w-]/g, "_");
    return pairId === part.pairId ? part : { ...part, pairId };
  };
  return messages.map((message) => ({ ...message, parts: message.parts.map(name) }));
}

const EMPTY_SCHEMA = { type: "object", properties: {} };

/** subtle: the new part is given a place in a raw message of its own, from which the target format will write it. */
function carryImage(part: MediaPart, formatName: string): MediaPart {
  const toAnthropic = formatName === anthropicMessages.name;
  const place = (toAnthropic ? openAIPlaces : anthropicPlaces).get(part);
  const piece = place === undefined ? undefined : pieceAt(place);
  const image = isObject(piece) ? (toAnthropic ? anthropicImage(piece) : openAIImage(piece)) : undefined;
  if (image === undefined) return part;
  const carried = { ...part };
  const target = toAnthropic ? anthropicPlaces : openAIPlaces;
  target.set(carried, { raw: { value: { content: [image] } }, key: "content", index: 0 });
  return carried;
}

function anthropicImage(piece: WireObject): WireObject | undefined {
  const url = isObject(piece.image_url) ? firstText(piece.image_url.url) : firstText(piece.image_url);
  if (url === "") return undefined;
  const [head, data] = url.startsWith("data:") ? url.split(";base64,", 2) : [];
  if (head === undefined || data === undefined) return { type: "image", source: { type: "url", url } };
  return { type: "image", source: { type: "base64", media_type: head.slice("data:".length), data } };
}

function openAIImage(block: WireObject): WireObject | undefined {
  const { source } = block;
  if (block.type !== "image" || !isObject(source)) return undefined;
  const url =
    source.type === "base64" ? `data:${source.media_type};base64,${source.data}` : firstText(source.url);
  return url === "" ? undefined : { type: "image_url", image_url: { url } };
}
