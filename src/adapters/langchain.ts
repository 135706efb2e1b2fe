/** pith/langchain: middleware for agents of LangChain, with its tools. */
import "../needed-node.ts";
import { agentTools } from "./agent-tools.ts";
import { type LangChainMessage, langChainMessages } from "./langchain-messages.ts";
import { askChatModel, type SentToChatModel } from "./langchain-own-model.ts";
import { messageView } from "./message-view.ts";
import { modelNameOf } from "./model-name.ts";
import { type AdapterOptions, createSessions, type Sessions } from "./sessions.ts";
import { definitionOf } from "./tool-definitions.ts";
import type { Whose } from "./whose.ts";

/** How LangChain knows a middleware. */
const MIDDLEWARE = Symbol.for("AgentMiddleware");

export interface LangChainTool {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** How LangChain knows what it can run. */
  readonly lc_runnable: true;
  readonly invoke: (given: unknown, config?: RunConfig) => Promise<string>;
}

export interface LangChainAdapter extends Pick<Sessions, "compactor"> {
  /** `createAgent({ middleware: [pith.middleware] })`; it brings the tools with it. */
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's type of a middleware depends on the agent it is put into.
  readonly middleware: any;
  readonly tools: readonly LangChainTool[];
}

interface ModelRequest extends SentToChatModel {
  readonly systemMessage?: LangChainMessage;
  readonly tools?: readonly RequestTool[];
  readonly runtime?: RunConfig;
}

/** A tool that LangChain runs, or one of the provider's as the provider wants it. */
interface RequestTool {
  readonly name?: string;
  readonly description?: string;
  readonly schema?: unknown;
}

/** Where LangChain has the name of the conversation, and of its user. */
interface RunConfig {
  readonly configurable?: { readonly thread_id?: string; readonly user_id?: string };
}

/**
 *     const pith = pithLangChain({ window: 200_000, archive, summarizer: "same" });
 *     const agent = createAgent({ model, tools, middleware: [pith.middleware] });
 *
 * A conversation is named by its `thread_id`, and its user by `user_id`. The agent's state keeps all messages; only what the model sees is compacted.
 */
export function pithLangChain(options: AdapterOptions = {}): LangChainAdapter {
  const sessions = createSessions(options);
  const { compactor, send } = sessions;
  const kind = langChainMessages();
  const view = messageView(kind);
  const tools = agentTools(sessions, options).map(({ name, description, parameters, run }) => ({
    name,
    description,
    schema: parameters,
    lc_runnable: true as const,
    invoke: (given: unknown, config?: RunConfig) => run(argumentsOf(given), whoseRun(config)),
  }));

  const wrapModelCall = (request: ModelRequest, handler: (request: ModelRequest) => Promise<unknown>) => {
    const { systemMessage: system, messages } = request;
    const leads = system !== undefined && system.content.length > 0;
    let last = messages;
    return send({
      history: leads ? [system, ...messages] : messages,
      view,
      whose: whoseRun(request.runtime),
      model: modelNameOf(request.model),
      tools: request.tools?.map(definitionIn),
      call: (sent) => {
        last = sent;
        if (!leads) return handler({ ...request, messages: sent });
        const [first, ...rest] = sent;
        return handler({ ...request, messages: rest, ...(first !== system && { systemMessage: first }) });
      },
      own: {
        ask: (asked) =>
          askChatModel({ ...request, messages: last }, (prompt) => kind.create("user", prompt), asked),
      },
    });
  };
  return { compactor, tools, middleware: { [MIDDLEWARE]: true, name: "pith", tools, wrapModelCall } };
}

function whoseRun({ configurable }: RunConfig = {}): Whose {
  return { conversationId: configurable?.thread_id, user: configurable?.user_id };
}

function definitionIn(tool: RequestTool): unknown {
  if (tool.schema === undefined) return tool;
  return definitionOf(tool, ({ name = "", description, schema }) => ({ name, description, schema }));
}

/** A tool is called with its arguments, or with the model's call that holds them. */
function argumentsOf(given: unknown): unknown {
  return typeof given === "object" && given !== null && "args" in given ? given.args : given;
}
