/**
 * Watched agents model: a model of the OpenAI Agents SDK that remembers what it was sent, so that it can be asked once more.
 * The input filter alone sees no model's call.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { failed } from "../summarizer/failure.ts";
import type { Summary, SummaryRequest } from "../summarizer/summarizer.ts";
import type { Own } from "./own-summaries.ts";
import { unshaped } from "./unshaped.ts";

/** What is needed of a model of the SDK. */
export interface AgentsModel {
  // biome-ignore-start lint/suspicious/noExplicitAny: the SDK's types of requests and answers ride through.
  readonly getResponse: (request: any) => Promise<any>;
  readonly getStreamedResponse: (request: any) => AsyncIterable<any>;
  // biome-ignore-end lint/suspicious/noExplicitAny: as above.
}

interface Sent {
  readonly systemInstructions?: string | undefined;
  readonly input: string | readonly unknown[];
  readonly modelSettings?: {
    readonly toolChoice?: unknown;
    /** Goes to the provider as it is. */
    readonly providerData?: Readonly<Record<string, unknown>>;
  };
}

/** A call as it was made. The SDK's models work only inside of what the run has around them. */
interface Call {
  readonly sent: Sent;
  readonly inside: <Answer>(ask: () => Answer) => Answer;
}

/** What the filter gave the SDK for a call. */
export interface GivenInput {
  readonly instructions?: string | undefined;
  readonly input: readonly unknown[];
}

interface Expected {
  readonly given: () => GivenInput;
  readonly call: PromiseWithResolvers<Call>;
}

/** What each watched model is about to be sent. */
const watches = new WeakMap<object, { readonly model: AgentsModel; readonly expected: Set<Expected> }>();

/** Several runs may share a model; what never comes is given up. */
const MOST_EXPECTED = 64;

/** The same model, watched. */
export function watchedAgentsModel<Model extends AgentsModel>(model: Model): Model {
  const expected = new Set<Expected>();
  const take = (sent: Sent): Expected["call"] | undefined => {
    // The newest: an older one may be of a run that was given up.
    const found = [...expected].findLast(({ given }) => areAlike(given(), sent));
    if (found) expected.delete(found);
    return found?.call;
  };
  const watched = {
    getResponse: async (sent: Sent) => {
      const call = take(sent);
      const inside = AsyncLocalStorage.snapshot();
      try {
        const answer = await model.getResponse(sent);
        // The agent has its answer first.
        setImmediate(() => call?.resolve({ sent, inside }));
        return answer;
      } catch (error) {
        call?.reject(error);
        throw error;
      }
    },
    getStreamedResponse: async function* (sent: Sent) {
      const call = take(sent);
      const inside = AsyncLocalStorage.snapshot();
      let isAnswered = false;
      try {
        for await (const event of model.getStreamedResponse(sent)) {
          if (!isAnswered) setImmediate(() => call?.resolve({ sent, inside }));
          isAnswered = true;
          yield event;
        }
      } finally {
        if (!isAnswered) call?.reject(new Error("There was no answer."));
      }
    },
  };
  const proxy = new Proxy(model, {
    get: (target, name) => {
      if (name === "getResponse" || name === "getStreamedResponse") return watched[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  watches.set(proxy, { model, expected });
  return proxy;
}

/** How a model is asked once more behind the call with what was given; undefined for one that is not watched. */
export function ownAgentsModel(model: unknown, given: () => GivenInput): Own<unknown> | undefined {
  const watch = typeof model === "object" && model !== null ? watches.get(model) : undefined;
  if (!watch) return undefined;
  const call = Promise.withResolvers<Call>();
  call.promise.catch(() => {});
  for (const oldest of watch.expected) {
    if (watch.expected.size < MOST_EXPECTED) break;
    watch.expected.delete(oldest);
    oldest.call.reject(new Error("The call never came."));
  }
  watch.expected.add({ given, call });
  return { ready: call.promise, ask: async (request) => ask(watch.model, await call.promise, request) };
}

async function ask(
  model: AgentsModel,
  { sent, inside }: Call,
  { prompt, ride, signal }: SummaryRequest,
): Promise<Summary> {
  const { input, modelSettings = {} } = sent;
  const before = typeof input === "string" ? [{ role: "user", content: input }] : input;
  const { toolChoice, providerData } = modelSettings;
  const isForced = toolChoice !== undefined && toolChoice !== "auto" && toolChoice !== "none";
  const request = {
    ...sent,
    input: [...(ride ? before : []), { role: "user", content: prompt }],
    ...(!ride && { systemInstructions: undefined, tools: [], handoffs: [] }),
    modelSettings: {
      ...unshaped(modelSettings),
      ...(providerData && { providerData: unshaped(providerData) }),
      ...(isForced && { toolChoice: "auto" }),
    },
    outputType: "text",
    tracing: false,
    signal,
  };
  return readAnswer(await inside(() => model.getResponse(request)));
}

interface Answer {
  readonly output?: readonly {
    readonly type?: string;
    readonly status?: string;
    readonly content?: readonly { readonly type?: string; readonly text?: string }[];
  }[];
  readonly usage?: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly inputTokensDetails?: unknown;
  };
}

function readAnswer({ output, usage }: Answer): Summary {
  if (!Array.isArray(output)) throw failed("same", "malformed", "The answer holds no output.");
  const said = output.filter(({ type = "message" }) => type === "message");
  const pieces = said.flatMap(({ content = [] }) => content);
  const isCall = output.some(({ type = "message" }) => type !== "message" && type !== "reasoning");
  const isCut = said.some(({ status }) => status === "incomplete");
  const isRefusal = pieces.some(({ type }) => type === "refusal");
  const [details] = [usage?.inputTokensDetails ?? []].flat() as { readonly cached_tokens?: number }[];
  return {
    text: pieces.map(({ type, text = "" }) => (type === "output_text" ? text : "")).join(""),
    finish: isRefusal ? "refusal" : isCall ? "unknown" : isCut ? "length" : "stop",
    model: "model",
    ...(usage && {
      usage: {
        inputTokens: usage.inputTokens,
        ...(details?.cached_tokens !== undefined && { cachedTokens: details.cached_tokens }),
        outputTokens: usage.outputTokens,
      },
    }),
  };
}

/** The SDK copies the items that it is given. From the end, where two conversations differ first. */
function areAlike({ instructions, input: items }: GivenInput, { systemInstructions, input }: Sent): boolean {
  if (typeof input === "string" || items.length !== input.length) return false;
  if (instructions !== systemInstructions) return false;
  for (let at = items.length - 1; at >= 0; at--)
    if (JSON.stringify(items[at]) !== JSON.stringify(input[at])) return false;
  return true;
}
