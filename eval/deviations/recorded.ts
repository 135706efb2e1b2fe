/** The recorded tool outputs of some length in which a failure is marked. */
import type { ToolOutput } from "../../src/conversation/tool-output.ts";
import { recordings } from "../../test/recordings.ts";
import { failureMarks } from "./failure-marks.ts";
import { LEAST_TOKENS, tokensOf } from "./measure.ts";

export interface RecordedFailure {
  readonly source: string;
  readonly output: ToolOutput;
  readonly marks: readonly string[];
}

const OPENAI_SOURCES = [
  "coding-sessions",
  "derived-openai",
  "livemcpbench",
  "tau-bench-airline",
  "openhands-llm-log",
];

interface WireCall {
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

interface WireMessage {
  readonly role?: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly WireCall[];
  readonly tool_call_id?: string;
}

export async function* recordedFailures(most = Number.POSITIVE_INFINITY): AsyncGenerator<RecordedFailure> {
  const seen = new Set<string>();
  for await (const { source, messages } of recordings(OPENAI_SOURCES)) {
    const calls = new Map<string, WireCall>();
    for (const message of messages as readonly WireMessage[]) {
      for (const call of message.tool_calls ?? []) if (call.id !== undefined) calls.set(call.id, call);
      const text = message.role === "tool" ? textOf(message.content) : "";
      if (text.length < LEAST_TOKENS || seen.has(text)) continue;
      const call = calls.get(message.tool_call_id ?? "")?.function;
      const output = {
        text,
        toolName: call?.name ?? "",
        toolArguments: call?.arguments ?? "",
        isError: false,
      };
      if (!isRun(output)) continue;
      const marks = failureMarks(text);
      if (marks.length === 0 || tokensOf(text) < LEAST_TOKENS) continue;
      seen.add(text);
      yield { source, output, marks };
      if (seen.size >= most) return;
    }
  }
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: { readonly text?: unknown }) => (typeof part.text === "string" ? part.text : ""))
    .join("\n");
}

/** A command was run that prints what it did, not what stands in a file. */
function isRun({ toolName, toolArguments }: ToolOutput): boolean {
  if (!/bash|shell|exec|command|terminal|run/i.test(toolName)) return false;
  const command = /"(?:command|cmd)"\s*:\s*(\[[^\]]*\]|"(?:[^"\\]|\\.)*")/.exec(toolArguments)?.[1] ?? "";
  return !READS.test(command.replace(/^["[\s]*(?:bash["',\s]*-lc["',\s]*)?(?:cd [^&;|]*(?:&&|;)\s*)?/, ""));
}

const READS =
  /^(?:cat|sed|head|tail|less|grep|rg|awk|nl|find|ls|wc|git (?:-\S+ )*(?:diff|show|log|grep|blame|stash)|diff|curl|gh|jq|echo|python3? -c|for|cargo search)\b/;
