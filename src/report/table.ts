/** Table: rows of text in columns, for a terminal. */

export interface TableOptions {
  /** Columns, counted from 0, whose text is at the right: numbers. */
  readonly right?: readonly number[];
  /** Lines are cut to this many characters. */
  readonly width: number;
}

/** One line per row. Control characters, which could drive a terminal, become spaces. */
export function table(
  rows: readonly (readonly string[])[],
  { right = [], width }: TableOptions,
): readonly string[] {
  const cells = rows.map((row) => row.map(printable));
  const widths = (cells[0] ?? []).map((_, column) =>
    cells.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0),
  );
  return cells.map((row) => {
    const padded = row.map((cell, column) =>
      right.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    );
    return cut(padded.join("  ").trimEnd(), width);
  });
}

/** Text that is safe to print on one line. */
export function printable(text: string): string {
  return text
    .slice(0, 2000)
    .replace(/\p{Cc}+/gu, " ")
    .toWellFormed();
}

/** At most `width` characters, with an ellipsis where something is missing. */
export function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1)).trimEnd()}…`;
}
