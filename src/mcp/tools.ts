/** The tools of the MCP server, over an archive. */
import {
  COMPRESS_CONTEXT,
  compressContextDescription,
  compressContextParameters,
  compressContextResult,
} from "../agent-control/compress-context.ts";
import type { Archive } from "../archive/archive.ts";
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

export function mcpTools(archive: Archive, _scope: { readonly conversation?: string } = {}): readonly Tool[] {
  return [searchTool(archive), expandTool(archive), compressContext];
}

/** Changes nothing here: whoever compacts the conversation reads the request from the call in it. */
const compressContext: Tool = {
  name: COMPRESS_CONTEXT,
  description: compressContextDescription(undefined),
  parameters: compressContextParameters,
  run: async (given) => ({ text: compressContextResult(given as { readonly reason: string }) }),
};
