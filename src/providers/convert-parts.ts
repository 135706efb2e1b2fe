/** Converting parts: what a conversation's pieces become in another wire format. */
import type { Message } from "../conversation/message.ts";
import type { MediaPart, Part } from "../conversation/part.ts";
import { firstText, isObject, type WireObject } from "../json/wire-value.ts";
import { anthropicMessages } from "./anthropic-messages/format.ts";
import { places as anthropicPlaces } from "./anthropic-messages/read.ts";
import type { Format, ToolDefinition } from "./format.ts";
import { openAIChat } from "./openai-chat/format.ts";
import { places as openAIPlaces } from "./openai-chat/read.ts";
import { openAIResponses } from "./openai-responses/format.ts";
import { places as responsesPlaces } from "./openai-responses/read.ts";
import { type Places, pieceAt } from "./places.ts";

/** The part with its images as the target format holds them. Other media has no equal there and is named in text. */
export function carryMedia(part: Part, formatName: string): Part {
  if (part.type === "media") return carryImage(part, formatName);
  if (part.type !== "tool-result" || part.attachments.length === 0) return part;
  const attachments = part.attachments.map((attachment) =>
    attachment.type === "media" ? carryImage(attachment, formatName) : attachment,
  );
  return { ...part, attachments };
}

/** The target's definition of a tool; what is none in any format is left as it is. */
export function convertTool(tool: unknown, target: Format): unknown {
  if (!isObject(tool)) return tool;
  const named = isObject(tool.function) ? tool.function : tool;
  const { name, description, parameters = tool.input_schema } = named;
  const isTool = tool.type === "function" || "input_schema" in tool || isObject(tool.function);
  if (!isTool || typeof name !== "string") return tool;
  const said = typeof description === "string" ? { description } : {};
  return target.toolDefinition({ name, ...said, parameters: parameters ?? EMPTY_SCHEMA } as ToolDefinition);
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
  const target = images.get(formatName);
  const url = [...images.values()].flatMap(({ places, urlOf }) => {
    const place = places.get(part);
    const piece = place && pieceAt(place);
    return isObject(piece) ? [urlOf(piece)] : [];
  })[0];
  if (!target || !url) return part;
  const carried = { ...part };
  target.places.set(carried, { raw: { value: { content: [target.write(url)] } }, key: "content", index: 0 });
  return carried;
}

/** How a format holds an image: by an address, which may hold the picture itself. */
interface ImageForm {
  readonly places: Places;
  readonly urlOf: (piece: WireObject) => string;
  readonly write: (url: string) => WireObject;
}

const images: ReadonlyMap<string, ImageForm> = new Map([
  [
    openAIChat.name,
    {
      places: openAIPlaces,
      urlOf: ({ image_url: image }) => (isObject(image) ? firstText(image.url) : firstText(image)),
      write: (url) => ({ type: "image_url", image_url: { url } }),
    },
  ],
  [
    openAIResponses.name,
    {
      places: responsesPlaces,
      urlOf: ({ image_url: url }) => firstText(url),
      write: (url) => ({ type: "input_image", image_url: url }),
    },
  ],
  [anthropicMessages.name, { places: anthropicPlaces, urlOf: anthropicUrl, write: anthropicImage }],
]);

function anthropicImage(url: string): WireObject {
  const [head, data] = url.startsWith("data:") ? url.split(";base64,", 2) : [];
  if (head === undefined || data === undefined) return { type: "image", source: { type: "url", url } };
  return { type: "image", source: { type: "base64", media_type: head.slice("data:".length), data } };
}

function anthropicUrl({ type, source }: WireObject): string {
  if (type !== "image" || !isObject(source)) return "";
  return source.type === "base64" ? `data:${source.media_type};base64,${source.data}` : firstText(source.url);
}
