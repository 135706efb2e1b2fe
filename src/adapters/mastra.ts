/** pith/mastra: a processor for agents of Mastra, and tools. */
import "../needed-node.ts";
import { contextOverflowOf } from "../providers/overflow.ts";
import { agentTools } from "./agent-tools.ts";
import { type AiMessage, aiMessages } from "./ai-messages.ts";
import { type WatchedModel, watchedModel } from "./mastra-own-model.ts";
import { messageView } from "./message-view.ts";
import { modelNameOf } from "./model-name.ts";
import { type AdapterOptions, createSessions, type Sessions } from "./sessions.ts";
import { definitionOf } from "./tool-definitions.ts";
import type { Whose } from "./whose.ts";

export interface MastraAdapter extends Pick<Sessions, "compactor"> {
  /** `new Agent({ inputProcessors: [pith.processor] })`. The agent's memory keeps all messages. */
  readonly processor: {
    readonly id: "pith";
    // biome-ignore-start lint/suspicious/noExplicitAny: the SDK's prompt rides through, and its types differ by version.
    readonly processInputStep: (given: any) => any;
    readonly processLLMRequest: (given: any) => Promise<any>;
    readonly processAPIError: (given: any) => { retry: boolean } | undefined;
    // biome-ignore-end lint/suspicious/noExplicitAny: as above.
  };
  /** `new Agent({ tools: { ...own, ...pith.tools } })`. */
  // biome-ignore lint/suspicious/noExplicitAny: Mastra takes tools of several kinds; these are the AI SDK's.
  readonly tools: Record<string, any>;
}

interface StepArgs {
  readonly model?: unknown;
  readonly tools?: Readonly<Record<string, StepTool>>;
  readonly activeTools?: readonly string[];
  /** Of one run of the agent. */
  readonly state: Record<string, unknown>;
}

/** A tool of Mastra's own, or one of the AI SDK's. */
interface StepTool {
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly parameters?: unknown;
}

interface RequestArgs {
  readonly prompt: readonly AiMessage[];
  readonly model?: unknown;
  readonly state: Record<string, unknown>;
  readonly requestContext?: RequestContext;
}

/** What Mastra passes along with a request, to the processors and to every kind of tool. */
interface RequestContext {
  readonly get: (key: string) => unknown;
}

interface ErrorArgs {
  readonly error: unknown;
  readonly state: Record<string, unknown>;
  readonly retryCount: number;
}

/** How the AI SDK, and Mastra with it, knows a JSON Schema. */
const SCHEMA = Symbol.for("vercel.ai.schema");
const view = messageView(aiMessages);

/**
 *     const pith = pithMastra({ window: 200_000, archive, summarizer: "same" });
 *     const agent = new Agent({ …, inputProcessors: [pith.processor], tools: { ...own, ...pith.tools } });
 */
export function pithMastra(options: AdapterOptions = {}): MastraAdapter {
  const sessions = createSessions(options);
  const { compactor, send } = sessions;
  const asksOwn = [options.summarizer].flat().includes("same");
  return {
    compactor,
    processor: {
      id: "pith",
      processInputStep: ({ tools = {}, activeTools, state, model }: StepArgs) => {
        state.definitions = definitionsIn(tools, activeTools);
        const watched = asksOwn ? watchedModel(model) : undefined;
        state.watched = watched;
        return watched && { model: watched.model };
      },
      processLLMRequest: async ({ prompt, model, state, requestContext }: RequestArgs) => {
        const refusals = [state.refused].filter((error) => error !== undefined);
        state.refused = undefined;
        const sent = await send({
          history: prompt,
          view,
          whose: whoseRequest(requestContext),
          model: modelNameOf(model),
          tools: state.definitions as readonly unknown[] | undefined,
          // What the provider said to the last try is what it would say to this one: the second one is smaller.
          call: async (messages) => {
            if (refusals.length > 0) throw refusals.pop();
            return messages;
          },
          own: (state.watched as WatchedModel | undefined)?.own(),
        });
        return { prompt: sent };
      },
      processAPIError: ({ error, state, retryCount }: ErrorArgs) => {
        if (retryCount > 0 || !contextOverflowOf(error)) return undefined;
        state.refused = error;
        return { retry: true };
      },
    },
    tools: Object.fromEntries(
      agentTools(sessions, options).map(({ name, description, parameters, run }) => {
        const inputSchema = { [SCHEMA]: true, jsonSchema: parameters, validate: undefined };
        const execute = (input: unknown, context?: { readonly requestContext?: RequestContext }) =>
          run(input, whoseRequest(context?.requestContext));
        return [name, { description, inputSchema, execute }];
      }),
    ),
  };
}

function definitionsIn(
  tools: Readonly<Record<string, StepTool>>,
  active: readonly string[] = Object.keys(tools),
): readonly unknown[] {
  return Object.entries(tools)
    .filter(([name]) => active.includes(name))
    .map(([name, tool]) =>
      definitionOf(tool, ({ description, inputSchema, parameters }) => ({
        name,
        description,
        schema: inputSchema ?? parameters,
      })),
    );
}

/** Mastra keeps the thread of an agent's memory, and whose it is, in the context of the request. */
function whoseRequest(context: RequestContext | undefined): Whose {
  const memory = context?.get("MastraMemory") as
    | { readonly thread?: { readonly id?: string }; readonly resourceId?: string }
    | undefined;
  return { conversationId: memory?.thread?.id, user: memory?.resourceId };
}
