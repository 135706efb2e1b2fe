/** The tools of the MCP server, over an archive. */
import {
  COMPRESS_CONTEXT,
  compressContextDescription,
  compressContextParameters,
  compressContextResult,
} from "../agent-control/compress-context.ts";
import type { Archive } from "../archive/archive.ts";
import { oneConversation } from "./one-conversation.ts";
import { expandTool, searchTool } from "./recall-tools.ts";

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Gets arguments that fit the schema. */
  readonly run: (given: unknown) => Promise<ToolAnswer>;
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError?: boolean;
}

/** @param conversation recall is limited to it */
export function mcpTools(whole: Archive, conversation?: string): readonly Tool[] {
  const archive = conversation === undefined ? whole : oneConversation(whole, conversation);
  return [searchTool(archive), expandTool(archive), compressContext];
}

/** Changes nothing here: whoever compacts the conversation reads the request from the call in it. */
const compressContext: Tool = {
  name: COMPRESS_CONTEXT,
  description: compressContextDescription(undefined),
  parameters: compressContextParameters,
  run: async (given) => ({ text: compressContextResult(given as { readonly reason: string }) }),
};
