// Records: JSON as its fields and rows. A field is a line, a list of like records a table: the names of the columns once, what
// is the same in all rows beside them, then a line a row. Values stay word for word; what is empty is left out.

import { NUMBERS } from "./numbers.ts";

type Fields = Record<string, unknown>;

/** The text inside what only carries it: a protocol's list of texts, in JSON or as a program printed its objects; an output with its code. */
export function unwrapped(text: string): string {
  let inner = text;
  for (let depth = 0; depth < 3; depth += 1) {
    const next = carried(inner);
    if (next === undefined) break;
    inner = next;
  }
  return inner;
}

const ESCAPED = /\\(\\|n|t|r|['"])/g;
const SIGNS: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "" };

function carried(text: string): string | undefined {
  const start = /^[^\n'"]{0,200}\bTextContent\([^\n]{0,40}?\btext=(['"])/.exec(text.slice(0, 400));
  if (start) {
    const end = text.lastIndexOf(`${start[1]}, annotations=`);
    return text
      .slice(start[0].length, end < start[0].length ? text.length : end)
      .replace(ESCAPED, (_, sign: string) => SIGNS[sign] ?? sign);
  }
  const { content, output, metadata } = Object(jsonIn(text)) as Fields;
  if (typeof output === "string" && isRecord(metadata)) return output;
  const texts = Array.isArray(content) ? content.map((part) => (Object(part) as Fields).text) : [];
  return texts.length > 0 && texts.every((one) => typeof one === "string") ? texts.join("\n") : undefined;
}

/** JSON as lines, or nothing when it is no JSON. */
export function recordsIn(text: string): string | undefined {
  const value = text.length > NUMBERS.answer ? jsonIn(text) : undefined;
  if (value === undefined) return undefined;
  const lines: string[] = [];
  write("", value, "", lines);
  return lines.join("\n");
}

/** What is nested deeper is no list of records; whoever walks through values goes no further. */
const DEEPEST = 32;

export function isDeep(value: unknown, left = DEEPEST): boolean {
  if (value === null || typeof value !== "object") return false;
  return left === 0 || Object.values(value).some((one) => isDeep(one, left - 1));
}

/** JSON, or as much of it as was printed before it was cut off. */
export function jsonIn(text: string): unknown {
  if (!/^\s*(?:\{\s*["}]|\[\s*[[{"\]\d-])/.test(text.slice(0, 400))) return undefined;
  for (const whole of [() => text, () => closed(text)]) {
    try {
      const json = whole();
      const value: unknown = JSON.parse(json, LONG_NUMBER.test(json) ? asPrinted : undefined);
      return isDeep(value) ? undefined : value;
    } catch {}
  }
  return undefined;
}

/** More digits than a number of the language keeps: an id. */
const LONG_NUMBER = /\d{16}/;

function asPrinted(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === "number" && context?.source !== undefined && String(value) !== context.source
    ? context.source
    : value;
}

/** What was cut off is closed behind its last whole value; a string that was cut off in the midst is long enough to stay. */
function closed(text: string): string {
  const { open, quoted, from, comma } = scanned(text, text.length);
  if (open.length === 0) return "";
  if (quoted && text.length - from > NUMBERS.line)
    return `${text.slice(0, text.at(-1) === "\\" ? -1 : undefined)}"${open.toReversed().join("")}`;
  return text.slice(0, comma) + scanned(text, comma).open.toReversed().join("");
}

/** The brackets that are open at `end`, where the last string began, and the last comma outside strings. */
function scanned(text: string, end: number) {
  const open: string[] = [];
  let [quoted, from, comma] = [false, 0, 0];
  for (let i = 0; i < end; i += 1) {
    const code = text[i]!;
    if (quoted) {
      if (code === "\\") i += 1;
      else if (code === '"') quoted = false;
    } else if (code === '"') [quoted, from] = [true, i];
    else if (code === "{") open.push("}");
    else if (code === "[") open.push("]");
    else if (code === "}" || code === "]") open.pop();
    else if (code === ",") comma = i;
  }
  return { open, quoted, from, comma };
}

const isRecord = (value: unknown): value is Fields =>
  value !== null && typeof value === "object" && !Array.isArray(value);
const isEmpty = (value: unknown) =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value as object).length === 0);

/** `name: value` in one line where it is short; else what it is made of, a step further in. */
function write(name: string, given: unknown, indent: string, lines: string[]): void {
  if (isEmpty(given) || indent.length > 20) return;
  const value =
    typeof given === "string"
      ? (jsonIn(given) ?? given)
      : Array.isArray(given) && given.length === 1
        ? given[0]
        : given;
  const label = name === "" ? "" : `${name}: `;
  const rows = rowsOf(value);
  // Nothing but what has a name is written in a line: what has none may be all of a text.
  const short = name !== "" && (!rows || rows.length < 2) ? inline(value) : undefined;
  if (typeof value === "string") lines.push(indent + label + value.replace(/\n/g, `\n${indent}  `));
  else if (short !== undefined && short.length <= NUMBERS.field) lines.push(indent + label + short);
  else if (rows && writeTable(label, rows, indent, lines)) return;
  else {
    if (name !== "") lines.push(indent + label.trim());
    const inner = name === "" ? indent : `${indent}  `;
    if (Array.isArray(value)) for (const [i, one] of value.entries()) writeEntry(one, i, inner, lines);
    else writeFields(Object(value) as Fields, inner, lines);
  }
}

