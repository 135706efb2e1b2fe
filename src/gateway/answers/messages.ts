/** Answers of the Messages API. */
import { isObject, parsedJson, type WireObject } from "../../json/wire-value.ts";
import type { OwnResult } from "../offered-tools.ts";
import {
  type AnswerApi,
  eventText,
  objectsIn,
  type Round,
  type StreamJoiner,
  sumUsage,
} from "./answer-api.ts";

export const messagesAnswers: AnswerApi = {
  results: (results) => [
    {
      role: "user",
      content: results.map(({ call, text, isError, media }) => ({
        type: "tool_result",
        tool_use_id: call.id,
        content: withImages(text, media),
        ...(isError && { is_error: true }),
      })),
    },
  ],
  mergedResults: true,
  readAnswer: ({ content }, own) => roundOf(objectsIn(content), own),
  joinAnswers: (answers, own) => ({
    ...answers.at(-1)!,
    id: answers[0]!.id,
    content: answers.flatMap(({ content }) => objectsIn(content).filter((block) => !isOwn(block, own))),
    usage: answers.map(({ usage }) => usage).reduce(sumUsage),
  }),
  echoes: ({ content }) => [[{ role: "assistant", content }]],
  createJoiner,
};

/** A result may show pictures; of other media it has the note. */
function withImages(text: string, media: OwnResult["media"] = []): unknown {
  const images = media.filter(({ mediaType }) => mediaType.startsWith("image/"));
  if (images.length === 0) return text;
  return [
    { type: "text", text },
    ...images.map(({ mediaType, data }) => ({
      type: "image",
      source: { type: "base64", media_type: mediaType, data },
    })),
  ];
}

function isOwn(block: WireObject, own: ReadonlySet<string>): boolean {
  return block.type === "tool_use" && own.has(String(block.name));
}

function roundOf(content: readonly WireObject[], own: ReadonlySet<string>): Round {
  const uses = content.filter(({ type }) => type === "tool_use");
  const calls = uses
    .filter((block) => isOwn(block, own))
    .map(({ id, name, input }) => ({ id: String(id), name: String(name), arguments: JSON.stringify(input) }));
  return { calls, hasOthers: calls.length < uses.length, elements: [{ role: "assistant", content }] };
}

interface Block {
  /** Where the client sees it; -1 for an own call. */
  readonly place: number;
  readonly value: Record<string, unknown>;
  json: string;
}

function createJoiner(own: ReadonlySet<string>): StreamJoiner {
  let blocks: Block[] = [];
  const visible: Block[] = [];
  let isLater = false;
  let isChanged = false;
  let held: { readonly raw: string; readonly data: WireObject }[] = [];
  let started: WireObject = {};
  let usageOfRound: WireObject = {};
  let usage: unknown;

  return {
    take: (raw, data) => {
      if (held.length > 0) {
        held.push({ raw, data: data ?? {} });
        return "";
      }
      if (!data) return raw;
      const index = Number(data.index ?? 0);
      switch (data.type) {
        case "message_start":
          usageOfRound = usageIn(data.message);
          if (isLater) return "";
          started = isObject(data.message) ? data.message : {};
          return raw;
        case "content_block_start": {
          const value = { ...(isObject(data.content_block) ? data.content_block : {}) };
          const place = isOwn(value, own) ? -1 : visible.length;
          blocks[index] = { place, value, json: "" };
          isChanged ||= place !== index;
          if (place >= 0) visible.push(blocks[index]);
          return placed(raw, data, place, index);
        }
        case "content_block_delta":
        case "content_block_stop": {
          const block = blocks[index];
          if (block && isObject(data.delta)) addDelta(block, data.delta);
          return placed(raw, data, block?.place ?? index, index);
        }
        case "message_delta":
          held.push({ raw, data });
          return "";
        default:
          return isLater && data.type === "ping" ? "" : raw;
      }
    },
    endRound: () => {
      // The last count of an answer includes what its first one said.
      for (const { data } of held) usageOfRound = { ...usageOfRound, ...usageIn(data) };
      usage = usage === undefined ? usageOfRound : sumUsage(usage, usageOfRound);
      return roundOf(blocks.filter(Boolean).map(wholeBlock), own);
    },
    nextRound: () => {
      isLater = true;
      blocks = [];
      held = [];
    },
    finish: () =>
      held
        .map(({ raw, data }) =>
          (isLater || isChanged) && isObject(data.usage)
            ? eventText({ ...data, usage: usage as WireObject })
            : raw,
        )
        .join(""),
    heard: () => ({ ...started, content: visible.map(wholeBlock) }),
  };
}

function usageIn(message: unknown): WireObject {
  return isObject(message) && isObject(message.usage) ? message.usage : {};
}

function placed(raw: string, data: WireObject, place: number, index: number): string {
  if (place < 0) return "";
  return place === index ? raw : eventText({ ...data, index: place });
}

function addDelta(block: Block, delta: WireObject): void {
  const { value } = block;
  const add = (key: string): void => {
    value[key] = String(value[key] ?? "") + String(delta[key] ?? "");
  };
  if (delta.type === "text_delta") add("text");
  else if (delta.type === "thinking_delta") add("thinking");
  else if (delta.type === "signature_delta") add("signature");
  else if (delta.type === "input_json_delta") block.json += String(delta.partial_json ?? "");
  else if (delta.type === "citations_delta")
    value.citations = [...objectsIn(value.citations), delta.citation];
}

function wholeBlock({ value, json }: Block): WireObject {
  return json === "" ? value : { ...value, input: parsedJson(json) ?? {} };
}
