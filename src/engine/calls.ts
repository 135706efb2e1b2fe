// Calls: what was called, on what, and what came of it; native calls and calls written as text.

import { editIn } from "./edits.ts";
import { UNKNOWN, type Verdict } from "./outcome.ts";
import { isDeep } from "./records.ts";

export interface Call {
  /** What was called. */
  readonly verb: string;
  /** On what: the path, command, query or id that says most, in one line. */
  readonly subject: string;
  /** The rest of what was asked. */
  readonly asked: string;
  /** The arguments by name, when they can be read. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The command line that it ran, "" for none. */
  readonly command: string;
  /** The file that it is about. */
  readonly path: string | undefined;
  /** Arguments that are no JSON cannot go out again as a call. */
  readonly broken: boolean;
  /** What it took out of a text and put into it. */
  readonly change?: string;
  /** What was read of its arguments, the same for the same part of a message. */
  readonly asking?: object;
  output: string | undefined;
  /** What it answered hands on what a person typed. */
  handsOn: boolean;
  outcome: Verdict;
  /** What was read of its result, the same for the same part of a message. */
  answer?: object;
  /** Which message answered. */
  answeredAt: number;
}

/** The argument that says what a call is about: the first that is there. */
const SUBJECTS = [
  "command",
  "cmd",
  "file_path",
  "path",
  "url",
  "query",
  "pattern",
  "search_string",
  "code",
  "skill",
  "description",
];
/** Arguments that name what a dispatcher calls, or to whom it is done. */
const NAMES = /(?:^|_)(?:name|id)$/i;
/** Arguments that say nothing to a reader. */
const QUIET = new Set([
  "timeout",
  "description",
  "output_mode",
  "replace_all",
  "run_in_background",
  "limit",
  "offset",
  "-n",
]);
/** A subject is one line of so many characters; arguments that are shorter than `brief` stay as they are. */
const LONGEST = { subject: 400, brief: 160 };

export function newCall(
  verb: string,
  text: string,
  values: Record<string, unknown> = {},
  rest: readonly string[] = [],
): Call {
  const line = text.indexOf("\n");
  const end = line < 0 ? text.length : line;
  const subject = end <= LONGEST.subject ? text.slice(0, end) : "";
  const asked = [text.slice(subject.length).trim(), ...rest].filter((part) => part !== "").join("\n");
  return {
    verb,
    subject,
    asked,
    values,
    command: commandIn(verb, subject, values),
    path: pathIn(values),
    broken: false,
    output: undefined,
    handsOn: false,
    outcome: UNKNOWN,
    answeredAt: -1,
  };
}

export function readCall(verb: string, args: string): Call {
  let values: Record<string, unknown>;
  try {
    values = Object(JSON.parse(args)) as Record<string, unknown>;
  } catch {
    return { ...newCall(verb, args), broken: true };
  }
  if (isDeep(values)) return newCall(verb, args);
  const isText = (key: string) => typeof values[key] === "string";
  if (args.length <= LONGEST.brief && !SUBJECTS.some(isText))
    return newCall(verb, args === "{}" ? "" : args, values);
  values = flat(values);
  const edit = editIn(values);
  const keys = Object.keys(values).filter((key) => !edit?.names.includes(key) && !QUIET.has(key));
  const found = SUBJECTS.find(isText);
  // A name, an id, a date, a word says something without the name of its argument.
  const isBrief = (key: string) =>
    isText(key) && oneLine(String(values[key])).length > 2 && String(values[key]).length <= LONGEST.brief;
  const isShown = (key: string) => key !== found && isBrief(key) && (found === undefined || NAMES.test(key));
  const head = [...keys.filter(isShown), ...(found === undefined ? [] : [found])].map((key) =>
    oneLine(String(values[key])),
  );
  const rest = keys
    .filter((key) => key !== found && !isShown(key))
    .map((key) => (isText(key) ? `${key}: ${values[key]}` : `"${key}":${JSON.stringify(values[key])}`));
  return {
    ...newCall(verb, head.join(" ").trim(), values, edit ? [...rest, edit.change] : rest),
    ...(edit ? { change: edit.change } : {}),
  };
}

/** Arguments by name; those of a call inside the call (`params`, `arguments`) beside its own. */
function flat(values: Record<string, unknown>): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) {
    if (value !== null && typeof value === "object" && !Array.isArray(value)) {
      for (const [inner, one] of Object.entries(value)) if (!Object.hasOwn(all, inner)) all[inner] = one;
    } else all[key] = value;
  }
  return all;
}

