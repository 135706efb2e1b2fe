/** readResponse: what a model answered on the wire of OpenAI's Responses, as a Summary. */
import { isObject, type WireObject } from "../json/wire-value.ts";
import { failed } from "./failure.ts";
import type { JsonAnswer } from "./post-json.ts";
import type { ModelAsked, Summary } from "./summarizer.ts";

/** Throws SummarizerFailedError. */
export function readResponse({ streamed, values }: JsonAnswer, { name, model, key }: ModelAsked): Summary {
  const events = values.filter(isObject);
  // The last event of a stream holds the whole answer.
  const response = streamed ? events.findLast(({ response }) => isObject(response))?.response : events[0];
  if (!isObject(response)) throw failed(name, "malformed", "The answer holds no output.");
  const { output, status, error } = response;
  if (isObject(error))
    throw failed(name, "other", `The server answered with an error: ${error.message}`, { key });
  if (streamed && status === "in_progress")
    throw failed(name, "truncated", "The stream ended before the answer did.");
  if (!Array.isArray(output)) throw failed(name, "malformed", "The answer holds no output.");
  const items = output.filter(isObject);
  const pieces = items.flatMap(({ content }) => (Array.isArray(content) ? content.filter(isObject) : []));
  return {
    text: pieces.flatMap(({ type, text }) => (type === "output_text" ? [String(text)] : [])).join(""),
    finish: finishOf(response, items, pieces),
    model: typeof response.model === "string" ? response.model : model,
    ...usageOf(response.usage),
  };
}

function finishOf(
  { status, incomplete_details: details }: WireObject,
  items: readonly WireObject[],
  pieces: readonly WireObject[],
): Summary["finish"] {
  const reason = isObject(details) ? details.reason : undefined;
  if (pieces.some(({ type }) => type === "refusal") || reason === "content_filter") return "refusal";
  if (reason === "max_output_tokens") return "length";
  const isCall = items.some(({ type }) => type !== "message" && type !== "reasoning");
  return !isCall && (status === undefined || status === "completed") ? "stop" : "unknown";
}

function usageOf(usage: unknown): Pick<Summary, "usage"> {
  if (!isObject(usage)) return {};
  const { input_tokens: inputTokens, output_tokens: outputTokens, input_tokens_details: details } = usage;
  if (typeof inputTokens !== "number" || typeof outputTokens !== "number") return {};
  const cached = isObject(details) ? details.cached_tokens : undefined;
  return {
    usage: { inputTokens, ...(typeof cached === "number" && { cachedTokens: cached }), outputTokens },
  };
}
