/** Tells JSON answers as records: keys once, a row each, what was taken up later first. */
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

/** Undefined where the text is no JSON object or list. */
export function recordLines(text: string, isUsed: (value: string) => boolean): readonly RecordLine[] | undefined {
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
    return [{ text: list.length === 0 ? `${label}empty list` : cut(`${label}${cellOf(list)}`), used: usedIn(list) }];
  }
  const keys = [...new Set(list.flatMap((row) => Object.keys(row)))];
  const isFixed = (key: string) =>
    list.length > 1 && list.every((row) => cellOf(row[key]) === cellOf(list[0]![key]));
  const fixed = keys.filter((key) => isFixed(key) && !isBlank(list[0]![key]));
  const open = keys.filter((key) => !isFixed(key));
  const all = fixed.map((key) => `${key} ${cut(cellOf(list[0]![key]))}`).join(", ");
  const head = `${label}${list.length} ${list.length === 1 ? "row" : "rows"}${all && `, all ${all}`}${open.length > 0 ? `; ${open.join(" | ")}` : ""}`;
  const rows = list.slice(0, MOST_ROWS).map((row) => ({
    text: `  ${open.map((key) => cut(cellOf(row[key]))).join(" | ")}`,
    used: usedIn(row),
    under: true,
  }));
  if (open.length === 0) return [{ text: head, used: usedIn(list[0]) }];
  return [{ text: head, used: 0, leads: true }, ...rows];
}

/** `{id: 7, tags: [a, b]}` → `id 7, tags [a, b]` */
export function cellOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => (isObject(each) ? `{${cellOf(each)}}` : cellOf(each))).join(", ")}]`;
  if (isObject(value)) {
    return Object.entries(value)
      .filter(([, each]) => !isBlank(each))
      .map(([key, each]) => `${key} ${isObject(each) && !Array.isArray(each) ? `{${cellOf(each)}}` : cellOf(each)}`)
      .join(", ");
  }
  return value === null || value === undefined ? "" : String(value).replace(/\s+/g, " ").trim();
}

function cut(text: string): string {
  return text.length <= MOST_CELL_CHARS ? text : `${text.slice(0, MOST_CELL_CHARS)}…`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isRows(value: unknown): value is readonly Record<string, unknown>[] {
  return Array.isArray(value) && value.length > 0 && value.every((row) => isObject(row) && !Array.isArray(row));
}

function isMapOfRows(value: unknown): value is Record<string, Record<string, unknown>> {
  if (!isObject(value) || Array.isArray(value)) return false;
  const rows = Object.values(value);
  return rows.length > 2 && rows.every((row) => isObject(row) && !Array.isArray(row));
}

function isBlank(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

function scalarsIn(value: unknown, found: Scalar[] = []): readonly Scalar[] {
  if (isObject(value)) for (const each of Object.values(value)) scalarsIn(each, found);
  else if (value !== null && value !== undefined) found.push(value as Scalar);
  return found;
}
