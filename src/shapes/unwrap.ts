/** Takes off what a client puts around an output: a header of the shell tool, an MCP envelope, an object around one table. */

import type { ToolOutput } from "../conversation/tool-output.ts";
import { opensObject } from "../json/wire-value.ts";
import { startsAsCsv } from "./csv.ts";
import { isErrorLine } from "./error-lines.ts";

export interface Unwrapped {
  /** The header lines that a reader needs: the exit, a running session. */
  readonly head: string;
  readonly text: string;
  readonly isError: boolean;
}

const SHELL_HEADER = /^(?:[A-Z][A-Za-z ]{2,40}(?:: [^\n]{0,200}| [^\n]{0,80})\n){1,8}Output:\n/;
const WORTH_KEEPING = /exit|session|truncated|error|fail|warning|timed out/i;
const PYTHON_ENVELOPE = /^meta=[^\n]{0,80}? content=\[TextContent\(type='text', text=(['"])/;

/** Between two texts of such an envelope. */
const NEXT_PART = /['"], annotations=[^\n]{0,80}?\), TextContent\(type='text', text=['"]/;

export function unwrap({ text, isError }: ToolOutput): Unwrapped {
  const start = text.slice(0, 1_500);
  const header = start.includes("\nOutput:\n") ? SHELL_HEADER.exec(start) : null;
  if (header !== null) {
    const kept = header[0].split("\n").filter((line) => WORTH_KEEPING.test(line));
    return { head: kept.join("\n"), text: text.slice(header[0].length), isError };
  }
  const python = text.startsWith("meta=") ? PYTHON_ENVELOPE.exec(text.slice(0, 200)) : null;
  if (python !== null) {
    const end = text.lastIndexOf(`${python[1]}, annotations=`);
    const parts = text.slice(python[0].length, end > python[0].length ? end : undefined).split(NEXT_PART);
    const inner = parts.map(unescapeText).join("\n");
    const failed = /isError=True\s*$/.test(text.slice(-40));
    return unwrapValue(inner, isError || failed);
  }
  return unwrapValue(text, isError);
}

function unwrapValue(text: string, isError: boolean): Unwrapped {
  const json = unwrapJson(text);
  const inner = json?.text ?? text;
  return {
    ...(unwrapTable(inner) ?? { head: "", text: inner }),
    isError: isError || json?.isError === true,
  };
}

/**
 * A table that is nearly all of an object, also when it was cut off at the end: `{"rows": "id,name\\n1,a\\n…"}`.
 * What else the object says must be little and no error: the head goes first where room is short.
 */
function unwrapTable(text: string): { readonly head: string; readonly text: string } | undefined {
  const start = text.slice(0, 600);
  if (text.length > LONGEST_TABLE || !opensObject(start) || !start.includes("\\n")) return undefined;
  for (const open of start.matchAll(/"([^"\\]{1,80})"\s*:\s*"/g)) {
    const from = open.index + open[0].length;
    const end = endOfString(text, from);
    if (end - from < text.length * TABLE_SHARE) continue;
    const beside = besideTable(text.slice(0, open.index), text.slice(end + 1));
    if (beside.length > LONGEST_BESIDE || isErrorLine(beside, "output")) return undefined;
    const table = unescapeText(text.slice(from, end));
    if (!startsAsCsv(table)) return undefined;
    const isCut = end >= text.length;
    const head = [beside, `${open[1]}${isCut ? " (was cut off)" : ""}:`];
    return {
      head: head.filter((line) => line !== "").join("\n"),
      text: isCut ? table.slice(0, table.lastIndexOf("\n")) : table,
    };
  }
  return undefined;
}

/** The other keys with their values, on one line. */
function besideTable(before: string, after: string): string {
  const end = after.trim();
  const rest = end.slice(end.startsWith(",") ? 1 : 0, end.endsWith("}") ? -1 : undefined);
  return `${before.trim().slice(1).trimStart()}${rest}`.trim();
}

const LONGEST_TABLE = 2_000_000;
const LONGEST_BESIDE = 400;
/** So much of the text is the table. */
const TABLE_SHARE = 0.8;

/** `{"content": [{"type": "text", "text": "…"}], "isError": false}`, also when it was cut off at the end. */
function unwrapJson(text: string): { readonly text: string; readonly isError: boolean } | undefined {
  const start = text.slice(0, 200);
  if (!opensObject(start) || !/"content"\s*:\s*\[\s*\{\s*"type"\s*:\s*"text"/.test(start)) return undefined;
  if (text.length > 8_000_000) return undefined;
  try {
    const { content, isError } = JSON.parse(text) as {
      content: readonly { type?: unknown; text?: unknown }[];
      isError?: unknown;
    };
    const texts = content.map((part) => (typeof part?.text === "string" ? part.text : `[${part?.type}]`));
    return { text: texts.join("\n"), isError: isError === true };
  } catch {
    const open = /"text"\s*:\s*"/.exec(text.slice(0, 400));
    if (open === null) return undefined;
    const from = open.index + open[0].length;
    return { text: unescapeText(text.slice(from, endOfString(text, from))), isError: false };
  }
}

/** The quote that ends a JSON string, or the end of a text that was cut off. A pattern would overflow on a million escapes. */
function endOfString(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (quote - escapes > from && text[quote - escapes - 1] === "\\") escapes++;
    if (escapes % 2 === 0) return quote;
  }
  return text.length;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

function unescapeText(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g, (_, unicode, hex, other) =>
    other === undefined
      ? String.fromCharCode(Number.parseInt(unicode ?? hex, 16))
      : (ESCAPES[other] ?? other),
  );
}
