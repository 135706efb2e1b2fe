/** Tables of a replay: what `balanced` cost beside doing nothing, what each strategy cost in total, and the best threshold. */

import { shippedPrices } from "../../src/replay/price-table.ts";
import { cacheHits } from "../../src/replay/print-replay.ts";
import type { Replayed } from "../../src/replay/replay.ts";
import { markdownTable } from "../figures/markdown-table.ts";
import type { ReplayRow } from "./row.ts";
import { atThreshold, thresholds } from "./strategies.ts";
import { doesNotFit, isNamed, keyOf, summed, summedStrategies } from "./summed.ts";
import { versusTable } from "./versus.ts";

const priceNames = Object.keys(shippedPrices);

export function replayTables(rows: readonly ReplayRow[]): string {
  const full = rows.filter(doesNotFit(rows));
  return [
    "### Where doing nothing fits",
    fittingTable(rows),
    "### Beside the naive strategies",
    "Cost of all recordings, and recall.",
    versusTable(rows),
    "### Where doing nothing does not fit",
    totalsTable(full),
    "### All recordings",
    totalsTable(rows),
    "### The best threshold",
    thresholdTable(rows, full),
  ].join("\n\n");
}

/** Every strategy where doing nothing does not fit. */
export function presetTable(rows: readonly ReplayRow[]): string {
  const full = rows.filter(doesNotFit(rows));
  const count = new Set(rows.map(({ source, id }) => `${source}/${id}`)).size;
  return `${count} recordings.\n\n${totalsTable(full)}`;
}

/** `balanced` on each recording that fits: the dearest beside doing nothing. */
function fittingTable(rows: readonly ReplayRow[]): string {
  const header = ["window", "prices", "recordings", "dearest", "over 1 %", "broken prefixes"];
  const lines = windowsOf(rows).flatMap((window) => {
    const own = rows.filter((row) => row.window === window);
    const broken = summed("", own.filter(isNamed("balanced"))).brokenPrefixes;
    return priceNames.map((price) => {
      const extras = extraCosts(own, "balanced", price);
      return [
        `${window / 1000}k`,
        price,
        String(extras.length),
        signed(Math.max(...extras)),
        String(extras.filter((extra) => extra > 0.01).length),
        String(broken),
      ];
    });
  });
  return markdownTable([header, ...lines]);
}

/** What a strategy cost more than doing nothing, as a share, on each recording where that fits. */
function extraCosts(rows: readonly ReplayRow[], strategy: string, price: string): readonly number[] {
  const plain = new Map(
    rows.filter((row) => row.strategy === "nothing" && row.failed === 0).map((row) => [keyOf(row), row]),
  );
  return rows.filter(isNamed(strategy)).flatMap((row) => {
    const before = plain.get(keyOf(row));
    return before ? [row.bills[price]!.cost / before.bills[price]!.cost - 1] : [];
  });
}

function totalsTable(rows: readonly ReplayRow[]): string {
  const header = ["strategy", "window", "failed", "compactions", "cache hits", ...priceNames, "recall"];
  const lines = windowsOf(rows).flatMap((window) =>
    summedStrategies(rows.filter((row) => row.window === window)).map((sum) => [
      sum.strategy === "balanced" ? "**balanced**" : sum.strategy,
      `${window / 1000}k`,
      `${sum.failed} of ${sum.requests}`,
      String(sum.compactions),
      share(cacheHits(sum)),
      ...priceNames.map((name) => sum.bills[name]!.cost.toFixed(2)),
      recallOf(sum),
    ]),
  );
  return markdownTable([header, ...lines]);
}

/**
 * `balanced` with a single threshold in place of its own: the cost where doing nothing does not fit, the cheapest in bold, and how
 * many of the recordings where it fits cost over 1 % more than doing nothing.
 */
function thresholdTable(rows: readonly ReplayRow[], full: readonly ReplayRow[]): string {
  const shown = [...thresholds.map(atThreshold), "balanced"];
  const lines = windowsOf(rows).flatMap((window) => {
    const isHere = (row: ReplayRow) => row.window === window;
    const sums = shown.map((name) => summed(name, full.filter(isHere).filter(isNamed(name))));
    const here = rows.filter(isHere);
    const costs = priceNames.flatMap((price) => {
      const totals = sums.map(({ bills }) => bills[price]?.cost ?? Number.NaN);
      const least = Math.min(...totals.filter((cost) => !Number.isNaN(cost)));
      const dearer = shown.map(
        (name) => extraCosts(here, name, price).filter((extra) => extra > 0.01).length,
      );
      return [
        [`${window / 1000}k`, `cost, ${price}`, ...totals.map((cost) => costCell(cost, least))],
        [`${window / 1000}k`, `over 1 %, ${price}`, ...dearer.map(String)],
      ];
    });
    return [...costs, [`${window / 1000}k`, "recall", ...sums.map(recallOf)]];
  });
  return markdownTable([["window", "", ...shown], ...lines]);
}

function windowsOf(rows: readonly ReplayRow[]): readonly number[] {
  return [...new Set(rows.map(({ window }) => window))].sort((a, b) => a - b);
}

function recallOf({ recall }: Replayed): string {
  return recall && recall.used > 0 ? share(recall.held / recall.used) : "-";
}

function share(value: number): string {
  return `${(value * 100).toFixed(1)} %`;
}

function signed(value: number): string {
  return `${value > 0 ? "+" : ""}${(value * 100).toFixed(1)} %`;
}

function costCell(cost: number, least: number): string {
  if (Number.isNaN(cost)) return "-";
  return cost === least ? `**${cost.toFixed(2)}**` : cost.toFixed(2);
}
