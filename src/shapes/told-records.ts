/** Tells JSON answers as records: keys once, a row each, what was taken up later first. */

import { isObject } from "../json/wire-value.ts";
import { parseCutJson, parseJson } from "./json.ts";
import { cellOf, columnOf, isEmptyCell, isProse, isRows } from "./record-cells.ts";
import { cut, MOST_CELL_CHARS, type RecordLine, type Uses, useIn } from "./record-uses.ts";
import { columnsOf, MOST_ROWS, rowLines } from "./told-rows.ts";

/** Undefined where the text is no JSON object or list. */
export function recordLines(text: string, uses: Uses): readonly RecordLine[] | undefined {
  const value = parseJson(text.trim()) ?? parseCutJson(text);
  if (value === undefined) return undefined;
  if (Array.isArray(value)) return listLines("", value.every(isRows) ? value.flat() : value, uses);
  return withTwinsLast(entryLines("", value, uses, 0));
}

/** The lines of a record, key by key. */
function entryLines(path: string, record: object, uses: Uses, depth: number): readonly RecordLine[] {
  const entries = Object.entries(record).filter(([, each]) => !isEmptyCell(each));
  const inners = depth < MOST_OPENED ? entries.map(([, each]) => openedIn(each, uses)) : [];
  // The name of what is nearly alone, as in `{"success": true, "result": {…}}`, tells nothing.
  const isWrapper = entries.length <= FEW_ENTRIES && inners.filter(Boolean).length === 1;
  return entries.flatMap(([name, each], at): readonly RecordLine[] => {
    const key = `${path}${name}`;
    const inner = inners[at];
    if (inner) return entryLines(isWrapper ? path : `${key}.`, inner, uses, depth + 1);
    if (isProse(each)) return listLines(key, each, uses);
    // One record that holds others, such as `{"flights": {"HAT001": {…}}}`, is a table by its keys.
    const rows = isRows(each) ? each : isMapOfRows(each) ? namedRows(each) : undefined;
    if (rows) return withInterest(rowLines(`${key}: `, rows, uses), uses.interestOf(name, ""));
    const cell = cellOf(each);
    return [
      {
        text: `${key}: ${cut(cell)}`,
        used: useIn(each, name, uses),
        interest: uses.interestOf(name, cell),
      },
    ];
  });
}

/** The rows of a short list tell as much as its key. */
function withInterest(lines: readonly RecordLine[], interest: number): readonly RecordLine[] {
  if (interest <= 1 || lines.length > MOST_ROWS_ASKED) return lines;
  return lines.map((line) =>
    line.leads ? line : { ...line, interest: Math.max(interest, line.interest ?? 1) },
  );
}

const MOST_ROWS_ASKED = 8;

const FEW_ENTRIES = 4;
/** What is nested deeper is told on the line of its key. */
const MOST_OPENED = 5;

/** A record, or the only one of a list, that is too long for a line and of which something was used later: its own keys say what. */
function openedIn(value: unknown, uses: Uses): object | undefined {
  const record = isRows(value) && value.length === 1 ? value[0] : value;
  if (!isObject(record) || isMapOfRows(record)) return undefined;
  return cellOf(record).length > MOST_CELL_CHARS && useIn(record, "", uses) > 0 ? record : undefined;
}

/** Of keys that say the same, the one that was taken up or tells most is told, the others last. */
function withTwinsLast(lines: readonly RecordLine[]): readonly RecordLine[] {
  const best = new Map<string, RecordLine>();
  const saidBy = ({ text }: RecordLine) => text.slice(text.indexOf(": ") + 2);
  const mayBeTwin = (line: RecordLine) => !line.leads && !line.under && saidBy(line).length >= TWIN_CHARS;
  for (const line of lines.filter(mayBeTwin)) {
    const other = best.get(saidBy(line));
    if (other === undefined || weightOf(line) > weightOf(other)) best.set(saidBy(line), line);
  }
  return lines.map((line) =>
    mayBeTwin(line) && best.get(saidBy(line)) !== line ? { ...line, used: 0, interest: 0 } : line,
  );
}

/** Shorter values are the same by chance. */
const TWIN_CHARS = 4;

function weightOf({ used, interest = 1 }: RecordLine): number {
  return used + interest;
}

function listLines(name: string, list: readonly unknown[], uses: Uses): readonly RecordLine[] {
  const label = name === "" ? "" : `${name}: `;
  if (isProse(list)) {
    const lines = list
      .slice(0, MOST_ROWS)
      .map((each) => ({ text: `  ${cut(cellOf(each))}`, used: useIn(each, name, uses), under: true }));
    return [{ text: `${label}${list.length} rows`, used: 0, leads: true }, ...lines];
  }
  if (!isRows(list)) {
    const text = list.length === 0 ? `${label}empty list` : cut(`${label}${cellOf(list)}`);
    return [{ text, used: useIn(list, name, uses) }];
  }
  return rowLines(label, list, uses);
}

function isMapOfRows(value: unknown): value is Record<string, Record<string, unknown>> {
  if (!isObject(value)) return false;
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
export function sideBySide(records: readonly Record<string, unknown>[], uses: Uses): readonly RecordLine[] {
  const { fixed, open } = columnsOf(records);
  const lineOf = (key: string, text: string, interest: number): RecordLine => ({
    text,
    used: Math.max(...records.map((record) => useIn(record[key], key, uses))),
    interest: interest * Math.max(...records.map((record) => uses.interestOf(key, cellOf(record[key])))),
  });
  return withTwinsLast([
    ...open.map((key) => {
      const values = records.map((record) => record[key]);
      const { head, cells } = columnOf(key, values);
      return lineOf(key, `${head}: ${cells.map(cut).join(" | ")}`, 1);
    }),
    ...fixed.map((key) => lineOf(key, `all ${key}: ${cut(cellOf(records[0]![key]))}`, SAME)),
  ]);
}

/** What is the same in all tells less. */
const SAME = 0.5;
