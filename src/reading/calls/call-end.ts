/** How a tool call ended, by what its result says. */
import type { ToolResultPart } from "../../conversation/part.ts";
import { parseJson } from "../../shapes/json.ts";
import { outcomeOf } from "../../shapes/outcome.ts";
import { commandHint } from "../../shapes/tool-hints.ts";
import { unwrap } from "../../shapes/unwrap.ts";
import { hasTwoLetters } from "../../text/letters.ts";
import { DECLINED, FAILURE, NOTICE, TAGGED, UNCHANGED } from "../agents/notices.ts";
import type { ActionKind } from "../agents/tool-vocabulary.ts";
import { withoutNotice } from "../without-notice.ts";
import type { Action } from "./action.ts";

export interface CallEnd {
  readonly failed: boolean;
  /** A person said no: nothing was done, and nothing is wrong. */
  readonly declined: boolean;
  /** It goes on in the background: how it ends is not known yet. */
  readonly running: boolean;
  readonly exitCode: number | undefined;
  /** The lines that tell of a failure. */
  readonly lines: readonly string[];
  /** What the tool said, without what clients put around it; of a long answer mostly its two ends. */
  readonly text: string;
}

export function callEnd(tool: string, actions: readonly Action[], result: ToolResultPart): CallEnd {
  const action = actions[0];
  const kind = action === undefined ? "other" : action.kind;
  const start = result.text.slice(0, NOTICE_CHARS);
  const mayNotice = NOTICE.test(start);
  if (!mayNotice && isPlainContent(result, kind)) {
    return endWith(false, false, false, undefined, NO_LINES, result.text);
  }
  const declined = mayNotice && DECLINED.test(start);
  return action?.command === undefined
    ? otherEnd(result, kind, mayNotice, declined)
    : commandEnd(tool, action.command, result, declined);
}

/** All ends have all fields in one order: every result has one. */
function endWith(
  failed: boolean,
  declined: boolean,
  running: boolean,
  exitCode: number | undefined,
  lines: readonly string[],
  text: string,
): CallEnd {
  return { failed: failed || declined, declined, running, exitCode, lines, text };
}

/** So much of an answer is looked at for what a program says in its place. */
const NOTICE_CHARS = 600;
const NO_LINES: readonly string[] = [];

/** Longer than an error: what was read, found or fetched. Most results are such, and only a notice at the start could say otherwise. */
function isPlainContent({ text, isError }: ToolResultPart, kind: ActionKind): boolean {
  return !isError && text.length > MAX_CONTENT_ERROR && CONTENT_KINDS.has(kind);
}

const CONTENT_KINDS: ReadonlySet<ActionKind> = new Set(["read", "search", "list", "web"]);

function commandEnd(tool: string, command: string, result: ToolResultPart, declined: boolean): CallEnd {
  const ends = twoEnds(result.text);
  const start = ends.slice(0, NOTICE_CHARS);
  // Also of one that was declined the lines are read that tell why.
  const isError = result.isError || declined || TAGGED.test(start);
  const output = { text: ends, isError, toolName: tool, toolArguments: "" };
  const { failed, exitCode, lines, text } = outcomeOf(output, () => commandHint(tool, command));
  const running = exitCode === undefined && RUNNING.test(start);
  return endWith(!running && failed, declined, running, exitCode, lines, text);
}

/** How a call other than a command ended. What was read may itself begin like an error, so there only short answers count. */
function otherEnd(result: ToolResultPart, kind: ActionKind, mayNotice: boolean, declined: boolean): CallEnd {
  const ends = twoEnds(result.text);
  const isWrapped = mayNotice && /^\s*\{|^meta=|^Exit code: /.test(result.text.slice(0, 200));
  const { text, isError } = isWrapped
    ? unwrap({ text: ends, isError: result.isError, toolName: "", toolArguments: "" })
    : { text: ends, isError: result.isError };
  const isTagged = mayNotice && TAGGED.test(result.text.slice(0, NOTICE_CHARS));
  const failed = isError || isTagged || saysFailure(text, kind);
  return endWith(failed, declined, false, undefined, failed ? [messageOf(text)] : NO_LINES, text);
}

/** So much of each end of an answer is looked at. */
const END_CHARS = 4_000;

/** Of a long text its two ends; the codes by which terminals colour left out. */
function twoEnds(whole: string): string {
  const text = withoutNotice(whole);
  const ends = text.length <= 2 * END_CHARS ? text : `${text.slice(0, END_CHARS)}\n${text.slice(-END_CHARS)}`;
  return ends.includes("\u001b[") ? ends.replace(COLOUR_CODES, "") : ends;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape is what is looked for
const COLOUR_CODES = /\u001b\[[\d;?]{0,20}[A-Za-z]/g;

function messageOf(text: string): string {
  return messageIn(parseJson(text)) ?? firstLine(text);
}

/** `{"status": "error", "error": {"message": "No deck is open"}}` → what it says in words. */
function messageIn(value: unknown): string | undefined {
  if (typeof value === "string") return hasTwoLetters(value) ? value.replace(/\s+/g, " ").trim() : undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const said = value as Record<string, unknown>;
  return MESSAGE_KEYS.map((key) => messageIn(said[key])).find((message) => message !== undefined);
}

const MESSAGE_KEYS = ["message", "error", "error_message", "errorMessage", "msg", "detail", "reason"];

/** The first line with words, without the tags that clients put around it. */
function firstLine(text: string): string {
  const lines = text
    .slice(0, 2_000)
    .replace(/<\/?(?:tool_use_error|error)>/g, "")
    .split("\n");
  return lines.find((line) => hasTwoLetters(line) && !/^\s*errors?:?\s*$/i.test(line))?.trim() ?? "";
}

const RUNNING =
  /^(?:Command (?:is )?running in (?:the )?background|Process running with session|Started background)/im;

/** Longer than this, a text that a tool answered is content. */
const MAX_CONTENT_ERROR = 600;
const MAX_ERROR = 20_000;

function saysFailure(text: string, kind: ActionKind): boolean {
  const isContent = CONTENT_KINDS.has(kind);
  if (text.length > (isContent ? MAX_CONTENT_ERROR : MAX_ERROR)) return false;
  const start = text.slice(0, 600);
  return FAILURE.test(start) || (!isContent && UNCHANGED.test(start));
}
