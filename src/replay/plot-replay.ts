/** plotReplay: the strategies side by side as an SVG: billed cost, cache hits, compactions and recall. */
import { percent, thousands } from "../tokens/number-words.ts";
import { cacheHits } from "./print-replay.ts";
import type { Replayed } from "./replay.ts";

interface Panel {
  readonly title: string;
  readonly value: (result: Replayed) => number;
  readonly label: (value: number) => string;
}

const [left, top, rowHeight, panelWidth, barWidth] = [170, 62, 24, 190, 110];
const colours = { ink: "#1f2933", own: "#0f766e", other: "#9aa5b1", failed: "#c2410c" };

export function plotReplay(results: readonly Replayed[], title: string): string {
  const panels = panelsFor(results);
  const width = left + panels.length * panelWidth;
  const height = top + results.length * rowHeight + 44;
  const rows = results.map((result, order) => {
    const y = top + order * rowHeight;
    const name = result.failed > 0 ? `${result.strategy} *` : result.strategy;
    return text(name, left - 12, y + 14, 'text-anchor="end"') + bars(panels, results, result, y);
  });
  const titles = panels.map((panel, order) =>
    text(panel.title, left + order * panelWidth, top - 12, 'font-weight="600"'),
  );
  const failed = results.filter((result) => result.failed > 0);
  const note =
    failed.length > 0
      ? "* some requests did not fit the window; they are not billed, and recall nothing"
      : "";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13">
<title>${escaped(title)}</title>
<rect width="${width}" height="${height}" rx="10" fill="#ffffff"/>
${text(title, 16, 26, 'font-weight="600"')}
${titles.join("\n")}
${rows.join("\n")}
${text(note, 16, height - 14, 'font-size="12"')}
</svg>
`;
}

function panelsFor(results: readonly Replayed[]): readonly Panel[] {
  const tables = Object.keys(results[0]?.bills ?? {});
  const recall: Panel = {
    title: "recall",
    value: ({ recall }) => (recall && recall.used > 0 ? recall.held / recall.used : 0),
    label: percent,
  };
  return [
    ...tables.map((name) => ({
      title: `cost, ${name}`,
      value: ({ bills }: Replayed) => bills[name]!.cost,
      label: (cost: number) => cost.toFixed(cost < 10 ? 3 : 0),
    })),
    { title: "cache hits", value: cacheHits, label: percent },
    { title: "compactions", value: ({ compactions }) => compactions, label: thousands },
    ...(results.some((result) => result.recall) ? [recall] : []),
  ];
}

function bars(panels: readonly Panel[], results: readonly Replayed[], result: Replayed, y: number): string {
  return panels
    .map(({ value, label }, order) => {
      const most = Math.max(...results.map(value), Number.MIN_VALUE);
      const x = left + order * panelWidth;
      const length = Math.round((value(result) / most) * barWidth);
      return `<rect x="${x}" y="${y + 3}" width="${length}" height="${rowHeight - 8}" fill="${colourOf(result)}"/>${text(label(value(result)), x + length + 6, y + 14)}`;
    })
    .join("");
}

function colourOf({ strategy, failed }: Replayed): string {
  if (strategy === "balanced") return colours.own;
  return failed > 0 ? colours.failed : colours.other;
}

function text(words: string, x: number, y: number, attributes = ""): string {
  return `<text x="${x}" y="${y}" fill="${colours.ink}" ${attributes}>${escaped(words)}</text>`;
}

function escaped(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
