/** Agent tools: what Pith offers to the model, ready to be put into an SDK's own kind of tool. */
import {
  COMPRESS_CONTEXT,
  compressContextDescription,
  compressContextParameters,
} from "../agent-control/compress-context.ts";
import type { Compactor } from "../compactor.ts";
import { recallTools } from "../recall/tools.ts";
import type { AdapterOptions } from "./sessions.ts";

export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * Takes the arguments, parsed or as JSON text, and the conversation's name where the SDK knows it. Never throws: what
   * is wrong is the answer.
   */
  readonly run: (given: unknown, conversation?: string) => Promise<string>;
}

/**
 * The tools of a request, with how full the context is in what `compress_context` says of itself. In steps of ten percent:
 * each change of a tool costs the provider's cache of all that follows it.
 */
export function withFill<Tool>(tools: readonly Tool[], fill: number | undefined): readonly Tool[] {
  if (fill === undefined) return tools;
  const description = compressContextDescription(Math.floor(fill * 10) / 10);
  return tools.map((tool) => {
    const { name, function: inner } = tool as { readonly name?: unknown; readonly function?: Tool };
    if (name === COMPRESS_CONTEXT) return { ...tool, description };
    return typeof inner === "object" ? { ...tool, function: withFill([inner], fill)[0] } : tool;
  });
}

/** `compress_context` where the policy is agent-controlled, recall where there is an archive. */
export function agentTools(
  { policy, runTool }: Compactor,
  { archive, conversation }: Pick<AdapterOptions, "archive" | "conversation">,
): readonly AgentTool[] {
  const compress = {
    name: COMPRESS_CONTEXT,
    description: compressContextDescription(undefined),
    parameters: compressContextParameters,
  };
  const offered = [...(policy.agentControlled ? [compress] : []), ...(archive ? recallTools(archive) : [])];
  return offered.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
    run: async (given, known = conversation) =>
      (await runTool(name, given, known === undefined ? {} : { conversation: known }))!,
  }));
}
