/** Outcome: how a tool call ended, read from its output, and the lines that say so. */

import type { ToolOutput } from "../conversation/tool-output.ts";
import { type ErrorScope, findErrorLines, linesThatMayReport } from "./error-lines.ts";
import { traitsOf } from "./kind-traits.ts";
import { type OutcomeOptions, outcomeLines } from "./outcome-lines.ts";
import { hintOf, isCommand, type ToolHint } from "./tool-hints.ts";
import { unwrap } from "./unwrap.ts";

export interface Outcome {
  readonly failed: boolean;
  /** Where the output tells it. */
  readonly exitCode?: number | undefined;
  /** Of a failure the lines that must not disappear: errors, names of failing tests, a non-zero exit. */
  readonly lines: readonly string[];
  /** The output without what a client put around it. */
  readonly text: string;
}

/** Every way to tell an exit code has one of these. */
const EXIT_WORDS = /exit|return_?code/i;

const EXIT_CODES: readonly RegExp[] = [
  /^(?:Command )?exit(?:ed)?(?: with)?(?: code| status)[ :=]+(-?\d{1,10})\b/im,
  /^Process exited with (?:exit )?code[ :=]+(-?\d{1,10})\b/im,
  /\b(?:completed|finished|failed|terminated|exited) with exit (?:code|status)[ :=]+(-?\d{1,10})\b/i,
  /"?(?:exit_?code|return_?code)"?\s*[:=]\s*(-?\d{1,10})\b/i,
  /<(?:returncode|exit_code)>(-?\d{1,10})</i,
  /^\[?exit (?:code |status )?(-?\d{1,10})\]?\s*$/im,
];

const WHOLE_ERROR =
  /^\s*(?:<tool_use_error>|<error>|Traceback \(most recent call last\)|(?:\w{0,40}(?:Error|Exception)|error|fatal|failed|failure)\b[^\n]{0,40}?: |Error (?:executing|calling|running|in|while)\b|Command failed\b|API Error\b)/i;

/** A failure that only the text tells stays whole up to this size (F36): what is longer is a log with an error in it. */
const WHOLE_ERROR_CHARS = 20_000;

/** The one to five lines of an output that matter most, the most important first. */
export function outcomeOf(text: string, options?: OutcomeOptions): readonly string[];
/** How a call ended; `readHint` is asked only where a line may tell of a failure. */
export function outcomeOf(output: ToolOutput, readHint?: () => ToolHint): Outcome;
export function outcomeOf(
  output: ToolOutput | string,
  more?: OutcomeOptions | (() => ToolHint),
): Outcome | readonly string[] {
  if (typeof output === "string") return outcomeLines(output, more as OutcomeOptions | undefined);
  return endOf(output, (more as (() => ToolHint) | undefined) ?? (() => hintOf(output)));
}

function endOf(output: ToolOutput, readHint: () => ToolHint): Outcome {
  const { text, isError } = unwrap(output);
  const exitCode = exitCodeOf(output.text);
  const isTold = isError || (exitCode === undefined ? isWholeError(output) : exitCode !== 0);
  if (!isTold && exitCode === 0) return outcome(false, exitCode, NO_LINES, text);
  const spoken = linesThatMayReport(text);
  const found = spoken.length > 0 ? errorsIn(spoken, errorScopeOf(output, readHint()), isTold) : spoken;
  const lines =
    exitCode === undefined || exitCode === 0 ? found : [...exitLines(output.text, found), ...found];
  return outcome(isTold || found.length > 0, exitCode, lines, text);
}

/** All have all fields in one order: every command has one. */
function outcome(
  failed: boolean,
  exitCode: number | undefined,
  lines: readonly string[],
  text: string,
): Outcome {
  return { failed, exitCode, lines, text };
}

const NO_LINES: readonly string[] = [];

/**
 * The lines that report a failure. Where nothing else told of one there are none without a diagnosis: a program that printed
 * one failed, and one that merely used the word did not.
 */
function errorsIn(spoken: readonly string[], scope: ErrorScope, isTold: boolean): readonly string[] {
  if (!isTold && (scope === "content" || findErrorLines(spoken, "content").length === 0)) return NO_LINES;
  const found = findErrorLines(spoken, scope).map((index) => spoken[index]!);
  // subtle: of many lines of one shape only some are found, and the diagnosis may not be among them.
  return isTold || findErrorLines(found, "content").length > 0 ? found : NO_LINES;
}

/** The whole output is the report of an error: it stays as it is. */
export function isWholeError({ text, isError }: ToolOutput): boolean {
  return isError || (text.length < WHOLE_ERROR_CHARS && WHOLE_ERROR.test(text.slice(0, 400)));
}

/** The wire does not say that the tool failed, and the output does: by its exit code or a diagnosis. */
export function isToldFailure(output: ToolOutput): boolean {
  return output.text.length < WHOLE_ERROR_CHARS && outcomeOf(output).failed;
}

/** What a mention of an error means in this output. */
export function errorScopeOf(output: ToolOutput, hint: ToolHint): ErrorScope {
  const { errors } = traitsOf(hint.kind ?? "text");
  if (errors === "by-call") return isCommand(output, hint) ? "output" : "content";
  return errors;
}

/** The exit code that a header or the last lines tell. */
function exitCodeOf(text: string): number | undefined {
  const isShort = text.length <= 2_000;
  if (!(isShort ? EXIT_WORDS.test(text) : mayTellExit(text))) return undefined;
  const told = isShort ? text : `${text.slice(0, 1_000)}\n${text.slice(-1_000)}`;
  for (const pattern of EXIT_CODES) {
    const match = pattern.exec(told);
    if (match !== null) return Number(match[1]);
  }
  return undefined;
}

/** A look at each end, which is not put together for it. */
function mayTellExit(text: string): boolean {
  return EXIT_WORDS.test(text.slice(0, 1_000)) || EXIT_WORDS.test(text.slice(-1_000));
}

/** The lines of the header that tell the exit, unless they were found already. */
function exitLines(text: string, found: readonly string[]): readonly string[] {
  const ends = text.length <= 2_000 ? text : `${text.slice(0, 1_000)}\n${text.slice(-1_000)}`;
  return ends
    .split("\n")
    .filter((line) => EXIT_CODES.some((code) => code.test(line)) && !found.includes(line));
}
