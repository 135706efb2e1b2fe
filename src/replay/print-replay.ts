/** printReplay: what each strategy cost, as a table for people. */

import { table } from "../report/table.ts";
import { percent, thousands } from "../tokens/number-words.ts";
import type { Replayed } from "./replay.ts";

/** A line for each strategy, a column of cost for each price table. */
export function printReplay(results: readonly Replayed[]): string {
  const tables = Object.keys(results[0]?.bills ?? {});
  const header = ["strategy", "failed", "compactions", "largest prompt", "cache hits"];
  const withRecall = results.some(({ recall }) => recall !== undefined);
  const rows = results.map((result) => [
    result.strategy,
    thousands(result.failed),
    thousands(result.compactions),
    thousands(result.largestPromptTokens),
    percent(cacheHits(result)),
    ...tables.map((name) => result.bills[name]!.cost.toFixed(4)),
    ...(withRecall ? [heldShare(result)] : []),
  ]);
  const columns = [...header, ...tables, ...(withRecall ? ["recall"] : [])];
  const right = columns.map((_, column) => column).slice(1);
  return table([columns, ...rows], { right, width: 200 }).join("\n");
}

/** The share of all prompt tokens that came from the cache, by the first price table. */
export function cacheHits({ bills, promptTokens }: Replayed): number {
  const read = Object.values(bills)[0]?.cacheReadTokens ?? 0;
  return promptTokens > 0 ? read / promptTokens : 0;
}

function heldShare({ recall }: Replayed): string {
  return recall && recall.used > 0 ? percent(recall.held / recall.used) : "-";
}