/** The fields of a record; short ones stand together. */
function writeFields(fields: Fields, indent: string, lines: string[]): void {
  let joins = false;
  for (const [key, value] of Object.entries(fields)) {
    const from = lines.length;
    write(key, value, indent, lines);
    const line = lines.at(-1) ?? "";
    const isShort =
      lines.length === from + 1 &&
      typeof value !== "object" &&
      line.length <= NUMBERS.field / 3 &&
      !line.includes("\n");
    if (isShort && joins && lines[from - 1]!.length + line.length <= NUMBERS.field)
      lines.splice(from - 1, 2, `${lines[from - 1]}, ${line.trimStart()}`);
    joins = isShort;
  }
}

/** An entry of a list: its first field leads the others. */
function writeEntry(value: unknown, i: number, indent: string, lines: string[]): void {
  if (!isRecord(value)) {
    write(Array.isArray(value) ? String(i + 1) : "", value, indent, lines);
    return;
  }
  const own: string[] = [];
  writeFields(value, "", own);
  for (const [k, line] of own.entries())
    lines.push(indent + (k === 0 ? "- " : "  ") + line.replace(/\n/g, `\n${indent}  `));
}

/** Like records: a list of them, or records by name. */
function rowsOf(value: unknown): Fields[] | undefined {
  if (!Array.isArray(value) && !isRecord(value)) return undefined;
  const entries = Array.isArray(value)
    ? value.every(Array.isArray)
      ? value.flat(1)
      : value
    : Object.values(value);
  if (entries.length === 0 || !entries.every(isRecord)) return undefined;
  const counts = new Map<string, number>();
  for (const entry of entries)
    for (const key of Object.keys(entry)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const common = [...counts.values()].filter((count) => count >= entries.length * 0.7).length;
  if (common < counts.size * 0.6) return undefined;
  if (Array.isArray(value)) return entries as Fields[];
  const names = Object.keys(value);
  return (entries as Fields[]).map((entry, i) =>
    Object.values(entry).includes(names[i]) ? entry : { name: names[i], ...entry },
  );
}

/** What leads the names of the columns. */
const COLUMNS = "columns: ";

function writeTable(label: string, rows: readonly Fields[], indent: string, lines: string[]): boolean {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (key) => !rows.every((row) => isEmpty(row[key])),
  );
  const cells = rows.map((row) => keys.map((key) => inline(row[key])));
  if (rows.length < 2 || cells.some((row) => row.join("").length > NUMBERS.row)) return false;
  const isSame = keys.map((_, k) => cells.every((row) => row[k] === cells[0]![k] && row[k] !== ""));
  // Cells that are records of the same names: these beside the column, once.
  const inner = keys.map((key) => {
    const names = isRecord(rows[0]![key]) ? Object.keys(rows[0]![key]).join(", ") : "";
    return names !== "" &&
      rows.every((row) => isRecord(row[key]) && Object.keys(row[key]).join(", ") === names)
      ? names
      : "";
  });
  const cell = (row: Fields, k: number) => {
    const value = row[keys[k]!];
    return inner[k] === ""
      ? inline(value)
      : Object.values(value as Fields)
          .map(inline)
          .join(", ");
  };
  const varying = keys.map((_, k) => k).filter((k) => !isSame[k]);
  const columns = varying.map((k) => keys[k] + (inner[k] === "" ? "" : ` (${inner[k]})`)).join(" | ");
  const same = keys.flatMap((key, k) => (isSame[k] ? [`${key} ${cells[0]![k]}`] : [])).join(", ");
  lines.push(
    `${indent}${label}${rows.length} rows${same === "" ? "" : `, all ${same}`}`,
    `${indent}  ${COLUMNS}${columns}`,
  );
  for (const row of rows)
    lines.push(`${indent}    ${varying.map((k) => cell(row, k).replace(/\s*\n\s*/g, " ")).join(" | ")}`);
  return true;
}

/** A value in one line: `{source credit_card, last_four 7312}`, `[a, b]`. */
function inline(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (!isRecord(value)) return value === undefined || value === null ? "" : String(value);
  const fields = Object.entries(value).filter(([, one]) => !isEmpty(one));
  return `{${fields.map(([key, one]) => `${key} ${inline(one)}`).join(", ")}}`;
}

/** Lines that are fields, entries and rows, as a program lists them. */
export function looksListed(text: string): boolean {
  const lines = text.slice(0, 8000).split("\n", 120);
  if (lines.length <= 2) return false;
  let others = 0;
  let hasField = false;
  for (const line of lines) {
    const isField = FIELD.test(line) || line.includes(" | ");
    hasField ||= isField;
    if (!isField && !/^\s+\S/.test(line)) others += 1;
    if (lines.length - others < lines.length * 0.7) return false;
  }
  return hasField;
}

const FIELD = /^\s*(?:- )?[\w.@$/'-]{1,60}:(?:\s|$)/;
