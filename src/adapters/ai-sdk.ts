/** pith/ai-sdk: the AI SDK: middleware for language models, `prepareStep`, and tools. */
import "../needed-node.ts";
import { agentTools } from "./agent-tools.ts";
import { type AiMessage, aiMessages } from "./ai-messages.ts";
import { type AiParams, askAiModel } from "./ai-own-model.ts";
import { messageView } from "./message-view.ts";
import { modelNameOf } from "./model-name.ts";
import { type AdapterOptions, createSessions, type Sessions } from "./sessions.ts";
import type { Whose } from "./whose.ts";

export interface AiTool {
  readonly description: string;
  // biome-ignore lint/suspicious/noExplicitAny: a schema of the AI SDK is known by a symbol that its type keeps to itself.
  readonly inputSchema: any;
  readonly execute: (input: unknown) => Promise<string>;
}

export interface AiSdkAdapter extends Pick<Sessions, "compactor"> {
  /** The same for one conversation or user, tools included: what a server takes for each request. */
  readonly for: (whose: Whose) => AiSdkAdapter;
  /** `wrapLanguageModel({ model, middleware })`. A call may say whose it is: `providerOptions: { pith: { conversationId, user } }`. */
  readonly middleware: {
    readonly specificationVersion: "v4";
    // biome-ignore-start lint/suspicious/noExplicitAny: the SDK's types of params and answers ride through.
    readonly wrapGenerate: (given: any) => Promise<any>;
    readonly wrapStream: (given: any) => Promise<any>;
    // biome-ignore-end lint/suspicious/noExplicitAny: as above.
  };
  /**
   * `generateText({ prepareStep })`, where the model is not at hand to be wrapped: the step's model is, and is sent the
   * compacted prompt. Use this or the middleware, not both. Where the step's model is only a name, the messages are
   * compacted, and tools, which are not told here, are not counted.
   */
  readonly prepareStep: <Message>(given: {
    readonly messages: Message[];
    readonly model?: unknown;
    readonly instructions?: unknown;
    // biome-ignore lint/suspicious/noExplicitAny: the SDK's types of a model and of instructions ride through.
  }) => Promise<{ messages?: Message[]; model?: any; instructions?: any }>;
  /** `generateText({ tools: { ...own, ...pith.tools } })`. */
  readonly tools: Record<string, AiTool>;
}

/** How the AI SDK knows a JSON Schema. */
const SCHEMA = Symbol.for("vercel.ai.schema");
const view = messageView(aiMessages);

interface Call {
  readonly params: Params;
  readonly model: Model;
}

interface Params extends AiParams {
  readonly providerOptions?: { readonly pith?: Whose };
  readonly responseFormat?: { readonly schema?: unknown };
}

interface Model extends Readonly<Record<"doGenerate" | "doStream", (params: unknown) => Promise<unknown>>> {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: unknown;
}

/**
 *     const pith = pithAiSdk({ window: 200_000, archive, summarizer: "same" });
 *     const model = wrapLanguageModel({ model: openai("gpt-5"), middleware: pith.middleware });
 */
export function pithAiSdk(options: AdapterOptions = {}): AiSdkAdapter {
  return adapterFor(createSessions(options), options, {});
}

function adapterFor(sessions: Sessions, options: AdapterOptions, of: Whose): AiSdkAdapter {
  const { compactor, send } = sessions;
  const through = (how: "doGenerate" | "doStream") => (given: unknown) => {
    const { params: asked, model } = given as Call;
    const { params, whose } = whoseCall(asked);
    let sent = params;
    return send({
      history: params.prompt,
      view,
      whose: { ...of, ...whose },
      model: modelNameOf(model),
      tools: definitionsIn(params),
      call: (prompt) => {
        sent = { ...params, prompt };
        return model[how](sent);
      },
      own: { ask: (request) => askAiModel({ model, params: sent, how }, request) },
    });
  };
  const wrapped = (model: Model): Model => ({
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (params) => through("doGenerate")({ params, model }),
    doStream: (params) => through("doStream")({ params, model }),
  });
  return {
    compactor,
    for: (whose) => adapterFor(sessions, options, { ...of, ...whose }),
    middleware: {
      specificationVersion: "v4",
      wrapGenerate: through("doGenerate"),
      wrapStream: through("doStream"),
    },
    prepareStep: async ({ messages, model, instructions }) => {
      if (isModel(model)) return { model: wrapped(model) };
      const system = systemOf(instructions);
      const history = [...system, ...(messages as readonly AiMessage[])];
      const sent = await send({
        history,
        view,
        whose: of,
        model: modelNameOf(model),
        call: async (prepared) => prepared,
      });
      const lead = sent.slice(0, system.length);
      const isNoted = lead.some((message, at) => message !== system[at]);
      return {
        messages: sent.slice(system.length) as typeof messages,
        ...(isNoted && { instructions: typeof instructions === "string" ? lead[0]!.content : lead }),
      };
    },
    tools: Object.fromEntries(
      agentTools(sessions, options, of).map(({ name, description, parameters, run }) => {
        const inputSchema = { [SCHEMA]: true, jsonSchema: parameters, validate: undefined };
        return [name, { description, inputSchema, execute: (input: unknown) => run(input) }];
      }),
    ),
  };
}

/** Whose a call is, and the call without saying so: no provider knows that option. */
function whoseCall(params: Params): { readonly params: Params; readonly whose: Whose } {
  const { pith, ...others } = params.providerOptions ?? {};
  if (pith === undefined) return { params, whose: {} };
  const { conversationId, user } = pith;
  return {
    params: { ...params, providerOptions: others },
    whose: { ...(conversationId !== undefined && { conversationId }), ...(user !== undefined && { user }) },
  };
}

/** All that a request says besides its messages. */
function definitionsIn({ tools = [], responseFormat }: Params): readonly unknown[] {
  return responseFormat?.schema === undefined ? tools : [...tools, responseFormat.schema];
}

function isModel(model: unknown): model is Model {
  return typeof model === "object" && model !== null && "doGenerate" in model && "doStream" in model;
}

/** Instructions are a text, a system message, or several. */
function systemOf(instructions: unknown): readonly AiMessage[] {
  if (instructions === undefined || instructions === null || instructions === "") return [];
  if (typeof instructions === "string") return [{ role: "system", content: instructions }];
  return (Array.isArray(instructions) ? instructions : [instructions]) as readonly AiMessage[];
}
