/** Which records of a long list are shown: the first, a spread, the last, and every one that is unlike the others. */
import { isErrorLine } from "./error-lines.ts";
import { unlikeCells } from "./unlike-cells.ts";

/** A cell is what a column holds in one record; undefined where the record has no such column. */
export type Cell = string | number | boolean | null | undefined;

const ERROR_COLUMN = /err|fail|exception/i;

/** The positions of the records that are unlike the others, those farthest off first. */
export function outliersByWeight(
  rows: readonly (readonly Cell[])[],
  columns: readonly string[],
): readonly number[] {
  return [...outlierWeights(rows, columns)].sort(([a, x], [b, y]) => y - x || a - b).map(([index]) => index);
}

/** The records that are unlike the others, and how much so: a cell's weight is higher the fewer have its like. */
export function outlierWeights(
  rows: readonly (readonly Cell[])[],
  columns: readonly string[],
): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const add = (index: number, weight: number): void => {
    found.set(index, Math.max(weight, found.get(index) ?? 0));
  };
  for (let column = 0; column < columns.length; column++) {
    const cells = rows.map((row) => row[column]);
    for (const [index, weight] of unlikeCells(cells)) add(index, weight);
    if (ERROR_COLUMN.test(columns[column]!))
      for (const index of rareFilled(cells)) add(index, FAILURE_WEIGHT);
  }
  const odd = rows.flatMap((row, index) => (isOdd(row, columns.length) ? [index] : []));
  // Where most records are odd, oddness tells nothing.
  if (odd.length * 2 <= rows.length) for (const index of odd) add(index, FAILURE_WEIGHT);
  return found;
}

const FAILURE_WEIGHT = 20;

/** It has a cell that no column has a name for, or a text in it reports a failure. */
function isOdd(row: readonly Cell[], width: number): boolean {
  return row.length !== width || row.some((cell) => typeof cell === "string" && isErrorLine(cell, "content"));
}

/** The first few, evenly spread ones, the last two, and the outliers: `count` in all when there are few outliers. */
export function sampleRecords(total: number, count: number, outliers: readonly number[]): readonly number[] {
  const picked = new Set(outliers);
  const first = Math.max(1, Math.ceil(count * 0.5));
  for (let index = 0; index < Math.min(first, total); index++) picked.add(index);
  for (let index = Math.max(0, total - (count > 4 ? 2 : 1)); index < total; index++) picked.add(index);
  const spread = Math.max(0, count - first - 2);
  for (let step = 1; step <= spread; step++) picked.add(Math.floor((total * step) / (spread + 1)));
  return [...picked].filter((index) => index < total).sort((a, b) => a - b);
}

/** "17.5" → 17.5: numbers in CSV and tables are text. */
export function numberOrText(text: string): Cell {
  const trimmed = text.trim();
  return trimmed !== "" &&
    trimmed.length < 24 &&
    /^[-+$€£]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d{1,3})?%?$/.test(trimmed)
    ? Number(trimmed.replace(/[$€£,%+]/g, ""))
    : trimmed;
}

function rareFilled(cells: readonly Cell[]): readonly number[] {
  const filled: number[] = [];
  cells.forEach((cell, index) => {
    if (cell !== null && cell !== undefined && cell !== "" && cell !== false && cell !== 0)
      filled.push(index);
  });
  return filled.length * 4 <= cells.length ? filled : [];
}
