/** openAISummarizer: writes summaries with any endpoint that speaks OpenAI chat completions. */
import { failed } from "./failure.ts";
import { endpointOf, type JsonAnswer, postJson } from "./post-json.ts";
import { rideBody } from "./ride.ts";
import type { ModelAsked, Summarizer, Summary } from "./summarizer.ts";

export interface OpenAISummarizerOptions {
  /** Such as "https://api.example.com/v1"; /chat/completions is added unless it ends so. */
  readonly url: string;
  readonly model: string;
  /** Sent as a bearer token; appears in no error. */
  readonly key?: string;
  /** The model's context window in tokens: longer input is sampled to fit. */
  readonly window?: number;
  /** Asks for a stream, for servers that drop long silent requests. @default false */
  readonly stream?: boolean;
  /**
   * If the agent's own requests go to this endpoint and model: asks for the summary at the end of the conversation
   * itself, which the model has in its cache, instead of sending a transcript. It goes there as it went before, secrets
   * included. A conversation of another model, or too long for the window, is sent as a transcript. @default false
   */
  readonly ride?: boolean;
  /** Additional headers, such as `api-key` for Azure. */
  readonly headers?: Readonly<Record<string, string>>;
  /** @default the global fetch */
  readonly fetch?: typeof globalThis.fetch;
}

export function openAISummarizer(options: OpenAISummarizerOptions): Summarizer {
  const { model, key, window, stream = false, ride: rides = false } = options;
  const endpoint = endpointOf(options.url, /\/chat\/completions$/, (base) => `${base}/chat/completions`);
  const name = `${model} at ${endpoint.host}`;
  return {
    name,
    ...(window === undefined ? {} : { window }),
    ...(rides ? { rides: { format: "openai-chat", model } } : {}),
    async summarize({ prompt, ride, signal }) {
      const own = { model, ...(stream ? streaming : {}) };
      const answer = await postJson({
        name,
        url: endpoint.href,
        headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...options.headers },
        // No output cap: a cap truncates, and the prompt says how long the summary should be.
        body: ride
          ? rideBody(ride, prompt, { ...own, ...(ride.fields.tools ? { tool_choice: "none" } : {}) })
          : { ...own, messages: [{ role: "user", content: prompt }] },
        signal,
        key,
        fetch: options.fetch,
      });
      return readCompletion(answer, { name, model, key });
    },
  };
}

/** What a model answered on the wire of chat completions. Throws SummarizerFailedError. */
export function readCompletion({ streamed, values }: JsonAnswer, asked: ModelAsked): Summary {
  return streamed ? fromStream(values, asked) : fromBody(values[0], asked);
}

const streaming = { stream: true, stream_options: { include_usage: true } };

/** As much of an answer as is read here; anything may be missing or of another type. */
interface Completion {
  readonly model?: unknown;
  readonly choices?: readonly {
    readonly finish_reason?: unknown;
    readonly message?: Said;
    readonly delta?: Said;
  }[];
  readonly usage?: {
    readonly prompt_tokens?: unknown;
    readonly completion_tokens?: unknown;
    readonly prompt_tokens_details?: { readonly cached_tokens?: unknown } | null;
  } | null;
  readonly error?: { readonly message?: unknown };
}

interface Said {
  readonly content?: unknown;
  readonly refusal?: unknown;
}

function fromBody(value: unknown, asked: ModelAsked): Summary {
  const completion = (value ?? {}) as Completion;
  const choice = Array.isArray(completion.choices) ? completion.choices[0] : undefined;
  if (typeof choice?.message !== "object") throw unlikeAnAnswer(completion, asked);
  return {
    text: textOf(choice.message?.content),
    finish: refused(choice.message) ? "refusal" : finishOf(choice.finish_reason),
    model: typeof completion.model === "string" ? completion.model : asked.model,
    ...usageOf(completion),
  };
}

function fromStream(values: readonly unknown[], asked: ModelAsked): Summary {
  const chunks = values as readonly (Completion | null)[];
  let text = "";
  let finish: Summary["finish"] | undefined;
  let isRefusal = false;
  let usage: Pick<Summary, "usage"> = {};
  for (const chunk of chunks) {
    if (chunk?.error) throw unlikeAnAnswer(chunk, asked);
    const choice = chunk?.choices?.[0];
    text += textOf(choice?.delta?.content);
    isRefusal ||= refused(choice?.delta);
    if (choice?.finish_reason) finish = finishOf(choice.finish_reason);
    usage = { ...usage, ...usageOf(chunk ?? {}) };
  }
  if (finish === undefined) throw failed(asked.name, "truncated", "The stream ended before the answer did.");
  const named = chunks.find((chunk) => typeof chunk?.model === "string")?.model as string | undefined;
  return { text, finish: isRefusal ? "refusal" : finish, model: named ?? asked.model, ...usage };
}

function unlikeAnAnswer({ error }: Completion, { name, key }: ModelAsked): Error {
  return typeof error?.message === "string"
    ? failed(name, "other", `The server answered with an error: ${error.message}`, { key })
    : failed(name, "malformed", "The answer holds no message.");
}

/** Content is text, or a list of parts of which some are text. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: { text?: unknown } | null) => (typeof part?.text === "string" ? part.text : ""))
    .join("");
}

function refused(said: Said | undefined): boolean {
  return typeof said?.refusal === "string" && said.refusal !== "";
}

function finishOf(reason: unknown): Summary["finish"] {
  if (reason === "stop" || reason === "end_turn" || reason === "eos" || reason === "eos_token") return "stop";
  if (reason === "length" || reason === "max_tokens") return "length";
  return reason === "content_filter" ? "refusal" : "unknown";
}

function usageOf({ usage }: Completion): Pick<Summary, "usage"> {
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage ?? {};
  if (typeof inputTokens !== "number" || typeof outputTokens !== "number") return {};
  const cached = usage?.prompt_tokens_details?.cached_tokens;
  return {
    usage: { inputTokens, ...(typeof cached === "number" && { cachedTokens: cached }), outputTokens },
  };
}
