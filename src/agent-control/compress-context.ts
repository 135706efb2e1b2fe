/** compress_context: the tool by which an agent asks for a compaction at a moment that suits its work (F72–F75). */
import { type Message, toolCallsOf, toolResultsOf } from "../conversation/message.ts";
import { isObject, parsedJson, type WireObject } from "../json/wire-value.ts";

export const COMPRESS_CONTEXT = "compress_context";

/** For the system prompt of an agent that has the tool (F75). */
export const COMPRESS_CONTEXT_HINT =
  "Consider using compress_context before large tool results or at task boundaries.";

const STRATEGIES = ["summarize", "archive"] as const;
type Strategy = (typeof STRATEGIES)[number];

export interface CompressRequest {
  /** The call it was read from: each is honoured once. */
  readonly callId: string;
  readonly strategy: Strategy;
  readonly preserveMarkers: boolean;
  readonly reason: string;
}

/** What the tool does, with how full the context is now (F73). */
export function compressContextDescription(fillRatio: number | undefined): string {
  const fill = fillRatio === undefined ? "unknown" : `${Math.round(fillRatio * 100)}%`;
  return (
    "Compact the conversation history to free context space. Use at task boundaries, before large tool results, " +
    `or after extracting key findings. Recent turns are always preserved. Current context fill: ${fill}.`
  );
}

/** JSON Schema of its parameters. */
export const compressContextParameters = {
  type: "object",
  properties: {
    strategy: {
      type: "string",
      enum: STRATEGIES,
      default: "summarize",
      description:
        "summarize: leave a hand-off of what was done; archive: leave none, only where it can be recalled.",
    },
    preserve_markers: {
      type: "boolean",
      default: true,
      description: "Keep the points of doubt and correction.",
    },
    reason: { type: "string", minLength: 1, description: "Why this is a good moment." },
  },
  required: ["reason"],
} as const;

/** The tool's answer. The tool itself changes nothing: the compaction follows after the whole batch (F74). */
export function compressContextResult(request: Pick<CompressRequest, "reason">): string {
  return `Compaction requested: ${request.reason}`;
}

/** The answer to a call with these arguments, parsed or as JSON text: a blank reason is refused (F83), and an unknown strategy. */
export function answerCompress(given: unknown): { readonly text: string; readonly isError: boolean } {
  const request = readCompressRequest("", given);
  if (request) return { text: compressContextResult(request), isError: false };
  const text = hasReason(valuesOf(given))
    ? `${COMPRESS_CONTEXT} has no such strategy: give "summarize" or "archive", or leave it out.`
    : `${COMPRESS_CONTEXT} needs a reason: say why this is a good moment.`;
  return { text, isError: true };
}

/**
 * The request in the newest batch of calls, once every call of it is answered; none when `honoured` names it already.
 * Read from the call itself, since metadata on results gets lost on the way (R50). What the tool refused is no request.
 */
export function requestedCompaction(
  messages: readonly Message[],
  honoured?: string,
): CompressRequest | undefined {
  const batch = messages.findLastIndex((message) => message.role === "assistant");
  const message = messages[batch];
  if (!message) return undefined;
  const answered = new Set(
    messages.slice(batch + 1).flatMap((each) => toolResultsOf(each).map((result) => result.pairId)),
  );
  const calls = toolCallsOf(message).filter((call) => !call.server);
  if (calls.some((call) => !answered.has(call.pairId))) return undefined;
  const call = calls.findLast((each) => NAMED.test(each.name));
  if (!call || call.pairId === honoured) return undefined;
  return readCompressRequest(call.pairId, call.arguments);
}

/** Through MCP the tool's name has its server's before it: `mcp__pith__compress_context`, `pith_compress_context`. */
const NAMED = /(?:^|[^A-Za-z0-9])compress_context$/;

/** What a call asks for by its arguments, parsed or as JSON text; undefined where they are no request. */
export function readCompressRequest(callId: string, given: unknown): CompressRequest | undefined {
  const values = valuesOf(given);
  // null is how some models leave a value out.
  const strategy = values.strategy ?? "summarize";
  if (!hasReason(values) || !isStrategy(strategy)) return undefined;
  return {
    callId,
    strategy,
    preserveMarkers: !isNo(values.preserve_markers),
    reason: values.reason.trim(),
  };
}

function valuesOf(given: unknown): WireObject {
  const value = typeof given === "string" ? parsedJson(given) : given;
  return isObject(value) ? value : {};
}

function hasReason(values: WireObject): values is WireObject & { readonly reason: string } {
  return typeof values.reason === "string" && values.reason.trim() !== "";
}

export function isStrategy(value: unknown): value is Strategy {
  return (STRATEGIES as readonly unknown[]).includes(value);
}

/** Models write booleans in many ways. */
function isNo(value: unknown): boolean {
  return (
    value === false ||
    value === 0 ||
    (typeof value === "string" && /^(?:false|no|0|off)$/i.test(value.trim()))
  );
}
