/** A JSON value as `key: value` lines: all keys stay, long lists are sampled, long strings are shortened. */
import { cutLine } from "./cut-line.ts";
import { findErrorLines, isErrorLine } from "./error-lines.ts";
import { type Cell, outliersByWeight, sampleRecords } from "./records.ts";
import { keepFirst, keepLast, mustKeep, renderSelection, startSelection } from "./select-lines.ts";
import { gapMark, grouped } from "./shape-note.ts";

export interface JsonLimits {
  /** Records of a list that are shown, outliers beside them. */
  readonly records: number;
  /** Outliers that are shown, those farthest off first; absent: all. */
  readonly outliers?: number;
  readonly stringChars: number;
  /** Keys whose values are left out. */
  readonly isMetadata?: ((key: string, value: unknown) => boolean) | undefined;
}

export interface JsonOutline {
  readonly text: string;
  /** Records of the lists that were sampled: shown and in all. */
  readonly shown: number;
  readonly total: number;
}

const INLINE_CHARS = 160;
const MOST_DEPTH = 12;
/** Objects with more keys than this are a list by another name. */
const MANY_KEYS = 60;
/** What tells of a failure keeps more of its text. */
const FAILURE_KEY = /err|fail|exception|stderr|traceback|exit_?code/i;
const FAILURE_CHARS = 2_000;

/** What is unlike the others in each list, found once however often the value is outlined. */
export type ListMemo = Map<object, readonly number[]>;

/** The outline, or the start of one that is longer than `mostChars`. */
export function outlineJson(
  value: unknown,
  limits: JsonLimits,
  { memo, mostChars }: { readonly memo: ListMemo; readonly mostChars: number },
): JsonOutline {
  const lines: string[] = [];
  const count = { shown: 0, total: 0 };
  let chars = -1;
  write("", value, 0);
  return { text: lines.join("\n"), ...count };

  function isFull(): boolean {
    return chars > mostChars;
  }

  function push(line: string): void {
    lines.push(line);
    chars += line.length + 1;
  }

  function write(label: string, item: unknown, depth: number): void {
    if (isFull()) return;
    const indent = " ".repeat(depth);
    const start = label === "" ? indent : `${indent}${label}: `;
    if (typeof item !== "object" || item === null || depth > MOST_DEPTH) {
      push(start + scalar(item, label, limits, memo));
      return;
    }
    const mayInline = !isLongList(item, limits) && isSmall(item);
    const inline = mayInline ? inlineOf(reduce(item, label, limits, 0, memo)) : undefined;
    if (inline !== undefined && inline.length <= INLINE_CHARS) {
      push(start + inline);
    } else if (Array.isArray(item)) {
      writeList(label, item, depth, item);
    } else if (Object.keys(item).length > MANY_KEYS) {
      writeList(
        label,
        Object.entries(item).map(([key, entry]) => ({ [key]: entry })),
        depth,
        item,
      );
    } else {
      if (label !== "") push(`${indent}${label}:`);
      for (const [key, entry] of Object.entries(item)) {
        if (limits.isMetadata?.(key, entry) !== true) write(key, entry, label === "" ? depth : depth + 1);
      }
    }
  }

  function writeList(label: string, items: readonly unknown[], depth: number, source: object): void {
    const indent = " ".repeat(depth);
    const name = label === "" ? "" : `${label} `;
    const picked = pickRecords(items, limits, memo, source);
    count.total += items.length;
    count.shown += picked.length;
    push(`${indent}${name}(${grouped(picked.length)} of ${grouped(items.length)}):`);
    let next = 0;
    for (const index of picked) {
      if (isFull()) return;
      if (index > next) push(`${indent} ${gapMark(index - next, "records")}`);
      push(`${indent} - ${inlineOf(reduce(items[index], "", limits, 1, memo))}`);
      next = index + 1;
    }
    if (next < items.length) push(`${indent} ${gapMark(items.length - next, "records")}`);
  }
}

/** Positions of the records to show: a sample, and every record unlike the others. */
function pickRecords(
  items: readonly unknown[],
  { records: count, outliers }: JsonLimits,
  memo: ListMemo,
  source: object = items,
): readonly number[] {
  if (items.length <= count) return items.map((_, index) => index);
  let unlike = memo.get(source);
  if (unlike === undefined) {
    const { columns, rows } = tableOf(items);
    const failures = items.flatMap((item, index) => (tellsFailure(item, 0) ? [index] : []));
    unlike = [...failures, ...outliersByWeight(rows, columns)];
    memo.set(source, unlike);
  }
  return sampleRecords(items.length, count, unlike.slice(0, outliers));
}

