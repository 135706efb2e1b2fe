/** Shape of a query's rows: header, sample rows, every outlier row and the row count, from a table or from JSON. */

import { isHeader } from "./csv.ts";
import { findErrorLines } from "./error-lines.ts";
import { looksLikeJson, parseJson, parseJsonLines, tellJson } from "./json.ts";
import { type Cell, numberOrText, outliersByWeight } from "./records.ts";
import { roomFor } from "./select-lines.ts";
import type { Shape } from "./shape.ts";
import { isWholeTable, shapeTable } from "./table.ts";

/** A rule under or around the header: `---+---`, `+----+`, `|---|`. */
const RULE = /^\s*[|+]?[ \t]*:?[-=]{2,}[-=:+|\s]*$/;
const FOOTER = /^\(?\d[\d,]* rows?\b|^\d+ rows? in set|^Time:|^Query OK/i;

export const databaseRows: Shape = {
  kind: "database-rows",
  recognises: ({ text }, { kind }) => {
    const lines = text.slice(0, 4_000).split("\n", 24).slice(0, -1);
    if (looksLikeJson(text)) return kind === "database-rows" ? 0.88 : 0;
    const ruled = lines.slice(0, 6).some((line) => RULE.test(line) && /[+|]/.test(line));
    const barred = lines.filter((line) => separatorIn(line) !== undefined).length;
    const table = lines.length > 4 && barred * 10 >= lines.length * 7;
    if (kind === "database-rows") return table ? 0.9 : 0.2;
    return ruled && table && kind !== "file-read" && kind !== "grep-results" && kind !== "diff" ? 0.8 : 0;
  },
  shape: ({ text }) => {
    const value = parseJson(text) ?? parseJsonLines(text);
    if (value !== undefined) {
      const tell = tellJson(value, text, "database-rows");
      const count = rowsIn(value);
      return (context) =>
        context.arriving && count !== undefined && isWholeTable(count, text.length, context)
          ? undefined
          : tell(context);
    }
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const rule = lines.slice(0, 8).findLastIndex((line) => RULE.test(line));
    const first = rule >= 0 ? rule + 1 : hasHeader(lines) ? 1 : 0;
    const separator = separatorIn(lines[first] ?? "") ?? "|";
    const isBelow = (line: string) =>
      FOOTER.test(line.trim()) || RULE.test(line) || (rule >= 0 && !line.includes(separator));
    let last = lines.length;
    while (last > first && isBelow(lines[last - 1]!)) last--;
    const rows = lines.slice(first, last);
    const cells = rows.map((row): readonly Cell[] => row.split(separator).map(numberOrText));
    const columns = (lines[Math.max(0, rule - 1)] ?? "").split(separator).map((name) => name.trim());
    const errors = findErrorLines(rows, "content");
    const outliers = [...new Set([...outliersByWeight(cells, usualColumns(cells, columns)), ...errors])];
    return (context) =>
      shapeTable({
        kind: "database-rows",
        head: lines.slice(0, first),
        rows,
        outliers,
        tail: lines.slice(last),
        room: roomFor(text.length, context),
        context,
      });
  },
};

/** The rows of a JSON result: the list that it is, or the longest list in it. */
function rowsIn(value: object): number | undefined {
  const lists = [value, ...Object.values(value)].filter((each) => Array.isArray(each));
  return lists.length === 0 ? undefined : Math.max(...lists.map((list) => list.length));
}

/** Without a rule: the first line names columns, and no row below has one of the names in its place. */
function hasHeader(lines: readonly string[]): boolean {
  const separator = separatorIn(lines[0] ?? "");
  if (separator === undefined) return true;
  const names = lines[0]!.split(separator).map((cell) => cell.trim());
  if (!isHeader(names)) return false;
  return !lines.slice(1).some((line) => line.split(separator).some((cell, at) => cell.trim() === names[at]));
}

function separatorIn(line: string): string | undefined {
  return ["|", "\t"].find((separator) => line.includes(separator));
}

/** Names for as many columns as most rows have. */
function usualColumns(cells: readonly (readonly Cell[])[], names: readonly string[]): readonly string[] {
  const widths = new Map<number, number>();
  for (const row of cells) widths.set(row.length, (widths.get(row.length) ?? 0) + 1);
  const width = [...widths].sort(([, a], [, b]) => b - a)[0]?.[0] ?? names.length;
  return Array.from({ length: width }, (_, index) => names[index] ?? "");
}
