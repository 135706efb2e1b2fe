/** Agent tools: what Pith offers to the model, ready to be put into an SDK's own kind of tool. */
import {
  COMPRESS_CONTEXT,
  compressContextDescription,
  compressContextParameters,
} from "../agent-control/compress-context.ts";
import { isObject } from "../json/wire-value.ts";
import { actsOnRequests } from "../policy/acts-on-requests.ts";
import { recallTools } from "../recall/tools.ts";
import type { AdapterOptions, Sessions } from "./sessions.ts";
import type { Whose } from "./whose.ts";

export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * Takes the arguments, parsed or as JSON text, and whose call it is where the SDK knows it. Never throws: what is wrong
   * is the answer.
   */
  readonly run: (given: unknown, whose?: Whose) => Promise<string>;
}

/** Whether a request offers `compress_context`, in its body or beside it. */
export function offersCompress(body: unknown, beside: readonly unknown[] = []): boolean {
  const tools = isObject(body) && Array.isArray(body.tools) ? body.tools : [];
  return [...tools, ...beside].some((tool) => {
    if (!isObject(tool)) return false;
    return (isObject(tool.function) ? tool.function.name : tool.name) === COMPRESS_CONTEXT;
  });
}

/**
 * `compress_context` where the agent's requests are acted on, recall where there is an archive.
 *
 * @param of whose they are where a call does not say it. @default the adapter's
 */
export function agentTools(
  { compactor: { policy }, runTool }: Pick<Sessions, "compactor" | "runTool">,
  { archive, target }: Pick<AdapterOptions, "archive" | "target">,
  of: Whose = {},
): readonly AgentTool[] {
  const compress = {
    name: COMPRESS_CONTEXT,
    description: compressContextDescription(undefined),
    parameters: compressContextParameters,
  };
  const offered = [
    ...(actsOnRequests(policy, target) ? [compress] : []),
    ...(archive ? recallTools(archive) : []),
  ];
  return offered.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
    run: async (given, whose = {}) =>
      (await runTool(name, given, {
        conversationId: whose.conversationId ?? of.conversationId,
        user: whose.user ?? of.user,
      }))!,
  }));
}
