/** Tells JSON answers as records: keys once, a row each, what was taken up later first. */
import { cutLine } from "./cut-line.ts";
import { parseJson } from "./json.ts";

/** A line of an answer, and how many of its values were taken up later. */
export interface RecordLine {
  readonly text: string;
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
/** What is nested deeper is left out. */
const MOST_DEPTH = 20;

/** Undefined where the text is no JSON object or list. */
export function recordLines(
  text: string,
  isUsed: (value: string) => boolean,
): readonly RecordLine[] | undefined {
  const value = parseJson(text.trim());
  if (value === undefined) return undefined;
  const usedIn = (each: unknown) => scalarsIn(each).filter((scalar) => isUsed(String(scalar))).length;
  if (Array.isArray(value)) return listLines("", value.every(isRows) ? value.flat() : value, usedIn);
  return Object.entries(value).flatMap(([key, each]): readonly RecordLine[] => {
    if (isBlank(each)) return [];
    if (isRows(each)) return listLines(key, each, usedIn);
    // One record that holds others, such as `{"flights": {"HAT001": {…}}}`, is a table by its keys.
    if (isMapOfRows(each)) {
      const rows = Object.entries(each).map(([name, row]) => ({ "": name, ...row }));
      return listLines(key, rows, usedIn);
    }
    return [{ text: `${key}: ${cut(cellOf(each))}`, used: usedIn({ [key]: each }) }];
  });
}

function listLines(
  name: string,
  list: readonly unknown[],
  usedIn: (value: unknown) => number,
): readonly RecordLine[] {
  const label = name === "" ? "" : `${name}: `;
  if (!isRows(list)) {
    return [
      { text: list.length === 0 ? `${label}empty list` : cut(`${label}${cellOf(list)}`), used: usedIn(list) },
    ];
  }
  const { fixed, open } = columnsOf(list);
  const isTable = open.length <= MOST_COLUMNS;
  const all = fixed.map((key) => `${key} ${cut(cellOf(list[0]![key]))}`).join(", ");
  const head = `${label}${list.length} ${list.length === 1 ? "row" : "rows"}${all && `, all ${all}`}${open.length > 0 && isTable ? `; ${open.join(" | ")}` : ""}`;
  const rows = list.slice(0, MOST_ROWS).map((row) => ({
    text: `  ${isTable ? open.map((key) => cut(cellOf(row[key]))).join(" | ") : cut(cellOf(row))}`,
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

/** `{id: 7, tags: [a, b]}` → `id 7, tags [a, b]` */
export function cellOf(value: unknown, depth = 0): string {
  if (depth > MOST_DEPTH) return "…";
  const inner = (each: unknown) =>
    isObject(each) && !Array.isArray(each) ? `{${cellOf(each, depth + 1)}}` : cellOf(each, depth + 1);
  if (Array.isArray(value)) return `[${value.map(inner).join(", ")}]`;
  if (isObject(value)) {
    return Object.entries(value)
      .filter(([, each]) => !isBlank(each))
      .map(([key, each]) => `${key} ${inner(each)}`)
      .join(", ");
  }
  return value === null || value === undefined ? "" : String(value).replace(/\s+/g, " ").trim();
}

function cut(text: string): string {
  return text.length <= MOST_CELL_CHARS ? text : cutLine(text, MOST_CELL_CHARS);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isRows(value: unknown): value is readonly Record<string, unknown>[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((row) => isObject(row) && !Array.isArray(row))
  );
}

function isMapOfRows(value: unknown): value is Record<string, Record<string, unknown>> {
  if (!isObject(value) || Array.isArray(value)) return false;
  const rows = Object.values(value);
  return rows.length > 2 && rows.every((row) => isObject(row) && !Array.isArray(row));
}

function isBlank(value: unknown): boolean {
  return (
    value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)
  );
}

function scalarsIn(value: unknown, found: Scalar[] = [], depth = 0): readonly Scalar[] {
  if (isObject(value)) {
    if (depth <= MOST_DEPTH) for (const each of Object.values(value)) scalarsIn(each, found, depth + 1);
  } else if (value !== null && value !== undefined) found.push(value as Scalar);
  return found;
}
