/** The tools of the MCP server: the library's own, over an archive. */
import {
  COMPRESS_CONTEXT,
  compressContextDescription,
  compressContextParameters,
  compressContextResult,
} from "../agent-control/compress-context.ts";
import type { Archive } from "../archive/archive.ts";
import { oneConversation } from "../recall/one-conversation.ts";
import { type RecallTool, recallTools } from "../recall/tools.ts";

export interface McpToolsOptions {
  /** There is no other, by search as little as by id. @default every conversation of the archive */
  readonly conversation?: string | undefined;
}

export function mcpTools(archive: Archive, { conversation }: McpToolsOptions = {}): readonly RecallTool[] {
  const recall =
    conversation === undefined
      ? recallTools(archive)
      : recallTools(oneConversation(archive, conversation), { conversation });
  return [...recall, compressContext];
}

/** Changes nothing here: whoever compacts the conversation reads the request from the call in it. */
const compressContext: RecallTool = {
  name: COMPRESS_CONTEXT,
  description: compressContextDescription(undefined),
  parameters: compressContextParameters,
  run: async (given) => ({
    text: compressContextResult(given as { readonly reason: string }),
    isError: false,
  }),
};
