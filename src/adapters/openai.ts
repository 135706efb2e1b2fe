/** pith/openai: the OpenAI SDK (chat and Responses) and the OpenAI Agents SDK. */
import "../needed-node.ts";
import { type AgentTool, agentTools } from "./agent-tools.ts";
import { type AgentsCall, type AgentsModelData, agentsFilter, whoseRun } from "./agents-filter.ts";
import { type AgentsModel, watchedAgentsModel } from "./agents-own-model.ts";
import { compactingFetch, type Endpoint, type Fetch } from "./compacting-fetch.ts";
import { type AdapterOptions, createSessions, type Sessions } from "./sessions.ts";
import type { Whose } from "./whose.ts";

export interface OpenAIAdapterOptions extends AdapterOptions {
  /** The fetch that sends. @default the global one */
  readonly fetch?: Fetch;
}

/** A tool for `client.chat.completions.runTools`. */
export interface RunnableChatTool {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
    readonly function: (given: string) => Promise<string>;
  };
}

/** A tool for `new Agent({ tools })` of the Agents SDK. */
export interface AgentsFunctionTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's type of a schema says no more.
  readonly parameters: any;
  readonly strict: boolean;
  readonly invoke: (context: unknown, input: string) => Promise<string>;
  readonly needsApproval: () => Promise<boolean>;
  readonly isEnabled: () => Promise<boolean>;
}

export interface OpenAIAdapter extends Pick<Sessions, "compactor"> {
  /**
   * Give it to the client: `new OpenAI({ fetch })`. A request may say whose it is in the headers `x-pith-conversation` and
   * `x-pith-user`, which are not sent on.
   */
  readonly fetch: Fetch;
  /** The same for one conversation or user, tools included: what a server takes for each request. */
  readonly for: (whose: Whose) => OpenAIAdapter;
  /** For the tool runner of chat completions. */
  readonly chatTools: readonly RunnableChatTool[];
  /** For `responses.create`; answer calls with `runTool(name, arguments)`. */
  readonly responseTools: readonly {
    readonly type: "function";
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
    readonly strict: false;
  }[];
  /** Answers a call of one of these tools in a loop of your own; undefined for a tool that is yours. */
  readonly runTool: (name: string, given: unknown, whose?: Whose) => Promise<string | undefined>;
  /** For agents of the Agents SDK. */
  readonly agentTools: AgentsFunctionTool[];
  /**
   * For the Agents SDK with any model: `run(agent, input, { callModelInputFilter })`. Whose a run is, its context may say, to
   * this and to the tools: `context: { pith: { conversationId, user } }`. It sees requests only: the retry
   * after an overflow, and the note of how full the context is, need `fetch`. Use one of the two, not both.
   * For `summarizer: "same"` the agent's model must be watched by `agentsModel`.
   */
  readonly callModelInputFilter: <Data extends AgentsModelData>(given: AgentsCall<Data>) => Promise<Data>;
  /** The same model, for `new Agent({ model: agentsModel(model) })` beside the filter: its calls are seen by it. */
  readonly agentsModel: <Model extends AgentsModel>(model: Model) => Model;
}

const ENDPOINTS: readonly Endpoint[] = [
  { path: /\/chat\/completions$/, format: "openai-chat", list: "messages", isHeld: () => false },
  {
    path: /\/responses$/,
    compactPath: /\/responses\/compact$/,
    format: "openai-responses",
    list: "input",
    system: "instructions",
    isHeld: ({ previous_response_id: previous, conversation }) => Boolean(previous ?? conversation),
  },
];

/**
 *     const pith = pithOpenAI({ window: 128_000, archive, summarizer: "same" });
 *     const client = new OpenAI({ fetch: pith.fetch });
 */
export function pithOpenAI(options: OpenAIAdapterOptions = {}): OpenAIAdapter {
  const { fetch: _, ...rest } = options;
  const sessions = createSessions(rest);
  return adapterFor(sessions, options, {});
}

function adapterFor(sessions: Sessions, options: OpenAIAdapterOptions, of: Whose): OpenAIAdapter {
  const tools = agentTools(sessions, options, of);
  return {
    compactor: sessions.compactor,
    fetch: compactingFetch(sessions, ENDPOINTS, options.fetch, of),
    for: (whose) => adapterFor(sessions, options, { ...of, ...whose }),
    chatTools: tools.map(({ run, ...definition }) => ({
      type: "function",
      function: { ...definition, function: (given) => run(given) },
    })),
    responseTools: tools.map(({ run: _run, ...definition }) => ({
      type: "function",
      strict: false,
      ...definition,
    })),
    runTool: (name, given, whose) => sessions.runTool(name, given, { ...of, ...whose }),
    agentTools: tools.map(agentsTool),
    callModelInputFilter: agentsFilter(sessions, of),
    agentsModel: watchedAgentsModel,
  };
}

function agentsTool({ run, ...definition }: AgentTool): AgentsFunctionTool {
  return {
    type: "function",
    strict: false,
    ...definition,
    invoke: (context, input) => run(input, whoseRun(context)),
    needsApproval: async () => false,
    isEnabled: async () => true,
  };
}
