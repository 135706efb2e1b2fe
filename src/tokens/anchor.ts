/** Usage anchor: the provider's own figure for the last request, on which the next one's size is estimated. */
import type { Conversation } from "../conversation/conversation.ts";
import type { TokenCounter } from "./token-counter.ts";

/**
 * What the provider reported for a request. It holds only while those messages are sent unchanged: after a compaction
 * the anchor is unknown (`undefined`) until the next report.
 */
export interface UsageAnchor {
  /** All input tokens of that request, those read from and written to the prompt cache included. */
  readonly promptTokens: number;
  /** How many messages that request had. */
  readonly messages: number;
}

/**
 * The best estimate of the next prompt: what was reported, and the count of what was appended since. Without an
 * anchor, or when the conversation has become shorter than what the anchor measured, everything is counted.
 */
export function anchoredTokens(
  conversation: Conversation,
  counter: TokenCounter,
  anchor: UsageAnchor | undefined,
): number {
  if (!anchor || !holds(anchor, conversation)) return counter.conversation(conversation);
  return conversation.messages
    .slice(anchor.messages)
    .reduce((sum, message) => sum + counter.message(message), anchor.promptTokens);
}

/**
 * Input tokens of a usage object, cached ones included, whichever API it comes from.
 * `undefined` when it has no such figure.
 *
 *     { input_tokens: 12, cache_read_input_tokens: 40_000, cache_creation_input_tokens: 300 } → 40_312
 */
export function promptTokensOf(usage: unknown): number | undefined {
  if (typeof usage !== "object" || usage === null) return undefined;
  const fields = usage as Record<string, unknown>;
  const input = INPUT_FIELDS.map((name) => fields[name]).find(isCount);
  if (input === undefined) return undefined;
  // Where a field of the whole prompt exists it includes the cache; these names are beside an input that does not.
  const beside = isCount(fields.prompt_tokens)
    ? []
    : CACHE_FIELDS.map((name) => fields[name]).filter(isCount);
  const total = beside.reduce((sum, tokens) => sum + tokens, input);
  return total > 0 ? total : undefined;
}

/**
 * How a private tokenizer compares with our count of the same request, within 0.5 and 2; 1 when either is unknown.
 * Give it to `createTokenCounter` as `factor`. `countedTokens` is the count without any factor.
 */
export function calibrationFactor(reportedTokens: number | undefined, countedTokens: number): number {
  if (!isCount(reportedTokens) || !isCount(countedTokens) || reportedTokens === 0 || countedTokens === 0)
    return 1;
  return Math.min(2, Math.max(0.5, reportedTokens / countedTokens));
}

const INPUT_FIELDS = [
  "prompt_tokens",
  "input_tokens",
  "inputTokens",
  "promptTokens",
  "promptTokenCount",
] as const;
const CACHE_FIELDS = [
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "cacheReadInputTokens",
  "cacheWriteInputTokens",
] as const;

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function holds(anchor: UsageAnchor, conversation: Conversation): boolean {
  return (
    isCount(anchor.promptTokens) &&
    anchor.promptTokens > 0 &&
    Number.isInteger(anchor.messages) &&
    anchor.messages >= 0 &&
    anchor.messages <= conversation.messages.length
  );
}
