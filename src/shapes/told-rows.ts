/** Tells rows under their keys: what is the same in all once, those that are named elsewhere by themselves, what many come to. */

import { isObject } from "../json/wire-value.ts";
import { rangesOf } from "./column-ranges.ts";
import { type Column, cellOf, columnOf, isEmptyCell } from "./record-cells.ts";
import { cut, MOST_CELL_CHARS, type RecordLine, scalarsIn, type Uses, useIn } from "./record-uses.ts";

/** The first of more, and the last. */
export const MOST_ROWS = 400;
/** Rows with more keys than this name them one by one. */
const MOST_COLUMNS = 60;

export function rowLines(
  label: string,
  list: readonly Record<string, unknown>[],
  uses: Uses,
): readonly RecordLine[] {
  const only = onlyLine(label, list, uses);
  if (only) return [only];
  const { fixed, open } = columnsOf(list);
  const isTable = open.length <= MOST_COLUMNS;
  const shown = list.length <= MOST_ROWS ? list : [...list.slice(0, MOST_ROWS - 1), list.at(-1)!];
  const [plain, nested] = splitColumns(isTable ? tellingColumns(open, shown, uses) : [], uses);
  const columns = [...plain, ...nested];
  const all = fixed
    .map((key) => [key, cellOf(list[0]![key])] as const)
    .filter(([key, cell]) => uses.interestOf(key, cell) >= DULL && !uses.isGiven(cell))
    .map(([key, cell]) => `${key} ${cut(cell)}`)
    .join(", ");
  const keys = columns.map(({ head }) => head).join(" | ");
  const head = `${label}${list.length} ${list.length === 1 ? "row" : "rows"}${all && `, all ${all}`}${keys && `; ${keys}`}`;
  if (open.length === 0) return [{ text: head, used: useIn(list[0], "", uses) }];
  const named = namedAmong(shown, uses);
  const ranges = isTable ? rangesOf(list, open) : "";
  const apart = columns.length > FEW_COLUMNS ? shown.filter((_, at) => named?.has(at)) : [];
  const isCommon = apart.length === 0 ? () => false : commonAmong(shown);
  const identity = identityAmong(shown, open);
  const taken = takenLines(label, apart, { open: new Set(open), identity, isCommon }, uses);
  const isMinor = (at: number) => named !== undefined && (taken.length > 0 || !named.has(at));
  const cellsIn = (of: readonly Column[], at: number) => of.map(({ cells }) => cut(cells[at]!)).join(" | ");
  const asked = askedAmong(shown, open, uses);
  const rows = shown.map((row, at) => ({
    text: `  ${isTable ? cellsIn(plain, at) : cut(cellOf(row))}`,
    used: useIn(row, "", uses) * (isMinor(at) ? UNNAMED : 1) + (asked.has(at) ? SPOKEN_OF : 0),
    under: true,
    ...(nested.length > 0 && {
      rest: {
        text: ` | ${cellsIn(nested, at)}`,
        used: useIn(Object.values(row).filter(isObject), "", uses) * (isMinor(at) ? UNNAMED : 1),
      },
    }),
    ...(ranges !== "" && (at === 0 || at === shown.length - 1) && { interest: EDGE }),
    ...(asked.has(at) && { interest: ROW_ASKED_FOR }),
  }));
  const range: readonly RecordLine[] = ranges === "" ? [] : [{ text: `  ${ranges}`, used: 1, under: true }];
  return [...taken, { text: head, used: 0, leads: true }, ...range, ...rows];
}

/** One short record is told by its keys: a line where a table has two. */
function onlyLine(
  label: string,
  list: readonly Record<string, unknown>[],
  uses: Uses,
): RecordLine | undefined {
  const [only] = list;
  if (list.length !== 1 || only === undefined || label === "") return undefined;
  const cell = cellOf(only);
  if (cell === "" || cell.length > MOST_ONLY_CHARS || Object.values(only).some(isObject)) return undefined;
  return { text: `${label}${cell}`, used: useIn(only, "", uses) };
}

const MOST_ONLY_CHARS = 120;

