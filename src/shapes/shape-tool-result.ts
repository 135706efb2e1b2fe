/** Shows a tool's output shorter, by what kind of output it is; leaves alone what is small, an error, or shaped already. */

import { noteOf } from "../conversation/shape-note.ts";
import type { ToolOutput } from "../conversation/tool-output.ts";
import { apiResponse } from "./api-response.ts";
import { csv } from "./csv.ts";
import { databaseRows } from "./database-rows.ts";
import { diff } from "./diff.ts";
import { directoryListing } from "./directory-listing.ts";
import { fileRead, isShortFile } from "./file-read.ts";
import { fitText } from "./fit-text.ts";
import { grepResults } from "./grep-results.ts";
import { html } from "./html.ts";
import { json, looksLikeJson } from "./json.ts";
import { traitsOf } from "./kind-traits.ts";
import { log } from "./log.ts";
import { isToldFailure, isWholeError } from "./outcome.ts";
import { NO_USES } from "./record-uses.ts";
import type { Shape, ShapeContext, Shaped, Teller } from "./shape.ts";
import { writeNote } from "./shape-note.ts";
import { withoutControls } from "./terminal-text.ts";
import { testRun } from "./test-run.ts";
import { text } from "./text.ts";
import { recordLines } from "./told-records.ts";
import { hintOf, type ToolHint } from "./tool-hints.ts";
import { unwrap } from "./unwrap.ts";
import { webSearch } from "./web-search.ts";
import { isYamlList, looksLikeYaml, yaml } from "./yaml.ts";

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

/**
 * The shorter form of an output; undefined: leave it as it is. Shaping a shaped text gives undefined.
 * With `maxTokens` everything larger is brought to that size, errors and shaped texts too.
 */
export function shapeToolResult(output: ToolOutput, context: ShapeContext): Shaped | undefined {
  if (context.maxTokens !== undefined) return shapeToSize(output, context.maxTokens, context);
  if (isSmall(output.text, SMALL_RESULT_TOKENS, context)) return undefined;
  if (noteOf(output.text) !== undefined || isWholeError(output)) return undefined;
  if (context.arriving && isToldFailure(output)) return undefined;
  const { head, text: body, isError } = unwrap(output);
  if (isError || isSmallStructured(body, context)) return undefined;
  const inner = { ...output, text: withoutControls(body) };
  const hint = hintOf(output);
  if (hint.kind === "file-read" && isShortFile(body, context)) return undefined;
  for (const shape of shapesFor(inner, hint)) {
    const shaped = shape.shape(inner, hint)(context);
    if (shaped === undefined && (shape === fileRead || (context.arriving && traitsOf(shape.kind).isTable)))
      return undefined;
    if (shaped === undefined) continue;
    const whole = head === "" ? shaped : `${head}\n${shaped}`;
    return isWorth(whole, output.text, context) ? { kind: shape.kind, text: whole } : undefined;
  }
  return undefined;
}

/** At most `maxTokens`, head included, where that is enough to say anything; undefined when the output fits as it is. */
function shapeToSize(output: ToolOutput, maxTokens: number, context: ShapeContext): Shaped | undefined {
  const { counter } = context;
  const mayFit = output.text.length <= maxTokens * MOST_CHARS_PER_TOKEN;
  if (mayFit && counter.text(output.text) <= maxTokens) return undefined;
  if (noteOf(output.text) !== undefined) {
    return { kind: "text", text: fitText(output.text, maxTokens, context) };
  }
  const { head, text: body } = unwrap(output);
  const inner = { ...output, text: withoutControls(body) };
  const start = head === "" || counter.text(head) * 2 > maxTokens ? "" : `${head}\n`;
  const room = start === "" ? maxTokens : maxTokens - counter.text(start) - 1;
  const table = firstRecords(inner.text, room, context);
  if (table !== undefined) return { kind: "records", text: start + table };
  const hint = hintOf(output);
  for (const shape of shapesFor(inner, hint)) {
    const whole = traitsOf(shape.kind).byLine
      ? inner.text
      : shapeInRoom(shape.shape(inner, hint), room, charsPerToken(output.text, context), context);
    if (whole !== undefined) {
      return { kind: shape.kind, text: start + fitText(whole, room, context, shape.kind) };
    }
  }
  return undefined;
}

