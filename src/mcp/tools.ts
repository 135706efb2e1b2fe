/** The tools of the MCP server: the library's own, over an archive. */
import {
  answerCompress,
  COMPRESS_CONTEXT,
  compressContextDescription,
  compressContextParameters,
} from "../agent-control/compress-context.ts";
import type { Archive } from "../archive/archive.ts";
import { tenantsArchive } from "../archive/part-of-archive.ts";
import { oneConversation } from "../recall/one-conversation.ts";
import { type RecallTool, recallTools } from "../recall/tools.ts";

export interface McpToolsOptions {
  /** There is no other, by search as little as by id. @default every conversation of the archive */
  readonly conversationId?: string | undefined;
  /** Only conversations of this tenant. @default every tenant's */
  readonly tenant?: string | undefined;
  /** Whoever compacts the conversation lets the agent ask for it; nobody else acts on `compress_context`. @default false */
  readonly agentControlled?: boolean;
}

export function mcpTools(
  whole: Archive,
  { conversationId, tenant, agentControlled = false }: McpToolsOptions = {},
): readonly RecallTool[] {
  const archive = tenant === undefined ? whole : tenantsArchive(whole, tenant);
  const recall =
    conversationId === undefined
      ? recallTools(archive)
      : recallTools(oneConversation(archive, conversationId), { conversationId });
  return agentControlled ? [...recall, compressContext] : recall;
}

/** Changes nothing here: whoever compacts the conversation reads the request from the call in it. */
const compressContext: RecallTool = {
  name: COMPRESS_CONTEXT,
  description: compressContextDescription(undefined),
  parameters: compressContextParameters,
  run: async (given) => answerCompress(given),
};