/** Some text in it, at any depth, reports a failure. */
function tellsFailure(value: unknown, depth: number): boolean {
  if (typeof value === "string") return value.split("\n").some((line) => isErrorLine(line, "content"));
  if (typeof value !== "object" || value === null || depth > 8) return false;
  for (const item of Object.values(value)) if (tellsFailure(item, depth + 1)) return true;
  return false;
}

/** Records as rows of cells; inner objects one level deep. A record with a key that hardly any other has is longer. */
function tableOf(items: readonly unknown[]): {
  readonly columns: readonly string[];
  readonly rows: readonly Cell[][];
} {
  const flat = items.map(flatten);
  const seen = new Map<string, number>();
  for (const record of flat) for (const key of record.keys()) seen.set(key, (seen.get(key) ?? 0) + 1);
  const columns = [...seen].filter(([, times]) => times * 50 >= items.length).map(([key]) => key);
  const known = new Set(columns);
  const rows = flat.map((record) => {
    const row: Cell[] = columns.map((column) => record.get(column));
    for (const [key, cell] of record) if (!known.has(key)) row.push(cell);
    return row;
  });
  // Maps of ids to values have a key of its own in every record: no column, and no outlier for that.
  return columns.length === 0
    ? { columns: ["value"], rows: flat.map((record) => [[...record.values()][0]]) }
    : { columns, rows };
}

function flatten(item: unknown): Map<string, Cell> {
  const record = new Map<string, Cell>();
  if (typeof item !== "object" || item === null) return record.set("", item as Cell);
  for (const [key, value] of Object.entries(item)) {
    if (typeof value !== "object" || value === null) record.set(key, value as Cell);
    else if (Array.isArray(value)) record.set(`${key}[]`, value.length);
    else {
      for (const [inner, cell] of Object.entries(value)) {
        record.set(`${key}.${inner}`, typeof cell === "object" && cell !== null ? "object" : (cell as Cell));
      }
    }
  }
  return record;
}

/** The same value with shortened strings and lists, small enough for one line. */
function reduce(value: unknown, key: string, limits: JsonLimits, depth: number, memo: ListMemo): unknown {
  if (typeof value === "string") return shorten(value, key, limits);
  if (typeof value !== "object" || value === null) return value;
  if (depth > 6) return Array.isArray(value) ? `[… ${value.length} items …]` : "[… object …]";
  if (Array.isArray(value)) {
    const picked = pickRecords(value, limits, memo);
    const items = picked.map((index) => reduce(value[index], key, limits, depth + 1, memo));
    return value.length > items.length ? [...items, `[… ${value.length - items.length} more …]`] : items;
  }
  const entries = Object.entries(value).filter(([name, item]) => limits.isMetadata?.(name, item) !== true);
  const shown = entries
    .slice(0, MANY_KEYS)
    .map(([name, item]) => [name, reduce(item, name, limits, depth + 1, memo)]);
  if (entries.length > MANY_KEYS) shown.push(["[… more keys …]", entries.length - MANY_KEYS]);
  return Object.fromEntries(shown);
}

function shorten(text: string, key: string, { stringChars }: JsonLimits): string {
  const most = FAILURE_KEY.test(key) ? Math.max(stringChars, FAILURE_CHARS) : stringChars;
  if (text.length <= most || !text.includes("\n")) return cutLine(text, most);
  const lines = text.split("\n");
  const selection = startSelection(lines, most);
  for (const index of findErrorLines(lines, "content")) mustKeep(selection, index);
  keepFirst(selection, lines.length, 0.6);
  keepLast(selection, lines.length, 0.3);
  return cutLine(renderSelection(selection), Math.max(most, selection.spent + 200));
}

function scalar(value: unknown, key: string, limits: JsonLimits, memo: ListMemo): string {
  if (typeof value !== "string") return inlineOf(reduce(value, key, limits, 0, memo));
  const text = shorten(value, key, limits);
  const plain = text !== "" && !/[\n\r]|^[\s\d[{"'-]|^(?:true|false|null)$|\s$/.test(text);
  return plain ? text : JSON.stringify(text);
}

/** Few enough values that it may read well on one line. */
function isSmall(value: unknown): boolean {
  let left = INLINE_CHARS;
  const visit = (item: unknown): void => {
    left -= typeof item === "string" ? 2 : 1;
    if (left < 0 || typeof item !== "object" || item === null) return;
    for (const inner of Object.values(item)) {
      if (left < 0) return;
      visit(inner);
    }
  };
  visit(value);
  return left >= 0;
}

function isLongList(value: object, { records }: JsonLimits): boolean {
  return Array.isArray(value) && value.length > records;
}

function inlineOf(value: unknown): string {
  return JSON.stringify(value) ?? "null";
}
