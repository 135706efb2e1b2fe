/** Tells a table that is written as text, Markdown or CSV, as records: how many rows, the range of each column, the rows that matter. */

import { noteOf, SHAPE_NOTE } from "../conversation/shape-note.ts";
import { csvIn } from "./csv.ts";
import { cellOf } from "./record-cells.ts";
import type { RecordLine, Uses } from "./record-uses.ts";
import { isGap } from "./shape-note.ts";
import { rowLines } from "./told-rows.ts";

/** Undefined where a text is no table, or a table is the smaller part of it. */
export function tableLines(text: string, uses: Uses): readonly RecordLine[] | undefined {
  const note = noteOf(text);
  if (note !== undefined) return shapedLines(text, note, uses);
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const table = markdownIn(lines) ?? commasIn(text);
  if (table === undefined || table.rows.length < FEWEST_ROWS) return undefined;
  if (table.beside.length > table.rows.length) return undefined;
  const beside = table.beside.map((line) => ({
    text: cellOf(line).slice(0, BESIDE_CHARS),
    used: uses.useOf(line.trim(), ""),
  }));
  return [...beside, ...rowLines("", table.rows, uses)];
}

/** Of a table that was shaped before, the rows that are left and how many there were: the range of a sample is no range. */
function shapedLines(text: string, note: string, uses: Uses): readonly RecordLine[] | undefined {
  const rows = text.split("\n").filter((line) => line !== note && !isGap(line));
  const shown = SHAPE_NOTE.exec(note)?.[2] ?? "";
  return tableLines(rows.join("\n"), uses)
    ?.filter(({ text }) => !text.startsWith("  range: "))
    .map((line) =>
      line.leads && shown.endsWith(" rows")
        ? { ...line, text: line.text.replace(/^\d+ rows?/, shown) }
        : line,
    );
}

const FEWEST_ROWS = 3;
const BESIDE_CHARS = 220;

interface TextTable {
  readonly rows: readonly Record<string, string>[];
  /** The lines around it. */
  readonly beside: readonly string[];
}

const RULE = /^\|?(?:\s*:?-{2,}:?\s*\|)+(?:\s*:?-{2,}:?\s*)?$/;

function markdownIn(lines: readonly string[]): TextTable | undefined {
  const rule = lines.findIndex((line) => RULE.test(line.trim()));
  if (rule < 1) return undefined;
  const end = lines.findIndex((line, at) => at > rule && !line.includes("|"));
  const until = end < 0 ? lines.length : end;
  const rows = lines.slice(rule + 1, until).map((line) => cellsOf(line));
  return {
    rows: recordsOf(cellsOf(lines[rule - 1]!), rows),
    beside: [...lines.slice(0, rule - 1), ...lines.slice(until)],
  };
}

function cellsOf(line: string): readonly string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());
}

function commasIn(text: string): TextTable | undefined {
  const [names, ...rows] = csvIn(text) ?? [];
  return names && { rows: recordsOf(names, rows), beside: [] };
}

function recordsOf(
  names: readonly string[],
  rows: readonly (readonly string[])[],
): readonly Record<string, string>[] {
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ""])));
}
