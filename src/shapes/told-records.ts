/** Tells JSON answers as records: keys once, a row each, what was taken up later first. */
import { cutLine } from "./cut-line.ts";
import { parseCutJson, parseJson } from "./json.ts";
import {
  type Column,
  cellOf,
  columnOf,
  isBlank,
  isObject,
  isProse,
  isRows,
  MOST_DEPTH,
} from "./record-cells.ts";

/** A line of an answer, and how much of it was taken up later. */
export interface RecordLine {
  readonly text: string;
  /** Added up over its values. */
  readonly used: number;
  /** The keys of the rows below it: not told without one of them. */
  readonly leads?: boolean;
  /** Under the nearest leading line. */
  readonly under?: boolean;
}

type Scalar = string | number | boolean | null;
const MOST_CELL_CHARS = 320;
const MOST_ROWS = 400;
/** Rows with more keys than this name them one by one. */
const MOST_COLUMNS = 60;

/** Undefined where the text is no JSON object or list. */
export function recordLines(
  text: string,
  useOf: (value: string) => number,
): readonly RecordLine[] | undefined {
  const value = parseJson(text.trim()) ?? parseCutJson(text);
  if (value === undefined) return undefined;
  const usedIn = (each: unknown) => useIn(each, useOf);
  if (Array.isArray(value)) return listLines("", value.every(isRows) ? value.flat() : value, usedIn);
  return Object.entries(value).flatMap(([key, each]): readonly RecordLine[] => {
    if (isBlank(each)) return [];
    if (isRows(each) || isProse(each)) return listLines(key, each, usedIn);
    // One record that holds others, such as `{"flights": {"HAT001": {…}}}`, is a table by its keys.
    if (isMapOfRows(each)) return listLines(key, namedRows(each), usedIn);
    return [{ text: `${key}: ${cut(cellOf(each))}`, used: usedIn({ [key]: each }) }];
  });
}

function listLines(
  name: string,
  list: readonly unknown[],
  usedIn: (value: unknown) => number,
): readonly RecordLine[] {
  const label = name === "" ? "" : `${name}: `;
  if (isProse(list)) {
    const lines = list
      .slice(0, MOST_ROWS)
      .map((each) => ({ text: `  ${cut(cellOf(each))}`, used: usedIn(each), under: true }));
    return [{ text: `${label}${list.length} rows`, used: 0, leads: true }, ...lines];
  }
  if (!isRows(list)) {
    return [
      { text: list.length === 0 ? `${label}empty list` : cut(`${label}${cellOf(list)}`), used: usedIn(list) },
    ];
  }
  const { fixed, open } = columnsOf(list);
  const isTable = open.length <= MOST_COLUMNS;
  const shown = list.slice(0, MOST_ROWS);
  const columns = (isTable ? open : [])
    .map((key) =>
      columnOf(
        key,
        shown.map((row) => row[key]),
      ),
    )
    .filter((column) => !isOpaque(column) || column.cells.some((cell) => usedIn(cell) > 0));
  const all = fixed.map((key) => `${key} ${cut(cellOf(list[0]![key]))}`).join(", ");
  const keys = columns.map(({ head }) => head).join(" | ");
  const head = `${label}${list.length} ${list.length === 1 ? "row" : "rows"}${all && `, all ${all}`}${keys && `; ${keys}`}`;
  const rows = shown.map((row, at) => ({
    text: `  ${isTable ? columns.map(({ cells }) => cut(cells[at]!)).join(" | ") : cut(cellOf(row))}`,
    used: usedIn(row),
    under: true,
  }));
  if (open.length === 0) return [{ text: head, used: usedIn(list[0]) }];
  return [{ text: head, used: 0, leads: true }, ...rows];
}

/** Keys with one value in all rows, and those that tell the rows apart; keys that say nothing anywhere are neither. */
function columnsOf(rows: readonly Record<string, unknown>[]): {
  readonly fixed: string[];
  readonly open: string[];
} {
  const columns = new Map<string, { readonly cell: string; rows: number; isSame: boolean }>();
  for (const row of rows) {
    for (const [key, value] of Object.entries(row)) {
      const cell = cellOf(value);
      const column = columns.get(key);
      if (!column) columns.set(key, { cell, rows: 1, isSame: true });
      else {
        column.rows++;
        if (column.cell !== cell) column.isSame = false;
      }
    }
  }
  const isSilent = (key: string) => columns.get(key)!.isSame && columns.get(key)!.cell === "";
  const isFixed = (key: string) =>
    rows.length > 1 && columns.get(key)!.isSame && columns.get(key)!.rows === rows.length;
  const keys = [...columns.keys()].filter((key) => !isSilent(key) || rows.length === 1);
  return { fixed: keys.filter(isFixed), open: keys.filter((key) => !isFixed(key)) };
}

function cut(text: string): string {
  return text.length <= MOST_CELL_CHARS ? text : cutLine(text, MOST_CELL_CHARS);
}

/** Ids that no person reads, or whole records inside each row. */
function isOpaque({ cells }: Column): boolean {
  return (
    cells.length > 1 && cells.every((cell) => /^[\w-]{20,}$/.test(cell) || cell.length > MOST_CELL_CHARS)
  );
}

function isMapOfRows(value: unknown): value is Record<string, Record<string, unknown>> {
  if (!isObject(value) || Array.isArray(value)) return false;
  const rows = Object.values(value);
  return isRows(rows) && (rows.length > 2 || (rows.length === 2 && haveSameKeys(rows)));
}

function haveSameKeys([one, other]: readonly Record<string, unknown>[]): boolean {
  return Object.keys(one!).join() === Object.keys(other!).join();
}

/** Rows that do not say themselves by which name they are known have it in a column without a name. */
function namedRows(value: Record<string, Record<string, unknown>>): readonly Record<string, unknown>[] {
  const named = Object.entries(value);
  const saysName = ([name, row]: (typeof named)[number]) => Object.values(row).includes(name);
  return named.every(saysName) ? Object.values(value) : named.map(([name, row]) => ({ "": name, ...row }));
}

/** Records of one kind, key by key, what each has there side by side; each line is told by itself. */
export function sideBySide(
  records: readonly Record<string, unknown>[],
  useOf: (value: string) => number,
): readonly RecordLine[] {
  const { fixed, open } = columnsOf(records);
  const usedIn = (key: string) => Math.max(...records.map((record) => useIn(record[key], useOf)));
  return [
    ...open.map((key) => {
      const values = records.map((record) => record[key]);
      const { head, cells } = columnOf(key, values);
      return { text: `${head}: ${cells.map(cut).join(" | ")}`, used: usedIn(key) };
    }),
    ...fixed.map((key) => ({ text: `all ${key}: ${cut(cellOf(records[0]![key]))}`, used: usedIn(key) })),
  ];
}

function useIn(value: unknown, useOf: (value: string) => number): number {
  return scalarsIn(value).reduce<number>((sum, scalar) => sum + useOf(String(scalar)), 0);
}

function scalarsIn(value: unknown, found: Scalar[] = [], depth = 0): readonly Scalar[] {
  if (isObject(value)) {
    if (depth <= MOST_DEPTH) for (const each of Object.values(value)) scalarsIn(each, found, depth + 1);
  } else if (value !== null && value !== undefined) found.push(value as Scalar);
  return found;
}
