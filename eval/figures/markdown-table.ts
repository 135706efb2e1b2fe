/** Markdown tables with aligned columns, which a terminal shows as well. */

/** Lines of cells as a Markdown table: the first line is its header, the first column its labels. */
export function markdownTable(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const text = lines.map(
    (line) =>
      `| ${line.map((word, column) => (column === 0 ? word.padEnd(widths[column]!) : word.padStart(widths[column]!))).join(" | ")} |`,
  );
  const rule = `| ${widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return [text[0], rule, ...text.slice(1)].join("\n");
}
