/** The rows of one strategy, added up as if they were one long replay. */
import type { Bill } from "../../src/replay/bill.ts";
import type { Replayed } from "../../src/replay/replay.ts";
import type { ReplayRow } from "./row.ts";

export function summed(strategy: string, rows: readonly ReplayRow[]): Replayed {
  const total = (value: (row: ReplayRow) => number): number => rows.reduce((sum, row) => sum + value(row), 0);
  const bill = (name: string): Bill => ({
    cost: total(({ bills }) => bills[name]!.cost),
    cacheReadTokens: total(({ bills }) => bills[name]!.cacheReadTokens),
    cacheWriteTokens: total(({ bills }) => bills[name]!.cacheWriteTokens),
  });
  return {
    strategy,
    requests: total(({ requests }) => requests),
    failed: total(({ failed }) => failed),
    compactions: total(({ compactions }) => compactions),
    brokenPrefixes: total(({ brokenPrefixes }) => brokenPrefixes),
    promptTokens: total(({ promptTokens }) => promptTokens),
    largestPromptTokens: rows.reduce((most, row) => Math.max(most, row.largestPromptTokens), 0),
    outputTokens: total(({ outputTokens }) => outputTokens),
    bills: Object.fromEntries(Object.keys(rows[0]?.bills ?? {}).map((name) => [name, bill(name)])),
    recall: {
      used: total(({ recall }) => recall?.used ?? 0),
      held: total(({ recall }) => recall?.held ?? 0),
    },
  };
}

/** Each strategy's sum, in the order of the rows; those of the threshold search are left out. */
export function summedStrategies(rows: readonly ReplayRow[]): readonly Replayed[] {
  return [...Map.groupBy(rows, ({ strategy }) => strategy)]
    .filter(([strategy]) => !strategy.startsWith("at "))
    .map(([strategy, own]) => summed(strategy, own));
}

/** Whether doing nothing fails on the row's recording in its window. */
export function doesNotFit(rows: readonly ReplayRow[]): (row: ReplayRow) => boolean {
  const full = new Set(
    rows.filter(({ strategy, failed }) => strategy === "nothing" && failed > 0).map((row) => keyOf(row)),
  );
  return (row) => full.has(keyOf(row));
}

export function keyOf({ source, id, window }: ReplayRow): string {
  return `${source} ${id} ${window}`;
}

export function isNamed(name: string): (row: ReplayRow) => boolean {
  return ({ strategy }) => strategy === name;
}
