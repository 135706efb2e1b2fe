/** pith/anthropic: the Anthropic SDK: messages, streams and the tool runner. */
import "../needed-node.ts";
import { agentTools } from "./agent-tools.ts";
import { compactingFetch, type Endpoint, type Fetch } from "./compacting-fetch.ts";
import { type AdapterOptions, createSessions, type Sessions } from "./sessions.ts";
import type { Whose } from "./whose.ts";

export interface AnthropicAdapterOptions extends AdapterOptions {
  /** The fetch that sends. @default the global one */
  readonly fetch?: Fetch;
}

/** A tool for `client.beta.messages.toolRunner({ thread: false, … })`. */
export interface RunnableTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: { readonly type: "object"; readonly [key: string]: unknown };
  readonly run: (given: unknown) => Promise<string>;
  readonly parse: (given: unknown) => unknown;
}

export interface AnthropicAdapter extends Pick<Sessions, "compactor"> {
  /**
   * Give it to the client: `new Anthropic({ fetch })`. A request may say whose it is in the headers `x-pith-conversation` and
   * `x-pith-user`, which are not sent on.
   */
  readonly fetch: Fetch;
  /** The same for one conversation or user, tools included: what a server takes for each request. */
  readonly for: (whose: Whose) => AnthropicAdapter;
  /**
   * For the tool runner. It leaves the conversation with the server unless it is told `thread: false`, and then there is
   * nothing to compact. In a loop of your own, answer calls with `runTool(name, input)`.
   */
  readonly tools: RunnableTool[];
  /** Answers a call of one of these tools in a loop of your own; undefined for a tool that is yours. */
  readonly runTool: (name: string, given: unknown, whose?: Whose) => Promise<string | undefined>;
}

const ENDPOINTS: readonly Endpoint[] = [
  {
    path: /\/messages$/,
    format: "anthropic-messages",
    list: "messages",
    system: "system",
    isHeld: ({ thread }) => (thread as { readonly type?: unknown } | undefined)?.type === "continue",
  },
];

/**
 *     const pith = pithAnthropic({ window: 200_000, archive, summarizer: "same" });
 *     const client = new Anthropic({ fetch: pith.fetch });
 */
export function pithAnthropic(options: AnthropicAdapterOptions = {}): AnthropicAdapter {
  const { fetch: _, ...rest } = options;
  return adapterFor(createSessions(rest), options, {});
}

function adapterFor(sessions: Sessions, options: AnthropicAdapterOptions, of: Whose): AnthropicAdapter {
  return {
    compactor: sessions.compactor,
    fetch: compactingFetch(sessions, ENDPOINTS, options.fetch, of),
    for: (whose) => adapterFor(sessions, options, { ...of, ...whose }),
    tools: agentTools(sessions, options, of).map(({ name, description, parameters, run }) => ({
      name,
      description,
      input_schema: { ...parameters, type: "object" },
      run: (given) => run(given),
      parse: (given) => given,
    })),
    runTool: (name, given, whose) => sessions.runTool(name, given, { ...of, ...whose }),
  };
}
