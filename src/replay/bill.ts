/** Bill: what the requests of a replay cost under a price table, the prompt cache included. */
import type { PriceTable } from "./price-table.ts";

/** The sizes of one request. */
export interface BilledRequest {
  readonly promptTokens: number;
  /** How many of them, from the front, are byte for byte what the request before had there. */
  readonly commonTokens: number;
  readonly outputTokens: number;
  /** Since the request before. */
  readonly idleMs: number;
}

export interface Bill {
  readonly cost: number;
  /** Tokens that the cache had. */
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

/** The cost is in the table's currency. */
export function billFor(requests: Iterable<BilledRequest>, table: PriceTable): Bill {
  let [cost, cacheReadTokens, cacheWriteTokens] = [0, 0, 0];
  for (const { promptTokens, commonTokens, outputTokens, idleMs } of requests) {
    const isCached = promptTokens >= table.cacheMinimumTokens;
    const isAlive = idleMs <= table.cacheSeconds * 1000 && commonTokens >= table.cacheMinimumTokens;
    const read = isCached && isAlive ? commonTokens : 0;
    const rest = promptTokens - read;
    cost += read * table.cacheRead + rest * (isCached ? table.cacheWrite : table.fresh);
    cost += outputTokens * table.output;
    cacheReadTokens += read;
    if (isCached) cacheWriteTokens += rest;
  }
  return { cost: cost / 1e6, cacheReadTokens, cacheWriteTokens };
}