/** The columns that tell which row it is and, last, those of several values each that nobody asked for. */
function splitColumns(
  columns: readonly Column[],
  uses: Uses,
): readonly [plain: readonly Column[], nested: readonly Column[]] {
  const isAsked = (keys: readonly string[]) => keys.some((key) => uses.interestOf(key, "") >= WANTED);
  const isNested = ({ nested = [] }: Column) => nested.length > 2 && !isAsked(nested);
  const plain = columns.filter((column) => !isNested(column));
  return plain.length < FEWEST_PLAIN ? [columns, []] : [plain, columns.filter(isNested)];
}

const FEWEST_PLAIN = 3;

/** The first and the last row of many tell more than those between. */
const EDGE = 2;
/** What is left of the use of a row where others are named more clearly, or a line of its own tells it. */
const UNNAMED = 0.2;

/** The few of some rows that a person spoke of by what they are: `certificate` where others are `credit_card`. */
function askedAmong(
  rows: readonly Record<string, unknown>[],
  keys: readonly string[],
  { isAsked }: Uses,
): ReadonlySet<number> {
  if (rows.length > MOST_ROWS_ASKED) return new Set();
  const isSpokenOf = (value: unknown) => typeof value === "string" && KIND.test(value) && isAsked(value);
  const asked = rows.flatMap((row, at) => (keys.some((key) => isSpokenOf(row[key])) ? [at] : []));
  return new Set(asked.length * 2 <= rows.length ? asked : []);
}

const MOST_ROWS_ASKED = 40;
/** As much as a value that was used. */
const SPOKEN_OF = 0.7;
/** As much as a key that was asked for. */
const ROW_ASKED_FOR = 4;
/** A name or a kind: one word, or two. */
const KIND = /^\p{L}{4,20}(?:[ _-]\p{L}{1,20})?$/u;

/** The records that are named most clearly elsewhere, by values that hardly any other has; undefined where all are alike. */
function namedAmong(
  records: readonly Record<string, unknown>[],
  { namedBy }: Uses,
): ReadonlySet<number> | undefined {
  const values = records.map((record) => new Set(scalarsIn(record).map(([, value]) => String(value))));
  const times = new Map<string, number>();
  // The same record may be there several times.
  const different = new Map(values.map((each) => [[...each].join("\n"), each]));
  for (const each of different.values())
    for (const value of each) times.set(value, (times.get(value) ?? 0) + 1);
  const isOwn = (value: string) => times.get(value)! <= Math.max(1, different.size * FEW);
  const names = values.map((each) =>
    [...each].reduce((most, value) => (isOwn(value) ? Math.max(most, namedBy(value)) : most), 0),
  );
  const most = names.reduce((one, other) => Math.max(one, other), 0);
  const named = names.flatMap((name, at) => (name === most ? [at] : []));
  return named.length === records.length ? undefined : new Set(named);
}

const FEW = 0.1;

/** The key by which records of a list are told apart: of those that are called like one, the one with the most different values. */
function identityAmong(
  records: readonly Record<string, unknown>[],
  keys: readonly string[],
): string | undefined {
  let most = 1;
  let identity: string | undefined;
  for (const key of keys.filter((each) => IDENTIFIES.test(each))) {
    const cells = new Set(records.map((record) => cellOf(record[key])));
    if (cells.size <= most) continue;
    most = cells.size;
    identity = key;
  }
  return identity;
}

/** `id`, `flight_number`, `orderNo`; none for what a row is known by in its map. */
const IDENTIFIES =
  /^$|(?:^|[_.-])(?:id|number|no|code|key|name|title|symbol)$|[a-z](?:Id|ID|Number|No|Code|Key|Name)$/;

interface Keys {
  /** Those that tell the records apart. */
  readonly open: ReadonlySet<string>;
  readonly identity: string | undefined;
  /** Whether most of the records have the same there. */
  readonly isCommon: (path: string, value: string) => boolean;
}

