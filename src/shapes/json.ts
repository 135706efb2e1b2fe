/** Shape of JSON: `key: value` lines with long lists sampled and long strings shortened; structure and keys stay. */
import { skipString } from "../json/scan.ts";
import { parsedJson } from "../json/wire-value.ts";
import type { OutputKind } from "../reading/agents/output-kinds.ts";
import { lostFailures } from "./json-failures.ts";
import { type JsonLimits, type JsonOutline, type ListMemo, outlineJson } from "./json-outline.ts";
import { roomFor } from "./select-lines.ts";
import type { Shape, ShapeContext } from "./shape.ts";
import { withNote } from "./shape-note.ts";

/** Larger texts are not parsed. */
const MOST_PARSED_CHARS = 8_000_000;

/** From the fullest to the shortest; the first that fits is taken. */
const LIMITS: readonly JsonLimits[] = [
  { records: 40, stringChars: 800 },
  { records: 16, stringChars: 300 },
  { records: 8, stringChars: 160 },
  { records: 4, stringChars: 80 },
];
/** Where the room is given: a few records tell what the others are like, and those unlike them stand out. */
const LIMITS_IN_ROOM: readonly JsonLimits[] = [
  { records: 8, stringChars: 800 },
  ...LIMITS.slice(2),
  { records: 2, stringChars: 60, outliers: 12 },
  { records: 2, stringChars: 40, outliers: 4 },
];

export const json: Shape = {
  kind: "json",
  recognises: ({ text }) => (looksLikeJson(text) ? 0.8 : 0),
  shape: ({ text }, { kind, command }) => {
    // JSON lines that a command printed are a log.
    const value =
      parseJson(text) ?? (kind === undefined && command === "" ? parseJsonLines(text) : undefined);
    return value === undefined ? () => undefined : tellJson(value, text, "json");
  },
};

/** Starts and ends as a JSON object or list. */
export function looksLikeJson(text: string): boolean {
  const first = /^\s*(?:\{\s*["}]|\[\s*[[{"\d\]tfn-])/.test(text.slice(0, 200));
  return first && /[}\]]\s*$/.test(text.slice(-200));
}

/** The parsed value, or undefined for what is not JSON, or no object or list. */
export function parseJson(text: string): object | undefined {
  if (text.length > MOST_PARSED_CHARS || !looksLikeJson(text)) return undefined;
  return parsedJson(text) as object | undefined;
}

/** The records of JSON lines; undefined where a line is none. */
export function parseJsonLines(text: string): readonly object[] | undefined {
  if (text.length > MOST_PARSED_CHARS || !/^\s*[{[].*[}\]]\s*\n\s*[{[]/.test(text)) return undefined;
  const records: object[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const record = parseJson(line);
    if (record === undefined) return undefined;
    records.push(record);
  }
  return records;
}

/** What there is of a JSON text that was cut off: up to the last value that is whole. Undefined where that is no object or list. */
export function parseCutJson(text: string): object | undefined {
  if (text.length > MOST_PARSED_CHARS || !/^\s*(?:\{\s*"|\[\s*\{\s*")/.test(text)) return undefined;
  const open: string[] = [];
  let whole: { readonly at: number; readonly depth: number } | undefined;
  for (let at = 0; at < text.length; at++) {
    const token = text[at];
    if (token === '"') {
      const end = skipString(text, at);
      if (end < 0) break;
      at = end - 1;
    } else if (token === "{" || token === "[") open.push(token === "{" ? "}" : "]");
    else if (token === ",") whole = { at, depth: open.length };
    else if (token === "}" || token === "]") {
      open.pop();
      whole = { at: at + 1, depth: open.length };
    }
  }
  // What is closed was not cut off: more may be behind it.
  if (whole === undefined || open.length === 0) return undefined;
  // Behind the last whole value brackets are only opened: what is open there is still open.
  const close = open.slice(0, whole.depth).toReversed().join("");
  return parsedJson(text.slice(0, whole.at) + close) as object | undefined;
}

/** The fullest outline of a value that fits, with its note. */
export function tellJson(
  value: unknown,
  text: string,
  kind: OutputKind,
  isMetadata?: JsonLimits["isMetadata"],
): (context: ShapeContext) => string {
  const memo: ListMemo = new Map();
  return (context) => {
    const room = roomFor(text.length, context);
    const all = context.room === undefined ? LIMITS : LIMITS_IN_ROOM;
    let outline: JsonOutline = { text, shown: 0, total: 0 };
    for (const limits of all) {
      // Only the last is taken whatever it takes.
      const mostChars = limits === all.at(-1) ? Number.POSITIVE_INFINITY : room;
      outline = outlineJson(value, { ...limits, isMetadata }, { memo, mostChars });
      if (outline.text.length <= room) break;
    }
    const note =
      outline.total > outline.shown
        ? { kind, shown: outline.shown, total: outline.total, unit: "records" }
        : { kind, shown: outline.text.length, total: text.length, unit: "characters" };
    return withNote([outline.text, ...lostFailures(value, outline.text)].join("\n"), note, context);
  };
}
