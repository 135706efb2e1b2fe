/** A line as the cells of its columns: numbers, times, ids, paths and quoted strings are holes, other words stay words. */
import { parsedJson } from "../json/wire-value.ts";
import { durationOf, sizeOf } from "./measured-number.ts";
import type { Cell } from "./records.ts";

/** One column of a line. */
export interface LineCell {
  /** What the template has here: the word itself, or the sign of a hole with the punctuation around it. */
  readonly mark: string;
  /** What this line has here. */
  readonly cell: Cell;
  readonly isWord: boolean;
  /** It has a letter, a digit or the sign of a hole: more than punctuation. */
  readonly says: boolean;
  /** The hole counts or times: `17/400`, `38%`, `10:04:11`. */
  readonly isPulse: boolean;
}

/** Looks at the start of a line only: what follows rarely makes another kind of line. */
const LOOKED_AT = 400;
const MOST_CELLS = 40;
const MOST_JSON_CHARS = 4_000;
const LONGEST_QUOTE = 200;

const WORD = /^[A-Za-z_]+$/;
const NUMBER = /^[-+]?[$€£]?\d[\d,_]*(?:\.\d+)?(?:e[-+]?\d{1,3})?([A-Za-zµ%]{0,5})$/;
const TIME = /^\d{1,4}[-/.:]\d{1,2}[-/.:]\d{1,4}(?:\D.{0,20})?$|^\d{1,2}:\d\d(?:[.,]\d+)?$/;
const RATIO = /^\d+\/\d+$/;
const FILE = /^[\w@-]+(?:\.[\w-]+)+$/;
const KEY = /^[A-Za-z_][\w.-]{0,40}$/;
const JSON_START = /^ {0,8}(?:- )?\{"/;
const OPENING = "([{<\"'`|*";
const CLOSING = ")]}>\"'`|*,;:.!?";

/** `12:00 INFO GET /a 200 3ms` → time, INFO, GET, path, 200, 3 (ms). */
export function cellsOf(line: string, memo: Map<string, LineCell>): readonly LineCell[] {
  if (line === "") return NOTHING;
  const json = jsonCells(line);
  if (json !== undefined) return json;
  const start = line.length > LOOKED_AT ? line.slice(0, LOOKED_AT) : line;
  const cells: LineCell[] = [];
  for (const chunk of chunksOf(start)) {
    if (cells.length >= MOST_CELLS) break;
    let cell = memo.get(chunk);
    if (cell === undefined) {
      cell = cellOfChunk(chunk);
      if (memo.size < 20_000) memo.set(chunk, cell);
    }
    cells.push(cell);
  }
  return cells;
}

const NOTHING: readonly LineCell[] = [];

/** A row of values with commas between them and no spaces. */
function isCommaRow(line: string): boolean {
  return (
    line.length < LOOKED_AT &&
    line.includes(",") &&
    !line.includes(" ") &&
    /^[^\s"]*,[^\s"]*,[^\s"]*,[^\s"]*$/.test(line)
  );
}

/** Cut at white space; a quoted string is one chunk. */
function chunksOf(line: string): readonly string[] {
  if (isCommaRow(line)) return line.split(",");
  if (!line.includes('"')) return line.trim().split(/\s+/);
  const chunks: string[] = [];
  for (const [index, piece] of line.split('"').entries()) {
    const quoted = index % 2 === 1 && piece.length <= LONGEST_QUOTE;
    if (quoted) chunks.push(`"${piece}"`);
    else for (const chunk of piece.split(/\s+/)) if (chunk !== "") chunks.push(chunk);
  }
  return chunks;
}

function cellOfChunk(chunk: string): LineCell {
  if (WORD.test(chunk)) return word(chunk);
  if (chunk.length > 1 && chunk.startsWith('"') && chunk.endsWith('"')) return hole('""', chunk.slice(1, -1));
  let from = 0;
  let to = chunk.length;
  while (from < to && OPENING.includes(chunk[from]!)) from++;
  while (to > from && CLOSING.includes(chunk[to - 1]!)) to--;
  const core = chunk.slice(from, to);
  if (core === "") return { ...hole(chunk, chunk), says: false };
  const inner = keyedCell(core) ?? plainCell(core);
  return { ...inner, mark: chunk.slice(0, from) + inner.mark + chunk.slice(to) };
}

/** `status=500`, `took:3ms` */
function keyedCell(core: string): LineCell | undefined {
  const at = core.search(/[=:]/);
  if (at < 1 || at === core.length - 1 || !KEY.test(core.slice(0, at)) || core.startsWith("//", at + 1)) {
    return undefined;
  }
  const value = plainCell(core.slice(at + 1).replace(/^["']/, ""));
  const mark = `${core.slice(0, at + 1)}${value.isWord ? "~" : value.mark}`;
  return { ...value, mark, isWord: false };
}

function plainCell(core: string): LineCell {
  if (!/\d/.test(core)) {
    if (core.includes("/") || core.includes("\\")) return hole("/", core);
    return FILE.test(core) ? hole(".", core) : word(core);
  }
  if (RATIO.test(core)) return hole("#/#", core, true);
  if (TIME.test(core)) return hole("@", undefined, true);
  const number = NUMBER.exec(core);
  if (number !== null) return measured(core, number[1]!) ?? hole("*", core);
  const duration = durationOf(core);
  if (duration !== undefined) return hole("#t", duration);
  if (core.includes("/") || core.includes("\\")) return hole("/", core);
  return hole(FILE.test(core) ? "." : "*", core);
}

/** A number with or without a unit, durations in seconds and sizes in bytes. */
function measured(core: string, unit: string): LineCell | undefined {
  if (unit === "" || unit === "%") {
    return hole(unit === "" ? "#" : "#%", Number(core.replace(/[$€£,_%+]/g, "")), unit === "%");
  }
  const duration = durationOf(core);
  if (duration !== undefined) return hole("#t", duration);
  const size = sizeOf(core);
  return size === undefined ? undefined : hole("#b", size);
}

/** A record on one line, also where a list's dash is before it: its keys are the columns. */
function jsonCells(line: string): readonly LineCell[] | undefined {
  if (line.length > MOST_JSON_CHARS || !JSON_START.test(line)) return undefined;
  const text = line.trim().replace(/^- /, "");
  if (!/\},?$/.test(text)) return undefined;
  const record = parsedJson(text.replace(/,$/, "")) as object | undefined;
  return record && Object.entries(record).slice(0, MOST_CELLS).map(jsonCell);
}

function jsonCell([key, value]: readonly [string, unknown]): LineCell {
  const isTime = /^(?:time|ts|timestamp|date|at|@timestamp)$|_at$/i.test(key);
  const cell = typeof value === "object" && value !== null ? JSON.stringify(value).slice(0, 80) : value;
  return hole(`"${key}"`, isTime ? undefined : (cell as Cell), isTime);
}

function word(text: string): LineCell {
  return { mark: text, cell: text, isWord: true, isPulse: false, says: /[\w\u0080-\uffff]/.test(text) };
}

function hole(mark: string, cell: Cell, isPulse = false): LineCell {
  return { mark, cell, isWord: false, isPulse, says: true };
}
