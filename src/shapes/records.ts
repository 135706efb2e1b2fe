/** Which records of a long list are shown: the first, a spread, the last, and every one that is unlike the others. */
import { isErrorLine } from "./error-lines.ts";

/** A cell is what a column holds in one record; undefined where the record has no such column. */
export type Cell = string | number | boolean | null | undefined;

/** A value in so small a part of the records is rare. */
const RARE_SHARE = 0.02;
/** Columns with more different values than this are names or ids, not states. */
const MOST_STATES = 24;
/** Outliers of one column that are shown: the farthest. */
const FARTHEST = 5;
const ERROR_COLUMN = /err|fail|exception/i;

/** The positions of the records that are unlike the others, in order. */
export function findOutliers(
  rows: readonly (readonly Cell[])[],
  columns: readonly string[],
): readonly number[] {
  const found = new Set<number>();
  for (let column = 0; column < columns.length; column++) {
    const cells = rows.map((row) => row[column]);
    for (const index of farNumbers(cells)) found.add(index);
    for (const index of rareStates(cells)) found.add(index);
    if (ERROR_COLUMN.test(columns[column]!)) for (const index of rareFilled(cells)) found.add(index);
  }
  const odd = rows.flatMap((row, index) => (isOdd(row, columns.length) ? [index] : []));
  // Where most records are odd, oddness tells nothing.
  if (odd.length * 2 <= rows.length) for (const index of odd) found.add(index);
  return [...found].sort((a, b) => a - b);
}

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
export function cellOf(text: string): Cell {
  const trimmed = text.trim();
  return trimmed !== "" &&
    trimmed.length < 24 &&
    /^[-+$€£]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d{1,3})?%?$/.test(trimmed)
    ? Number(trimmed.replace(/[$€£,%+]/g, ""))
    : trimmed;
}

/** Beyond three times the interquartile range. */
function farNumbers(cells: readonly Cell[]): readonly number[] {
  const numbers = cells.filter((cell): cell is number => typeof cell === "number" && Number.isFinite(cell));
  if (numbers.length < 12 || numbers.length * 2 < cells.length) return [];
  const sorted = numbers.toSorted((a, b) => a - b);
  const low = sorted[Math.floor(sorted.length * 0.25)]!;
  const high = sorted[Math.floor(sorted.length * 0.75)]!;
  const reach = Math.max((high - low) * 3, Math.abs(high) * 0.001, Number.EPSILON);
  const middle = sorted[sorted.length >> 1]!;
  const far: number[] = [];
  cells.forEach((cell, index) => {
    if (typeof cell === "number" && (cell < low - reach || cell > high + reach)) far.push(index);
  });
  const distance = (index: number): number => Math.abs((cells[index] as number) - middle);
  return far.sort((a, b) => distance(b) - distance(a)).slice(0, FARTHEST);
}

/** A state, type or absence that few records have, in a column that holds few different ones. */
function rareStates(cells: readonly Cell[]): readonly number[] {
  if (cells.length < 12) return [];
  const positions = new Map<string, number[]>();
  for (let index = 0; index < cells.length; index++) {
    const state = stateOf(cells[index]);
    const at = positions.get(state);
    if (at === undefined) positions.set(state, [index]);
    else if (at.length <= cells.length * RARE_SHARE + 1) at.push(index);
    if (positions.size > MOST_STATES) return differentTypes(cells);
  }
  const most = Math.max(1, Math.floor(cells.length * RARE_SHARE));
  return [...positions.values()].filter((at) => at.length <= most).flat();
}

function stateOf(cell: Cell): string {
  if (typeof cell === "number") return "a number";
  return typeof cell === "string" && cell.length > 60 ? "a text" : `${typeof cell} ${cell}`;
}

/** In a column of many values: the few that are missing or of another type. */
function differentTypes(cells: readonly Cell[]): readonly number[] {
  const typeOf = (cell: Cell): string =>
    cell === null || cell === undefined || cell === "" ? "nothing" : typeof cell;
  const positions = new Map<string, number[]>();
  cells.forEach((cell, index) => {
    const type = typeOf(cell);
    const at = positions.get(type);
    if (at === undefined) positions.set(type, [index]);
    else at.push(index);
  });
  const most = Math.max(1, Math.floor(cells.length * RARE_SHARE));
  return [...positions.values()].filter((at) => at.length <= most).flat();
}

function rareFilled(cells: readonly Cell[]): readonly number[] {
  const filled: number[] = [];
  cells.forEach((cell, index) => {
    if (cell !== null && cell !== undefined && cell !== "" && cell !== false && cell !== 0)
      filled.push(index);
  });
  return filled.length * 4 <= cells.length ? filled : [];
}
