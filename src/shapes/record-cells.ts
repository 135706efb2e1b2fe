/** Cells of records: a value on one line, and columns that say the keys of what is nested in them once. */
import { isObject, type WireObject } from "../json/wire-value.ts";

/** What is nested deeper is left out. */
export const MOST_DEPTH = 20;

/** `{id: 7, tags: [a, b]}` → `id 7, tags [a, b]` */
export function cellOf(value: unknown, depth = 0): string {
  if (depth > MOST_DEPTH) return "…";
  const inner = (each: unknown) =>
    isObject(each) ? `{${cellOf(each, depth + 1)}}` : cellOf(each, depth + 1);
  if (Array.isArray(value)) return `[${value.map(inner).join(", ")}]`;
  if (isObject(value)) {
    return Object.entries(value)
      .filter(([, each]) => !isEmptyCell(each))
      .map(([key, each]) => `${key} ${inner(isObject(each) ? withoutName(each, key) : each)}`)
      .join(", ");
  }
  return value === null || value === undefined
    ? ""
    : String(value).replace(MARKUP, "").replace(/\s+/g, " ").trim();
}

/** A record that says once more by which key it is known: `{"card_7": {"id": "card_7", "brand": "visa"}}`. */
function withoutName(record: WireObject, name: string): WireObject {
  return Object.fromEntries(Object.entries(record).filter(([, each]) => each !== name));
}

/** What a page marks words up with. */
const MARKUP =
  /<\/?(?:span|b|i|u|em|strong|p|br|div|a|li|ul|ol|mark|sup|sub|h[1-6]|t[drh]|table)(?:\s[^<>\n]{0,200})?\/?>/g;

/** A list of sentences: each is told by itself. */
export function isProse(value: unknown): value is readonly string[] {
  if (!Array.isArray(value) || value.length < 2 || !value.every((each) => typeof each === "string"))
    return false;
  return value.join("").length > SENTENCE_CHARS * value.length;
}

const SENTENCE_CHARS = 40;

export interface Column {
  /** The key, and the keys of what is nested under it: `flights (number, price)`. */
  readonly head: string;
  /** `HAT001, 120; HAT002, 99` */
  readonly cells: readonly string[];
  /** The keys of the values of each cell, where those are several. */
  readonly nested?: readonly string[];
}

/** The column of a key, by what each record has under it. */
export function columnOf(key: string, values: readonly unknown[]): Column {
  const keys = nestedKeys(values);
  if (keys === undefined) return { head: key, cells: values.map((value) => cellOf(value)) };
  const rowOf = (row: WireObject) => keys.map((each) => cellOf(row[each])).join(", ");
  const cells = values.map((value) =>
    isRows(value) ? value.map(rowOf).join("; ") : isObject(value) ? rowOf(value) : "",
  );
  return { head: `${key} (${keys.join(", ")})`, cells, nested: [key, ...keys] };
}

/** Rows with more keys than this name them one by one. */
const MOST_NESTED_KEYS = 10;

/** The keys of nested records that all have the same few, of plain values; undefined where naming them once gains nothing. */
function nestedKeys(values: readonly unknown[]): readonly string[] | undefined {
  const rows: WireObject[] = [];
  for (const value of values) {
    if (isEmptyCell(value)) continue;
    if (isRows(value)) rows.push(...value);
    else if (isObject(value)) rows.push(value);
    else return undefined;
  }
  const [first] = rows;
  if (first === undefined || rows.length < 2) return undefined;
  const keys = Object.keys(first);
  if (keys.length === 0 || keys.length > MOST_NESTED_KEYS) return undefined;
  const isLike = (row: WireObject) =>
    Object.keys(row).length === keys.length && keys.every((key) => key in row && isPlain(row[key]));
  return rows.every(isLike) ? keys : undefined;
}

function isPlain(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

export function isRows(value: unknown): value is readonly WireObject[] {
  return Array.isArray(value) && value.length > 0 && value.every((row) => isObject(row));
}

export function isEmptyCell(value: unknown): boolean {
  return (
    value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)
  );
}
