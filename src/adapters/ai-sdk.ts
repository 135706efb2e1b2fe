/** pith/ai-sdk: the AI SDK: middleware for language models, `prepareStep`, and tools. */
import { agentTools, withFill } from "./agent-tools.ts";
import { type AiMessage, aiMessages } from "./ai-messages.ts";
import { messageView } from "./message-view.ts";
import { type AdapterOptions, createSessions, type Sessions } from "./sessions.ts";

export interface AiTool {
  readonly description: string;
  // biome-ignore lint/suspicious/noExplicitAny: a schema of the AI SDK is known by a symbol that its type keeps to itself.
  readonly inputSchema: any;
  readonly execute: (input: unknown) => Promise<string>;
}

export interface AiSdkAdapter extends Pick<Sessions, "compactor"> {
  /** `wrapLanguageModel({ model, middleware })`. */
  readonly middleware: {
    readonly specificationVersion: "v4";
    // biome-ignore-start lint/suspicious/noExplicitAny: the SDK's types of params and answers ride through.
    readonly wrapGenerate: (given: any) => Promise<any>;
    readonly wrapStream: (given: any) => Promise<any>;
    // biome-ignore-end lint/suspicious/noExplicitAny: as above.
  };
  /**
   * `generateText({ prepareStep })`, for models that cannot be wrapped. It sees requests only: the retry after an
   * overflow, and the fill in the description of `compress_context`, need the middleware. Use one of the two, not both.
   */
  readonly prepareStep: <Message>(given: {
    readonly messages: Message[];
  }) => Promise<{ messages: Message[] }>;
  /** `generateText({ tools: { ...own, ...pith.tools } })`. */
  readonly tools: Record<string, AiTool>;
}

/** How the AI SDK knows a JSON Schema. */
const SCHEMA = Symbol.for("vercel.ai.schema");
const view = messageView(aiMessages);

interface Call {
  readonly params: { readonly prompt: readonly AiMessage[]; readonly tools?: readonly unknown[] };
  readonly model: Readonly<Record<"doGenerate" | "doStream", (params: unknown) => Promise<unknown>>>;
}

/**
 *     const pith = pithAiSdk({ window: 200_000, archive });
 *     const model = wrapLanguageModel({ model: openai("gpt-5"), middleware: pith.middleware });
 */
export function pithAiSdk(options: AdapterOptions = {}): AiSdkAdapter {
  const { compactor, send } = createSessions(options);
  const through = (how: "doGenerate" | "doStream") => (given: unknown) => {
    const { params, model } = given as Call;
    return send({
      history: params.prompt,
      view,
      tools: params.tools,
      call: (prompt, fill) =>
        model[how]({ ...params, prompt, ...(params.tools && { tools: withFill(params.tools, fill) }) }),
    });
  };
  return {
    compactor,
    middleware: {
      specificationVersion: "v4",
      wrapGenerate: through("doGenerate"),
      wrapStream: through("doStream"),
    },
    prepareStep: async <Message>({ messages }: { readonly messages: Message[] }) => {
      const history = messages as readonly AiMessage[];
      const sent = await send({ history, view, call: async (prepared) => prepared });
      return { messages: sent as Message[] };
    },
    tools: Object.fromEntries(
      agentTools(compactor, options).map(({ name, description, parameters, run }) => {
        const inputSchema = { [SCHEMA]: true, jsonSchema: parameters, validate: undefined };
        return [name, { description, inputSchema, execute: (input: unknown) => run(input) }];
      }),
    ),
  };
}
