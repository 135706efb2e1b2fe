/** Tables of figures: one per source, a line for each strategy, a column for each size. As Markdown, which a terminal shows too. */
import { recordedSummary, strategies } from "../strategies/all.ts";
import type { Figure } from "./figure.ts";
import { kindTitles } from "./kinds.ts";
import { markdownTable } from "./markdown-table.ts";

const kinds = Object.keys(kindTitles);

export function figureTables(figures: readonly Figure[]): string {
  const sources = Map.groupBy(figures, ({ source }) => source);
  return [...sources].map(([source, own]) => `### ${source}\n\n${sourceTable(own)}`).join("\n\n");
}

function sourceTable(figures: readonly Figure[]): string {
  const columns = kinds.filter((kind) => figures.some((figure) => figure.kind === kind));
  const header = ["held, %", ...columns.map((kind) => kindTitles[kind]!)];
  const size = ["*conversations / probes*", ...columns.map((kind) => sizeCell(figures, kind))];
  const lines = labels()
    .filter(({ name }) => figures.some(({ strategy }) => strategy === name))
    .map(({ name, label }) => [
      name === "pith" ? `**${label}**` : label,
      ...columns.map((kind) => cell(figures.find((found) => found.strategy === name && found.kind === kind))),
    ]);
  return markdownTable([header, size, ...lines]);
}

function labels(): readonly { name: string; label: string }[] {
  return [...strategies, recordedSummary];
}

function sizeCell(figures: readonly Figure[], kind: string): string {
  const found = figures.find((figure) => figure.kind === kind)!;
  return `*${found.conversations} / ${found.probes}*`;
}

/** `77.1 (74–80)`, with what failed or was over its target after it. */
function cell(figure: Figure | undefined): string {
  if (!figure) return "";
  const { held, over, errors } = figure;
  const interval = `${(held.mean * 100).toFixed(1)} (${(held.low * 100).toFixed(0)}–${(held.high * 100).toFixed(0)})`;
  const faults = [over > 0 ? `${over} over` : "", errors > 0 ? `${errors} failed` : ""].filter(Boolean);
  return faults.length > 0 ? `${interval}, ${faults.join(", ")}` : interval;
}
