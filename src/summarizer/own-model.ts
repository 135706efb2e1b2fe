/** ownModel: the agent's own model as a summarizer, asked behind the request that it was just sent. */
import { SummarizerFailedError } from "../errors/summarizer-failed-error.ts";
import { contextOverflowOf } from "../providers/overflow.ts";
import { readMessage } from "./anthropic-compatible.ts";
import { type AskedFormat, askedAgain } from "./asked-again.ts";
import { classOfException, reasonIn } from "./failure.ts";
import { readCompletion } from "./openai-compatible.ts";
import { type JsonAnswer, postJson } from "./post-json.ts";
import { readResponse } from "./responses-answer.ts";
import type { ModelAsked, Summarizer, Summary, SummaryRequest } from "./summarizer.ts";

export interface OwnModelOptions {
  /** The model's name, where it is known. */
  readonly model?: string | undefined;
  /** Settles when the agent's own call was answered. */
  readonly ready?: Promise<unknown>;
  /** Asks once more: with a ride in the request, behind all that was sent; without, with the prompt alone. */
  readonly ask: (request: SummaryRequest) => Promise<Summary>;
}

/**
 * What the provider says when it fails is not told again: it may quote the key, which is the caller's. Its class is, and that
 * the request was too long.
 */
export function ownModel({ model = "model", ready, ask }: OwnModelOptions): Summarizer {
  const name = `${model}, the agent's own`;
  return {
    name,
    rides: "own",
    ...(ready && { ready }),
    summarize: async (request) => {
      try {
        return await ask(request);
      } catch (thrown) {
        const failure =
          thrown instanceof SummarizerFailedError ? thrown.failure : classOfException(thrown, request.signal);
        const message = `The agent's own model gave no summary (${failure}).`;
        throw new SummarizerFailedError(name, failure, message, {
          ...overflowIn(thrown),
          reason: reasonIn(thrown),
        });
      }
    },
  };
}

/** An overflow in words of its own, so that the next try can be of the right size. */
function overflowIn(thrown: unknown): { readonly cause?: Error } {
  const overflow = contextOverflowOf(thrown);
  if (!overflow) return {};
  const { windowTokens: window } = overflow;
  const most = window === undefined ? "" : `: the maximum context length is ${window} tokens`;
  return { cause: new Error(`The context window was exceeded${most}`) };
}

export interface SentRequest {
  readonly format: AskedFormat;
  /** The body as it was sent. */
  readonly text: string;
  /** Sends a body where it went, with the same headers. */
  readonly post: (body: string, signal: AbortSignal) => Promise<Response>;
}

/** Asks the model that a request went to once more, on its wire. Throws SummarizerFailedError. */
export async function askSameModel(
  { format, text, post }: SentRequest,
  request: SummaryRequest,
): Promise<Summary> {
  const asked = { name: "same", model: "model", key: undefined };
  const answer = await postJson({
    name: asked.name,
    url: "same",
    headers: {},
    body: askedAgain(text, format, request),
    signal: request.signal,
    fetch: (_url, init) => post(String(init?.body), request.signal),
  });
  return READERS[format](answer, asked);
}

const READERS: Readonly<Record<AskedFormat, (answer: JsonAnswer, asked: ModelAsked) => Summary>> = {
  "openai-chat": readCompletion,
  "openai-responses": readResponse,
  "anthropic-messages": readMessage,
};