function commonAmong(records: readonly Record<string, unknown>[]): Keys["isCommon"] {
  const times = new Map<string, number>();
  const nameOf = (path: string, value: string) => `${path}\n${value}`;
  for (const record of records)
    for (const [path, value] of leavesIn(record))
      times.set(nameOf(path, value), (times.get(nameOf(path, value)) ?? 0) + 1);
  return (path, value) => times.get(nameOf(path, value))! * 2 > records.length;
}

/** Of records that others are beside, which they are and what was taken up or asked for, by its keys: the rows below tell the rest. */
function takenLines(
  label: string,
  records: readonly Record<string, unknown>[],
  { open, identity, isCommon }: Keys,
  uses: Uses,
): readonly RecordLine[] {
  const lines = new Map<string, RecordLine>();
  for (const record of records) {
    const name = identity === undefined ? "" : cellOf(record[identity]);
    const leaves = leavesIn(record).filter(([path, value]) => {
      if (uses.isGiven(value) && !open.has(path)) return false;
      const interest = uses.interestOf(path, value);
      if (interest >= WANTED || (interest > 1 && WHEN.test(value))) return true;
      return interest >= DULL && uses.useOf(value, path) > LEAST_USE;
    });
    if (leaves.length < FEWEST_LEAVES) return [];
    const others = leaves.filter(([path, value]) => path !== identity && !isCommon(path, value));
    const named = name === "" || others.length === 0 ? leaves : [[identity!, name] as const, ...others];
    const told = named.slice(0, MOST_LEAVES).map(([path, value]) => `${path} ${cut(value)}`.trimStart());
    const text = `${label}${told.join(", ")}`;
    lines.set(text, { text, used: useIn(record, "", uses) + 1 });
  }
  return lines.size > MOST_TAKEN ? [] : [...lines.values()];
}

/** More are told as rows. */
const MOST_TAKEN = 3;
const FEWEST_LEAVES = 2;
const MOST_LEAVES = 12;
/** A key that somebody asks for. */
const WANTED = 2;
/** A date or a time of day, which is said in many ways. */
const WHEN = /^\d{4}-\d\d-\d\d|^\d\d:\d\d/;
/** Words that everybody says count less. */
const LEAST_USE = 0.1;

/** `{prices: {economy: 103}}` → `prices.economy`, `103` */
function leavesIn(record: Record<string, unknown>): readonly (readonly [path: string, value: string])[] {
  return Object.entries(record).flatMap(([key, value]) => {
    if (isEmptyCell(value)) return [];
    if (!isObject(value)) return [[key, cellOf(value)] as const];
    return Object.entries(value).map(([inner, each]) => [`${key}.${inner}`, cellOf(each)] as const);
  });
}

/** Columns that say something: not ids that no person reads, of many none that tells nobody anything; those that say the same are one. */
function tellingColumns(
  keys: readonly string[],
  rows: readonly Record<string, unknown>[],
  uses: Uses,
): readonly Column[] {
  const columns = new Map<string, Column>();
  const isDull = (key: string) =>
    keys.length > FEW_COLUMNS && rows.every((row) => uses.interestOf(key, cellOf(row[key])) < DULL);
  for (const key of keys) {
    const values = rows.map((row) => row[key]);
    const column = columnOf(key, values);
    const isUsed = (least: number) => values.some((value) => useIn(value, key, uses) > least);
    if ((isOpaque(column) && !isUsed(0)) || (isDull(key) && !isUsed(DULL))) continue;
    const cells = rows.length > 1 ? column.cells.join("\n") : key;
    const twin = columns.get(cells);
    columns.set(cells, twin ? { ...twin, head: `${twin.head} = ${column.head}` } : column);
  }
  return [...columns.values()];
}

const FEW_COLUMNS = 4;
const DULL = 0.5;

/** Keys with one value in all rows, and those that tell the rows apart; keys that say nothing anywhere are neither. */
export function columnsOf(rows: readonly Record<string, unknown>[]): {
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

/** Ids that no person reads, or whole records inside each row. */
function isOpaque({ cells }: Column): boolean {
  return (
    cells.length > 1 && cells.every((cell) => /^[\w-]{20,}$/.test(cell) || cell.length > MOST_CELL_CHARS)
  );
}