/** A short text of several lines as one. */
function oneLine(text: string): string {
  return text.length <= LONGEST.brief ? text.trim().replace(/\s*\n\s*/g, " ") : text;
}

function commandIn(verb: string, subject: string, values: Call["values"]): string {
  const command = values.command ?? values.cmd ?? values.code;
  // `["bash", "-lc", "npm test"]`: a shell and the command line that it runs.
  if (Array.isArray(command)) return (isShell(command[1]) ? command.slice(2) : command).join(" ");
  // The command of an editor is what it does with its file: `view`, `create`, `str_replace`.
  if (typeof command === "string")
    return typeof values.path === "string" && !command.includes(" ") ? "" : command;
  return /^(?:run_|shell|bash|exec(?![a-z])|execute_(?:bash|command)|terminal|kubectl)/i.test(verb)
    ? `${verb} ${subject}`
    : "";
}

function isShell(option: unknown): boolean {
  return typeof option === "string" && option.startsWith("-") && option.endsWith("c");
}

/** Names of calls that change a file. */
const EDIT = /^(?:edit|write|multi_?edit|create|str_replace|apply_patch|notebook_?edit|insert|append)/i;

/** It says that it shows what would be done, and does nothing. */
export function isRehearsal(call: Call): boolean {
  const { dry_run, dryRun } = call.values;
  return dry_run === true || dryRun === true || call.command.includes("--dry-run");
}

function pathIn(values: Call["values"]): string | undefined {
  const name = Object.keys(values).find((key) => NAMES_FILE.test(key) && typeof values[key] === "string");
  return name === undefined ? undefined : (values[name] as string);
}

/** How tools call the argument that names a file: `path`, `file_path`, `filePath`, `absolute_path`, `target_file`. */
const NAMES_FILE =
  /^(?:(?:absolute|relative|target|notebook|document)_?)?(?:file|path)(?:_?(?:path|name))?$/i;

/** A call that writes: by its name, or because it was given a text to put into a file. */
export function writesFile(call: Call): boolean {
  const text = call.change ?? call.values.content;
  if (call.values.command === "view" || isRehearsal(call)) return false;
  return call.path === undefined
    ? text !== undefined && EDIT.test(call.verb)
    : EDIT.test(call.verb) || typeof text === "string";
}

/** How a call is written in text: what opens it, what closes it ("" is the end of the text). */
const BLOCKS: readonly (readonly [open: string, close: string])[] = [
  ["<tool_call>", "</tool_call>"],
  ["<execute_bash>", "</execute_bash>"],
  ["Calling tools:", ""],
  ["Action:", ""],
  ["```", "```"],
];

interface WrittenCall {
  readonly words: string;
  readonly call: Call;
  /** It is nothing but a command line in a fence. */
  readonly isFence: boolean;
}

const SHELLS: ReadonlySet<string> = new Set(["", "bash", "sh", "shell", "console"]);

/** A call that closes the text of a turn, and the words before it. */
export function readWrittenCall(text: string): WrittenCall | undefined {
  for (const [open, close] of BLOCKS) {
    if (!text.trimEnd().endsWith(close)) continue;
    const end = close === "" ? text.length : text.lastIndexOf(close);
    const start = end > 0 ? text.lastIndexOf(open, end - 1) : -1;
    if (start < 0) continue;
    const given = text.slice(start + open.length, end);
    // What follows a fence on its line names a language: that of a shell, or it is code.
    const isFence = open === "```";
    const language = isFence ? given.slice(0, given.indexOf("\n")).trim() : "";
    if (!SHELLS.has(language)) continue;
    const body = given.slice(given.indexOf(language) + language.length).trim();
    const before = text.slice(0, start);
    const words = before.trim() === "tool-call:" ? "" : before;
    const name = /["']name["']:\s*["']([\w.-]+)["']/.exec(body.slice(0, 400))?.[1];
    if (name === undefined && close === "") continue;
    if (name === undefined) return { words, call: newCall("run", body, { command: body }), isFence };
    const args = body.search(/["']arguments["']:/);
    const asked = args < 0 ? body : firstValue(body.slice(args + 12).trim());
    return { words, call: newCall(name, asked), isFence };
  }
  return undefined;
}

/** The first object, list or word of a text. */
function firstValue(text: string): string {
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === "{" || text[i] === "[") depth += 1;
    else if (text[i] === "}" || text[i] === "]") depth -= 1;
    if (depth <= 0 && i > 0) return text.slice(0, depth < 0 ? i : i + 1);
    if (depth === 0) break;
  }
  return text.replace(/[\s}\]]+$/, "");
}
