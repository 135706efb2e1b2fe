/** Cost: what the next request is billed before and after a compaction, the prompt cache included. */
import type { Conversation } from "../conversation/conversation.ts";
import type { Rewrite } from "../conversation/rewrite.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { CostReport } from "./report.ts";

/** Prices in units of one fresh input token. Replace them when a provider's list differs. */
export interface Prices {
  /** A token that the provider finds in its prompt cache. */
  readonly cacheRead: number;
  /** A token that it reads afresh and puts into the cache. */
  readonly cacheWrite: number;
}

export const prices = {
  /** Reads at a tenth; writes for five minutes cost a quarter more. */
  paidWrites: { cacheRead: 0.1, cacheWrite: 1.25 },
  /** Reads at a tenth (older models: a quarter or a half); writes cost nothing extra. */
  freeWrites: { cacheRead: 0.1, cacheWrite: 1 },
  /** No cache: every token is fresh. */
  uncached: { cacheRead: 1, cacheWrite: 1 },
} as const satisfies Record<string, Prices>;

export interface CostOptions {
  /** The whole request, system prompt and tools included. */
  readonly promptTokensBefore: number;
  readonly promptTokensAfter: number;
  /** What was added since the last request: it is in no cache yet. */
  readonly newestTurnTokens: number;
  /** How much of the front is the same before and after (see `commonPrefixTokens`). */
  readonly commonPrefixTokens: number;
  /** @default prices.paidWrites */
  readonly prices?: Prices;
}

/** Before: all but the newest turn is a cache hit. After: the common front is one, and the rest is written anew. */
export function estimateCost(options: CostOptions): CostReport {
  const { promptTokensBefore, promptTokensAfter, newestTurnTokens, commonPrefixTokens } = options;
  const price = options.prices ?? prices.paidWrites;
  const before = billed(promptTokensBefore, promptTokensBefore - newestTurnTokens, price);
  // Of an unchanged conversation the newest turn is fresh as well, though the whole of it is common.
  const hit = Math.min(commonPrefixTokens, promptTokensBefore - newestTurnTokens);
  return { before, after: billed(promptTokensAfter, hit, price) };
}

/** Tokens of the messages that are unchanged at the front of both; the tools, sent before them, count with them. */
export function commonPrefixTokens(rewrite: Rewrite, after: Conversation, counter: TokenCounter): number {
  const end = rewrite.findIndex(({ from, written }, index) => from !== index || written !== undefined);
  const front = end < 0 ? after.messages : after.messages.slice(0, end);
  return front.reduce((tokens, message) => tokens + counter.message(message), counter.tools(after.tools));
}

export interface PayOff extends CostOptions {
  /** What making the compaction itself costs, such as a summarizer's bill. @default 0 */
  readonly ownCost?: number;
}

/**
 * After how many further requests the compaction has paid for itself: each of them reads fewer tokens from the cache.
 * 0 when the next one is cheaper already; Infinity when it never pays, because nothing got smaller.
 *
 *     144,000 → 67,000 tokens, 5,000 of them untouched at the front, 1,000 new → 9 requests
 */
export function paysOff(options: PayOff): number {
  const { before, after } = estimateCost(options);
  const extra = after - before + (options.ownCost ?? 0);
  if (extra <= 0) return 0;
  const price = options.prices ?? prices.paidWrites;
  const savedEach = (options.promptTokensBefore - options.promptTokensAfter) * price.cacheRead;
  return savedEach > 0 ? Math.ceil(extra / savedEach) : Number.POSITIVE_INFINITY;
}

function billed(tokens: number, cached: number, price: Prices): number {
  const hit = Math.min(Math.max(0, cached), tokens);
  return Math.round(hit * price.cacheRead + (tokens - hit) * price.cacheWrite);
}
