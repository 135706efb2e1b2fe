/** Shape of CSV: the header, sample rows, every outlier row, and how many rows there are. */
import Papa from "papaparse";
import { numberOrText, outliersByWeight } from "./records.ts";
import { roomFor } from "./select-lines.ts";
import type { Shape } from "./shape.ts";
import { shapeTable } from "./table.ts";

const MOST_PARSED_CHARS = 8_000_000;

export const csv: Shape = {
  kind: "csv",
  recognises: ({ text }, { kind, path }) => {
    const named = /\.(?:csv|tsv)$/i.test(path);
    if (!named && kind !== undefined && kind !== "database-rows") return 0;
    const lines = text.slice(0, 4_000).split("\n", 12).slice(0, -1);
    return lines.length > 3 && separatorOf(lines) !== undefined ? (named ? 0.9 : 0.72) : 0;
  },
  shape:
    ({ text }) =>
    (context) => {
      if (text.length > MOST_PARSED_CHARS) return undefined;
      const delimiter = separatorOf(text.slice(0, 4_000).split("\n", 12).slice(0, -1)) ?? ",";
      const { data } = Papa.parse<string[]>(text, { delimiter, skipEmptyLines: true });
      const columns = data[0] ?? [];
      const rows = data.slice(1);
      const sources = text.split("\n").filter((line) => line.trim() !== "");
      // A quoted cell may hold line breaks; then rows are written anew, one to a line.
      const lines =
        sources.length === data.length
          ? sources
          : data.map((row) => Papa.unparse([row], { delimiter }).replace(/\n/g, " "));
      return shapeTable({
        kind: "csv",
        head: lines.slice(0, 1),
        rows: lines.slice(1),
        outliers: outliersByWeight(
          rows.map((row) => row.map(numberOrText)),
          columns,
        ),
        tail: [],
        room: roomFor(text.length, context),
        context,
      });
    },
};

/** It starts with a header and rows of as many cells. */
export function startsAsCsv(text: string): boolean {
  const lines = text.slice(0, 4_000).split("\n", 12).slice(0, -1);
  return lines.length > 3 && separatorOf(lines) !== undefined;
}

/** The header and the rows of a text that is CSV from its first line on. */
export function csvIn(text: string): readonly (readonly string[])[] | undefined {
  const lines = text.slice(0, 4_000).split("\n", 12).slice(0, -1);
  const delimiter = text.length > MOST_PARSED_CHARS || lines.length < 4 ? undefined : separatorOf(lines);
  if (delimiter === undefined) return undefined;
  return Papa.parse<string[]>(text, { delimiter, skipEmptyLines: true }).data;
}

/** The character that cuts the first lines into equally many cells, at least three. */
function separatorOf(lines: readonly string[]): string | undefined {
  return [",", "\t", ";"].find((separator) => {
    const { data } = Papa.parse<string[]>(lines.join("\n"), { delimiter: separator, skipEmptyLines: true });
    const width = data[0]?.length ?? 0;
    return width > 2 && data.length > 2 && data.every((row) => row.length === width) && isHeader(data[0]!);
  });
}

/** Names, each once: no numbers, times or sentences. */
export function isHeader(cells: readonly string[]): boolean {
  const isName = (cell: string): boolean =>
    cell.trim() !== "" && cell.length < 60 && !/^\W*\d|\d{4}-\d\d/.test(cell);
  return cells.every(isName) && new Set(cells).size === cells.length;
}
