/** Summary cost: what a summary was billed, and what the next request costs less by it. */
import type { SummaryAttempt } from "../summarizer/chain.ts";
import type { SummaryUsage } from "../summarizer/summarizer.ts";
import { prices } from "./cost.ts";
import type { CostReport } from "./report.ts";

/** Of all calls, also of those whose summary was rejected. */
export interface SummaryTokens {
  readonly inputTokens: number;
  /** Those of the input that the provider had in its cache. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
}

export interface SummaryCost extends SummaryTokens {
  /** All of it, in units of one fresh input token. */
  readonly billed: number;
  /** What the next request costs less with the summary than without, in the same unit; below 0 where it costs more. */
  readonly saves: number;
}

/** An output token costs about as much as so many of the input. */
const OUTPUT_PRICE = 5;

/**
 * Undefined where no provider said what it cost.
 *
 * @param without what the next request costs without the summary
 * @param told and with it
 */
export function summaryCost(
  attempts: readonly SummaryAttempt[],
  without: CostReport,
  told: CostReport,
): SummaryCost | undefined {
  const tokens = summaryTokens(attempts);
  if (!tokens) return undefined;
  const cached = tokens.cachedTokens * (1 - prices.paidWrites.cacheRead);
  const billed = Math.round(tokens.inputTokens - cached + tokens.outputTokens * OUTPUT_PRICE);
  return { ...tokens, billed, saves: without.after - told.after };
}

export function summaryTokens(attempts: readonly SummaryAttempt[]): SummaryTokens | undefined {
  const usages = attempts.flatMap(({ usage }) => usage ?? []);
  if (usages.length === 0) return undefined;
  const sum = (count: (usage: SummaryUsage) => number): number =>
    usages.reduce((total, usage) => total + count(usage), 0);
  return {
    inputTokens: sum((usage) => usage.inputTokens),
    cachedTokens: sum((usage) => usage.cachedTokens ?? 0),
    outputTokens: sum((usage) => usage.outputTokens),
  };
}
