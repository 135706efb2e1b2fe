/** Versus: Pith beside the best of its peers, for each kind of agent and size, in one table. */
import { sources } from "../recordings/sources.ts";
import { strategies } from "../strategies/all.ts";
import { type Figure, figuresOf } from "./figure.ts";
import { kindTitles } from "./kinds.ts";
import { markdownTable } from "./markdown-table.ts";
import type { Row } from "./row.ts";

const peerNames = new Set(
  strategies.filter(({ group }) => group === "peer" || group === "naive").map(({ name }) => name),
);

/** All conversations, then those of each kind of agent: the mean is over all of their cases. */
export function versusTable(rows: readonly Row[], seed: number): string {
  const kindOf = new Map(sources.map(({ name, kind }) => [name, kind as string]));
  const inAll = rows.map((row) => ({ ...row, source: ALL }));
  const byKind = rows.map((row) => ({ ...row, source: kindOf.get(row.source) ?? row.source }));
  const figures = figuresOf([...inAll, ...byKind], seed);
  const agents = [...new Set(figures.map(({ source }) => source))];
  const lines = agents.flatMap((agent) =>
    Object.keys(kindTitles).flatMap((kind) => {
      const cell = figures.filter((figure) => figure.source === agent && figure.kind === kind);
      const pith = cell.find(({ strategy }) => strategy === "pith");
      return pith ? [versusLine(pith, cell)] : [];
    }),
  );
  return markdownTable([
    ["agents", "size", "cases", "Pith held, %", "best other, %", "which", "difference"],
    ...lines,
  ]);
}

const ALL = "**all**";

function versusLine(pith: Figure, cell: readonly Figure[]): readonly string[] {
  const [best] = cell
    .filter(({ strategy }) => peerNames.has(strategy))
    .sort((a, b) => b.held.mean - a.held.mean);
  const opening = [pith.source, kindTitles[pith.kind]!, String(pith.cases), percent(pith.held.mean)];
  if (!best) return [...opening, "", "", ""];
  const difference = (pith.held.mean - best.held.mean) * 100;
  const which = best.held.mean > 0 ? strategies.find(({ name }) => name === best.strategy)!.label : "none";
  return [...opening, percent(best.held.mean), which, `${difference > 0 ? "+" : ""}${difference.toFixed(1)}`];
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}