/** A few records as rows, keys once, as many from the first on as fit; undefined where fewer than two would. */
function firstRecords(text: string, maxTokens: number, context: ShapeContext): string | undefined {
  const { counter } = context;
  const lines = recordLines(text, NO_USES)?.map((line) => line.text);
  if (lines === undefined || lines.length < 3 || lines.length > FEW_RECORDS) return undefined;
  const noteFor = (shown: number) =>
    writeNote({ kind: "records", shown, total: lines.length, unit: "lines of a table" }, context);
  let left = maxTokens - counter.text(noteFor(lines.length)) - 1;
  const shown: string[] = [];
  for (const line of lines) {
    left -= counter.text(line) + 1;
    if (left < 0) break;
    shown.push(line);
  }
  return shown.length < 3 ? undefined : [...shown, noteFor(shown.length)].join("\n");
}

/** Of longer lists those that deviate are looked for. */
const FEW_RECORDS = 24;

/** Texts beyond this many characters per token are not counted whole. */
const MOST_CHARS_PER_TOKEN = 10;
/** So much of each of two places of a long text tells how many characters its tokens have. */
const SAMPLED_CHARS = 8_000;

function charsPerToken(text: string, { counter }: ShapeContext): number {
  const middle = text.length >> 1;
  const sample =
    text.length <= 2 * SAMPLED_CHARS
      ? text
      : text.slice(0, SAMPLED_CHARS) + text.slice(middle, middle + SAMPLED_CHARS);
  return sample.length / Math.max(1, counter.text(sample));
}

/** What the note under a shaped text takes, about. */
const NOTE_TOKENS = 30;
/** A shape that came out too large is asked again with less room; after that its text is fitted. */
const MOST_PASSES = 3;

function shapeInRoom(
  tell: Teller,
  maxTokens: number,
  charsPerToken: number,
  context: ShapeContext,
): string | undefined {
  let room = Math.max(20, maxTokens - NOTE_TOKENS) * charsPerToken;
  let shaped: string | undefined;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    shaped = tell({ ...context, room: Math.floor(room) });
    const tokens = shaped === undefined ? 0 : context.counter.text(shaped);
    if (tokens <= maxTokens) return shaped;
    room *= (0.9 * maxTokens) / tokens;
  }
  return shaped;
}

/** The shapes that recognise the output, the surest first. */
function shapesFor(output: ToolOutput, hint: ToolHint): readonly Shape[] {
  return SHAPES.map((shape) => ({ shape, sure: shape.recognises(output, hint) }))
    .filter(({ sure }) => sure > 0)
    .sort((a, b) => b.sure - a.sure)
    .map(({ shape }) => shape);
}

/** Counts only where a guess could be wrong: a token has between one and eight characters, nearly always. */
function isSmall(value: string, tokens: number, { counter }: ShapeContext): boolean {
  if (value.length < tokens) return true;
  return value.length < tokens * 8 && counter.text(value) < tokens;
}

function isSmallStructured(body: string, context: ShapeContext): boolean {
  if (body.length >= SMALL_STRUCTURED_TOKENS * 8) return false;
  const isStructured = looksLikeJson(body) || looksLikeYaml(body) || isYamlList(body);
  return isStructured && isSmall(body, SMALL_STRUCTURED_TOKENS, context);
}

function isWorth(shaped: string, original: string, { counter }: ShapeContext): boolean {
  if (original.length > 12_000) return shaped.length <= original.length * WORTH_SHARE;
  return shaped.length < original.length && counter.text(shaped) <= counter.text(original) * WORTH_SHARE;
}
