/** runAgentTool: answers a call of one of the tools that Pith offers to an agent. */
import type { Archive } from "../archive/archive.ts";
import { recallTools, runRecallTool } from "../recall/tools.ts";
import { COMPRESS_CONTEXT, compressContextResult } from "./compress-context.ts";

export interface ToolMeans {
  readonly archive: Archive | undefined;
  readonly conversation: string | undefined;
}

/** Undefined for a tool that is not Pith's. `given` is the arguments, parsed or as JSON text. */
export async function runAgentTool(
  name: string,
  given: unknown,
  { archive, conversation }: ToolMeans,
): Promise<string | undefined> {
  const values = parsed(given);
  if (name === COMPRESS_CONTEXT) return compressContextResult({ reason: reasonOf(values) });
  if (!archive) return undefined;
  try {
    const tools = recallTools(archive, conversation === undefined ? {} : { conversation });
    return (await runRecallTool(tools, name, values))?.text;
  } catch (cause) {
    return `${name} failed: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}

function parsed(given: unknown): unknown {
  if (typeof given !== "string") return given;
  try {
    return JSON.parse(given);
  } catch {
    // The tool says what is wrong with it.
    return given;
  }
}

function reasonOf(values: unknown): string {
  const reason =
    typeof values === "object" && values !== null && "reason" in values ? values.reason : undefined;
  return typeof reason === "string" ? reason : "no reason given";
}
