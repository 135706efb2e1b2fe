/** anthropicSummarizer: writes summaries with any endpoint that speaks Anthropic messages. */
import { failed } from "./failure.ts";
import { endpointOf, type JsonAnswer, postJson } from "./post-json.ts";
import { rideBody } from "./ride.ts";
import type { ModelAsked, Ride, Summarizer, Summary } from "./summarizer.ts";

export interface AnthropicSummarizerOptions {
  /** Such as "https://api.example.com"; /v1/messages is added unless it ends so. */
  readonly url: string;
  readonly model: string;
  /** Sent as x-api-key; appears in no error. */
  readonly key?: string;
  /** The model's context window in tokens: longer input is sampled to fit. */
  readonly window?: number;
  /** The API requires a cap on the answer. @default four times the target, at least 8,192, at most 32,000 */
  readonly maxTokens?: number;
  /** Asks for a stream, for servers that drop long silent requests. @default false */
  readonly stream?: boolean;
  /**
   * Where the agent's own requests go to this endpoint and model: asks for the summary at the end of the conversation
   * itself, which the model has in its cache, instead of sending a transcript. It goes there as it went before, secrets
   * included. A conversation of another model, or too long for the window, is sent as a transcript. @default false
   */
  readonly ride?: boolean;
  /** Sent besides, such as `anthropic-beta`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** @default the global fetch */
  readonly fetch?: typeof globalThis.fetch;
}

export function anthropicSummarizer(options: AnthropicSummarizerOptions): Summarizer {
  const { model, key, window, stream = false, ride: rides = false } = options;
  const endpoint = endpointOf(options.url, /\/messages$/, (base) =>
    base.endsWith("/v1") ? `${base}/messages` : `${base}/v1/messages`,
  );
  const name = `${model} at ${endpoint.host}`;
  return {
    name,
    ...(window === undefined ? {} : { window }),
    ...(rides ? { rides: { format: "anthropic-messages", model } } : {}),
    async summarize({ prompt, ride, targetTokens, signal }) {
      const maxTokens = options.maxTokens ?? Math.min(32_000, Math.max(8_192, targetTokens * 4));
      const own = { model, max_tokens: maxTokens + thinkingTokens(ride), ...(stream ? { stream } : {}) };
      const answer = await postJson({
        name,
        url: endpoint.href,
        headers: {
          "anthropic-version": "2023-06-01",
          ...(key ? { "x-api-key": key } : {}),
          ...options.headers,
        },
        // subtle: no tool_choice here, since another one than before empties the cache of all messages; the prompt forbids
        // calls, and an answer that makes one is no summary.
        body: ride ? rideBody(ride, prompt, own) : { ...own, messages: [{ role: "user", content: prompt }] },
        signal,
        key,
        fetch: options.fetch,
      });
      return readMessage(answer, { name, model, key });
    },
  };
}

/** What a model answered on the wire of Messages. Throws SummarizerFailedError. */
export function readMessage({ streamed, values }: JsonAnswer, asked: ModelAsked): Summary {
  return streamed ? fromStream(values, asked) : fromBody(values[0], asked);
}

/** The cap counts thinking too, and must be above what is set aside for it. */
function thinkingTokens(ride: Ride | undefined): number {
  const { budget_tokens: tokens } = (ride?.fields.thinking ?? {}) as { readonly budget_tokens?: unknown };
  return typeof tokens === "number" ? tokens : 0;
}

/** As much of an answer or of an event as is read here; anything may be missing or of another type. */
interface Answer {
  readonly type?: unknown;
  readonly model?: unknown;
  readonly content?: readonly ({ readonly type?: unknown; readonly text?: unknown } | null)[];
  readonly stop_reason?: unknown;
  readonly usage?: { readonly [field: string]: unknown } | null;
  readonly message?: Answer;
  readonly delta?: { readonly type?: unknown; readonly text?: unknown; readonly stop_reason?: unknown };
  readonly error?: { readonly type?: unknown; readonly message?: unknown };
}

function fromBody(value: unknown, asked: ModelAsked): Summary {
  const answer = (value ?? {}) as Answer;
  if (!Array.isArray(answer.content)) throw unlikeAnAnswer(answer, asked);
  return {
    text: answer.content.map((block) => (typeof block?.text === "string" ? block.text : "")).join(""),
    finish: finishOf(answer.stop_reason),
    model: typeof answer.model === "string" ? answer.model : asked.model,
    ...usageOf(answer.usage),
  };
}

function fromStream(values: readonly unknown[], asked: ModelAsked): Summary {
  let text = "";
  let finish: Summary["finish"] | undefined;
  let answeredBy = asked.model;
  let usage: Readonly<Record<string, unknown>> = {};
  let ended = false;
  for (const event of values as readonly (Answer | null)[]) {
    if (event?.type === "error") throw unlikeAnAnswer(event, asked);
    if (typeof event?.delta?.text === "string") text += event.delta.text;
    if (event?.delta?.stop_reason) finish = finishOf(event.delta.stop_reason);
    if (typeof event?.message?.model === "string") answeredBy = event.message.model;
    usage = { ...usage, ...event?.message?.usage, ...event?.usage };
    ended ||= event?.type === "message_stop";
  }
  if (!ended || finish === undefined) {
    throw failed(asked.name, "truncated", "The stream ended before the answer did.");
  }
  return { text, finish, model: answeredBy, ...usageOf(usage) };
}

function unlikeAnAnswer({ error }: Answer, { name, key }: ModelAsked): Error {
  if (typeof error?.message !== "string") return failed(name, "malformed", "The answer holds no message.");
  const failure =
    error.type === "overloaded_error" || error.type === "rate_limit_error" ? "overload" : "other";
  return failed(name, failure, `The server answered with an error: ${error.message}`, { key });
}

function finishOf(reason: unknown): Summary["finish"] {
  if (reason === "end_turn" || reason === "stop_sequence") return "stop";
  if (reason === "max_tokens" || reason === "model_context_window_exceeded") return "length";
  return reason === "refusal" ? "refusal" : "unknown";
}

/** Cache reads and writes are beside the input in this API. */
function usageOf(usage: Readonly<Record<string, unknown>> | null | undefined): Pick<Summary, "usage"> {
  const count = (field: string): number =>
    typeof usage?.[field] === "number" ? (usage[field] as number) : 0;
  if (typeof usage?.output_tokens !== "number") return {};
  const cachedTokens = count("cache_read_input_tokens");
  const inputTokens = count("input_tokens") + cachedTokens + count("cache_creation_input_tokens");
  const isTold = usage.cache_read_input_tokens !== undefined;
  return { usage: { inputTokens, ...(isTold && { cachedTokens }), outputTokens: usage.output_tokens } };
}
