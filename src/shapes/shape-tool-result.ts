/** Shows a tool's output shorter, by what kind of output it is; leaves alone what is small, an error, or shaped already. */
import { apiResponse } from "./api-response.ts";
import { csv } from "./csv.ts";
import { databaseRows } from "./database-rows.ts";
import { diff } from "./diff.ts";
import { directoryListing } from "./directory-listing.ts";
import { fileRead, isShortFile } from "./file-read.ts";
import { grepResults } from "./grep-results.ts";
import { html } from "./html.ts";
import { json, looksLikeJson } from "./json.ts";
import { log } from "./log.ts";
import { isWholeError } from "./outcome.ts";
import type { Shape, ShapeContext, Shaped, ToolOutput } from "./shape.ts";
import { noteOf } from "./shape-note.ts";
import { testRun } from "./test-run.ts";
import { text } from "./text.ts";
import { hintOf } from "./tool-hints.ts";
import { unwrap } from "./unwrap.ts";
import { webSearch } from "./web-search.ts";
import { looksLikeYaml, yaml } from "./yaml.ts";

/** F36: smaller results stay as they are. */
export const SMALL_RESULT_TOKENS = 200;
export const SMALL_STRUCTURED_TOKENS = 500;

/** A shaped form that is larger than this share of the original is not worth its gaps. */
const WORTH_SHARE = 0.8;

const SHAPES: readonly Shape[] = [
  webSearch,
  testRun,
  diff,
  grepResults,
  directoryListing,
  databaseRows,
  apiResponse,
  json,
  csv,
  html,
  yaml,
  fileRead,
  log,
  text,
];

/** The shorter form of an output; undefined: leave it as it is. Shaping a shaped text gives undefined. */
export function shapeToolResult(output: ToolOutput, context: ShapeContext): Shaped | undefined {
  if (isSmall(output.text, SMALL_RESULT_TOKENS, context)) return undefined;
  if (noteOf(output.text) !== undefined || isWholeError(output)) return undefined;
  const { head, text: body, isError } = unwrap(output);
  if (isError || isSmallStructured(body, context)) return undefined;
  const inner = { ...output, text: body };
  const hint = hintOf(output);
  if (hint.kind === "file-read" && isShortFile(body)) return undefined;
  const asked = SHAPES.map((shape) => ({ shape, sure: shape.recognises(inner, hint) }))
    .filter(({ sure }) => sure > 0)
    .sort((a, b) => b.sure - a.sure);
  for (const { shape } of asked) {
    const shaped = shape.shape(inner, context, hint);
    if (shaped === undefined && shape === fileRead) return undefined;
    if (shaped === undefined) continue;
    const whole = head === "" ? shaped : `${head}\n${shaped}`;
    return isWorth(whole, output.text, context) ? { kind: shape.kind, text: whole } : undefined;
  }
  return undefined;
}

/** Counts only where a guess could be wrong: a token has between one and eight characters, nearly always. */
function isSmall(value: string, tokens: number, { counter }: ShapeContext): boolean {
  if (value.length < tokens) return true;
  return value.length < tokens * 8 && counter.text(value) < tokens;
}

function isSmallStructured(body: string, context: ShapeContext): boolean {
  if (body.length >= SMALL_STRUCTURED_TOKENS * 8) return false;
  return (looksLikeJson(body) || looksLikeYaml(body)) && isSmall(body, SMALL_STRUCTURED_TOKENS, context);
}

function isWorth(shaped: string, original: string, { counter }: ShapeContext): boolean {
  if (original.length > 12_000) return shaped.length <= original.length * WORTH_SHARE;
  return shaped.length < original.length && counter.text(shaped) <= counter.text(original) * WORTH_SHARE;
}
