/** Versus: `balanced` beside each naive strategy, over all recordings of a window: who is cheaper, and who remembers more. */
import { naiveStrategies } from "../../src/replay/naive-strategies.ts";
import type { Replayed } from "../../src/replay/replay.ts";
import { markdownTable } from "../figures/markdown-table.ts";
import type { ReplayRow } from "./row.ts";
import { isNamed, summed } from "./summed.ts";

/** Cost and recall of each naive strategy beside `balanced`; one that is cheaper and remembers as much would be better, and is named. */
export function versusTable(rows: readonly ReplayRow[]): string {
  const naiveNames = naiveStrategies.map(({ name }) => name).filter((name) => rows.some(isNamed(name)));
  const header = ["window", "prices", "balanced", ...naiveNames, "better than balanced"];
  const windows = [...new Set(rows.map(({ window }) => window))].sort((a, b) => a - b);
  const groups = [
    ...windows.map((window) => [`${window / 1000}k`, rows.filter((row) => row.window === window)] as const),
    ["all", rows] as const,
  ];
  const lines = groups.flatMap(([title, own]) => {
    const balanced = summed("balanced", own.filter(isNamed("balanced")));
    const naive = naiveNames.map((name) => summed(name, own.filter(isNamed(name))));
    return Object.keys(balanced.bills).map((price) => {
      const better = naive.filter((sum) => isBetter(sum, balanced, price));
      const cells = [balanced, ...naive].map((sum) => cell(sum, price));
      return [title, price, ...cells, better.map(({ strategy }) => strategy).join(", ") || "none"];
    });
  });
  return markdownTable([header, ...lines]);
}

/** Costs no more and remembers no less, and not the same of both: where nothing was to be done, all are alike. */
function isBetter(sum: Replayed, balanced: Replayed, price: string): boolean {
  const saved = balanced.bills[price]!.cost - sum.bills[price]!.cost;
  const gained = heldShare(sum) - heldShare(balanced);
  return saved >= 0 && gained >= 0 && saved + gained > 0;
}

/** `163.97 at 92.1 %` */
function cell(sum: Replayed, price: string): string {
  return `${sum.bills[price]!.cost.toFixed(2)} at ${(heldShare(sum) * 100).toFixed(1)} %`;
}

function heldShare({ recall }: Replayed): number {
  return recall && recall.used > 0 ? recall.held / recall.used : 1;
}
