/** Answers of the Responses API. */
import { isObject, type WireObject } from "../../json/wire-value.ts";
import type { OwnResult } from "../offered-tools.ts";
import {
  type AnswerApi,
  eventText,
  objectsIn,
  type Round,
  type StreamJoiner,
  sumUsage,
} from "./answer-api.ts";

export const responsesAnswers: AnswerApi = {
  results: (results) =>
    results.map(({ call, text, media }) => ({
      type: "function_call_output",
      call_id: call.id,
      output: withImages(text, media),
    })),
  mergedResults: false,
  readAnswer: ({ output }, own) => roundOf(objectsIn(output), own),
  joinAnswers,
  echoes: ({ output }) => {
    const items = objectsIn(output);
    const bare = items.map(({ id: _id, status: _status, ...item }) => item);
    const spoken = (list: readonly WireObject[]) => list.filter(({ type }) => type !== "reasoning");
    return [items, bare, spoken(items), spoken(bare)];
  },
  createJoiner,
};

/** A result may show pictures; of other media it has the note. */
function withImages(text: string, media: OwnResult["media"] = []): unknown {
  const images = media.filter(({ mediaType }) => mediaType.startsWith("image/"));
  if (images.length === 0) return text;
  return [
    { type: "input_text", text },
    ...images.map(({ mediaType, data }) => ({
      type: "input_image",
      detail: "auto",
      image_url: `data:${mediaType};base64,${data}`,
    })),
  ];
}

function joinAnswers(answers: readonly WireObject[], own: ReadonlySet<string>): WireObject {
  return {
    ...answers.at(-1)!,
    id: answers[0]!.id,
    output: answers.flatMap(({ output }) => objectsIn(output).filter((item) => !isOwn(item, own))),
    usage: answers.map(({ usage }) => usage).reduce(sumUsage),
  };
}

function isOwn(item: WireObject, own: ReadonlySet<string>): boolean {
  return item.type === "function_call" && own.has(String(item.name));
}

/** Calls that the client answers have an id of their own for it. */
function roundOf(items: readonly WireObject[], own: ReadonlySet<string>): Round {
  const asked = items.filter(
    ({ type, call_id }) => call_id !== undefined && !String(type).endsWith("_output"),
  );
  const calls = asked
    .filter((item) => isOwn(item, own))
    .map((item) => ({
      id: String(item.call_id),
      name: String(item.name),
      arguments: String(item.arguments ?? ""),
    }));
  // Thinking that the provider keeps to itself cannot be sent again.
  const elements = items.filter(
    ({ type, encrypted_content }) => type !== "reasoning" || Boolean(encrypted_content),
  );
  return { calls, hasOthers: calls.length < asked.length, elements };
}

const ENDS: ReadonlySet<unknown> = new Set(["response.completed", "response.incomplete", "response.failed"]);

function createJoiner(own: ReadonlySet<string>): StreamJoiner {
  const ended: WireObject[] = [];
  /** Where the items of this answer are for the client; -1 for own calls. */
  let places = new Map<number, number>();
  let visible = 0;
  let sequence = 0;
  let isLater = false;
  let isChanged = false;
  let end: { readonly raw: string; readonly data: WireObject } | undefined;
  let firstId: unknown;

  const numbered = (raw: string, data: WireObject): string => {
    const number = sequence++;
    return isChanged ? eventText({ ...data, sequence_number: number }) : raw;
  };

  return {
    take: (raw, data) => {
      if (!data) return raw;
      if (ENDS.has(data.type)) {
        end = { raw, data };
        return "";
      }
      if (isObject(data.response)) {
        firstId ??= data.response.id;
        return isLater ? "" : numbered(raw, data);
      }
      if (typeof data.output_index !== "number") return numbered(raw, data);
      const index = data.output_index;
      if (!places.has(index)) {
        const place = isObject(data.item) && isOwn(data.item, own) ? -1 : visible++;
        places.set(index, place);
        isChanged ||= place !== index;
      }
      const place = places.get(index)!;
      if (place < 0) return "";
      return numbered(raw, place === index ? data : { ...data, output_index: place });
    },
    endRound: () => {
      const response = isObject(end?.data.response) ? end.data.response : {};
      ended.push(response);
      return roundOf(objectsIn(response.output), own);
    },
    nextRound: () => {
      isLater = true;
      isChanged = true;
      places = new Map();
      end = undefined;
    },
    finish: () => {
      if (!end) return "";
      if (!isLater && !isChanged) return end.raw;
      return numbered(end.raw, { ...end.data, response: { ...joinAnswers(ended, own), id: firstId } });
    },
    heard: () => joinAnswers(ended, own),
  };
}
