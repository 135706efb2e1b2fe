/** What many rows of figures come to: of each column of numbers or dates the least and the greatest. */
import { numberOrText } from "./records.ts";

/** Fewer rows are read one by one. */
const FEWEST_ROWS = 8;
const MOST_COLUMNS = 8;
/** So many different values make a column of measurements rather than of kinds. */
const FEWEST_VALUES = 4;
/** A column with more gaps is no series. */
const FILLED = 0.8;

/** `Date 2024-01-02 to 2024-03-28, Close 182.1 to 195.3`; empty where there are few rows or no such column. */
export function rangesOf(rows: readonly Record<string, unknown>[], keys: readonly string[]): string {
  if (rows.length < FEWEST_ROWS) return "";
  const ranges = keys
    .filter((key) => !ID.test(key))
    .flatMap((key) =>
      rangeOf(
        rows.map((row) => row[key]),
        key,
      ),
    );
  return ranges.length === 0 ? "" : `range: ${ranges.slice(0, MOST_COLUMNS).join(", ")}`;
}

/** Numbers that name something, or are for machines. */
const ID = /(?:^|_|[a-z])(?:id|Id|ID|index|zip|phone|[Tt]ime|[Tt]imestamp|[Ee]poch)$/;
const DATE = /^\d{4}-\d\d(?:-\d\d)?(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/;

function rangeOf(values: readonly unknown[], key: string): readonly string[] {
  const filled = values.filter((value) => value !== null && value !== undefined && value !== "");
  if (filled.length < FILLED * values.length || new Set(filled).size < FEWEST_VALUES) return [];
  const cells = filled.map((value) => (typeof value === "string" ? numberOrText(value) : value));
  const orders = cells.map((cell) => (typeof cell === "string" && DATE.test(cell) ? Date.parse(cell) : cell));
  if (!orders.every((order): order is number => typeof order === "number" && !Number.isNaN(order))) return [];
  let least = 0;
  let greatest = 0;
  for (const [at, order] of orders.entries()) {
    if (order < orders[least]!) least = at;
    if (order > orders[greatest]!) greatest = at;
  }
  return [`${key} ${told(filled[least])} to ${told(filled[greatest])}`.trim()];
}

function told(value: unknown): string {
  return String(value).trim();
}
