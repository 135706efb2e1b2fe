/** Reads a tool call: what it does to which file, which command it runs, which list it writes. */

import type { ToolCallPart, ToolResultPart } from "../../conversation/part.ts";
import { opensObject, parsedObject, type WireObject } from "../../json/wire-value.ts";
import {
  type ActionKind,
  baseName,
  COMMAND_KEYS,
  CONTENT_KEYS,
  DESTINATION_KEYS,
  EDITOR_COMMANDS,
  FOLDER_KEYS,
  meaningOf,
  NAME_WORDS,
  PATH_KEYS,
  REPLACEMENT_KEYS,
  SOURCE_KEYS,
  type ToolMeaning,
} from "../agents/tool-vocabulary.ts";
import { type Action, actionAt, actionWith, commandAction, isFileAction, moveAction } from "./action.ts";
import { type CallEnd, callEnd } from "./call-end.ts";
import { actionsOnce } from "./call-reading.ts";
import { isFileName } from "./file-path.ts";
import { patchActions } from "./patch-files.ts";
import { readShownList, readTodoCall } from "./read-todos.ts";
import { shellFiles } from "./shell-files.ts";

/**
 * What a call does, and with its result: what it did. A failed call did nothing to any file.
 *
 *     actionsOf(Edit { file_path: "a.ts", … }) → [{ kind: "edit", path: "a.ts" }]
 */
export function actionsOf(call: ToolCallPart, result?: ToolResultPart): readonly Action[] {
  const actions = actionsOnce(call, readActions);
  return result === undefined ? actions : actionsDone(actions, callEnd(call.name, actions, result));
}

function readActions({ name, arguments: text }: ToolCallPart, values: WireObject): readonly Action[] {
  return readCall(name, text, values);
}

/** Of what a call set out to do, that which was done. */
export function actionsDone(actions: readonly Action[], end: CallEnd): readonly Action[] {
  if (end.failed) return actions.filter((action) => !isFileAction(action) && action.kind !== "todo");
  if (actions[0]?.kind === "command") {
    const maySkip = actions.length > 1 && end.text.includes(NOT_THERE);
    return maySkip ? actions.filter((action) => !isMissing(action, end.text)) : actions;
  }
  for (let at = 0; at < actions.length; at++) {
    if (actionDone(actions[at]!, end.text) !== actions[at]) return actionsAsTold(actions, end.text);
  }
  return actions;
}

function actionsAsTold(actions: readonly Action[], text: string): readonly Action[] {
  return actions.map((action) => actionDone(action, text)).filter((action) => action !== undefined);
}

/** As the result tells it: the same action where it tells nothing else. */
function actionDone(action: Action, text: string): Action | undefined {
  switch (action.kind) {
    case "read":
      return FOLDER_SHOWN.test(text) ? actionWith(action, { kind: "list" }) : action;
    case "create":
      return OVERWRITTEN.test(text) ? actionWith(action, { kind: "edit" }) : action;
    case "edit":
      return action.path === undefined ? openFile(text.slice(0, 2_000), action) : action;
    case "todo":
      return action.todos === undefined ? withShown(action, text) : withNumber(action, text.slice(0, 2_000));
    default:
      return action;
  }
}

function readCall(name: string, text: string, values: WireObject, depth = 0): readonly Action[] {
  const known = meaningOf(name);
  const meaning = known ?? inferMeaning(name, values);
  if (meaning.does === "call" && depth === 0) return readInnerCall(values, meaning);
  const actions = actionsFor(meaning, values, text);
  if (known === undefined && actions.length === 0) {
    const command = textAt(values, COMMAND_KEYS);
    if (command !== "") return commandActions([command], values);
  }
  return actions.length > 0 ? actions : [actionAt("other")];
}

/** `execute-tool { tool_name, params }`: the call inside. */
function readInnerCall(values: WireObject, { keys }: ToolMeaning): readonly Action[] {
  const inner = keys.map((key) => values[key]).find((value) => value !== undefined);
  const name = textAt(values, ["tool_name", "toolName", "tool", "name"]);
  const text = typeof inner === "string" ? inner : JSON.stringify(inner ?? {});
  return readCall(name, text, opensObject(text) ? parsedObject(text) : { input: text }, 1);
}

function actionsFor({ does, keys }: ToolMeaning, values: WireObject, text: string): readonly Action[] {
  switch (does) {
    case "read":
    case "edit":
    case "create":
    case "delete":
      return fileActions(kindFor(does, values), pathsAt(values, keys, PATH_KEYS), values);
    case "move":
    case "copy": {
      const from = textAt(values, SOURCE_KEYS);
      const to = textAt(values, DESTINATION_KEYS);
      if (!isFileName(from) || !isFileName(to)) return [];
      return [does === "copy" ? actionAt("create", to) : moveAction(from, to)];
    }
    case "patch":
      return patchActions(textAt(values, keys) || textAt(values, PATCH_KEYS) || text);
    case "by-command":
      return editorActions(values);
    case "command": {
      const commands = commandsUnder(values, keys);
      return commandActions(commands.length > 0 ? commands : commandsUnder(values, COMMAND_KEYS), values);
    }
    case "todo": {
      const todo = readTodoCall(values);
      return todo === undefined ? [] : [todo];
    }
    case "call":
      return [];
    default: {
      const path = textAt(values, keys).slice(0, 300);
      return [actionAt(does, path === "" ? undefined : path)];
    }
  }
}

/** A write that appends changes; an edit that only previews does nothing; an editor without an old text makes the file. */
function kindFor(does: "read" | "edit" | "create" | "delete", values: WireObject): ActionKind {
  if (does === "create" && (values.append === true || values.mode === "append")) return "edit";
  if (does === "edit" && (values.dryRun === true || values.dry_run === true)) return "other";
  const isFresh = does === "edit" && values.old_text === "" && !("insert_line" in values);
  return isFresh ? "create" : does;
}

function fileActions(kind: ActionKind, paths: readonly string[], values: WireObject): readonly Action[] {
  const place = paths[0];
  if (paths.length === 1 && isFileName(place!)) return [actionAt(kind, place)];
  const files = paths.filter(isFileName);
  if (files.length > 0) return files.map((path) => actionAt(kind, path));
  if (place !== undefined) return [actionAt(kind === "read" ? "list" : "other", place.slice(0, 300))];
  // An `edit` of the file that is open: its result names it.
  const isEdit = kind === "edit" && textAt(values, [...REPLACEMENT_KEYS, "replace", "text"]) !== "";
  return isEdit ? [actionAt(kind)] : [];
}

/** An editor whose `command` argument says what it does. */
function editorActions(values: WireObject): readonly Action[] {
  const command = textAt(values, ["command", "action", "mode"]);
  if (command === "rename") return actionsFor({ does: "move", keys: [] }, values, "");
  const kind = EDITOR_COMMANDS[command];
  return kind === undefined ? [] : fileActions(kind, pathsAt(values, PATH_KEYS), values);
}

const PATCH_KEYS = ["patch", "diff", "input"];

function commandActions(commands: readonly string[], values: WireObject): readonly Action[] {
  if (commands.length === 1) return actionsByCommand(commands[0]!, values);
  return commands.flatMap((command) => actionsByCommand(command, values));
}

function actionsByCommand(command: string, values: WireObject): readonly Action[] {
  const files = shellFiles(command, () => textAt(values, FOLDER_KEYS));
  return files.length === 0 ? [commandAction(command)] : [commandAction(command), ...files];
}

/** The commands under the first of the keys that holds any. */
function commandsUnder(values: WireObject, keys: readonly string[]): readonly string[] {
  for (let at = 0; at < keys.length; at++) {
    const commands = commandsAt(values, keys[at]!);
    if (commands.length > 0) return commands;
  }
  return NONE;
}

const NONE: readonly string[] = [];

/** `["bash", "-lc", "npm test"]` → `npm test`; under a key in the plural each text is a command of its own. */
function commandsAt(values: WireObject, key: string): readonly string[] {
  const value = values[key];
  if (typeof value === "string") return value.trim() === "" ? NONE : [value];
  if (!Array.isArray(value)) return NONE;
  const words = value.filter((word): word is string => typeof word === "string" && word !== "");
  if (key === "commands" || words.length === 0) return words;
  return words.length === 3 && /^-\w*c$/.test(words[1]!) ? [words[2]!] : [words.join(" ")];
}

/** What a tool does that no vocabulary has: by the words of its name, then by its arguments. */
function inferMeaning(name: string, values: WireObject): ToolMeaning {
  const words = baseName(name)
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z]+/);
  const does = words.map((word) => NAME_WORDS[word]).find((verb) => verb !== undefined);
  if (does !== undefined && does !== "command") return { does, keys: inferredPathKeys(values) };
  if (textAt(values, COMMAND_KEYS) !== "") return { does: "command", keys: [] };
  if (does === undefined && pathsAt(values, PATH_KEYS).length > 0) {
    if (textAt(values, REPLACEMENT_KEYS) !== "") return { does: "edit", keys: [] };
    if (textAt(values, CONTENT_KEYS) !== "") return { does: "create", keys: [] };
  }
  return { does: "other", keys: [] };
}

/** Any argument that ends in `path` or `file` and does not speak of folders. */
function inferredPathKeys(values: WireObject): readonly string[] {
  if (pathsAt(values, PATH_KEYS).length > 0) return [];
  return Object.keys(values).filter(
    (key) => /(?:path|file|filename)$/i.test(key) && !/repo|dir|root|folder|work|base/i.test(key),
  );
}

function textAt(values: WireObject, keys: readonly string[]): string {
  // By index: until it is compiled, an iterator makes an object for each step.
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at]!;
    const value = values[key];
    // Most are plain texts, and need no list of one.
    if (typeof value === "string" && value.trim() !== "") return value;
    if (Array.isArray(value)) {
      const first = commandsAt(values, key)[0];
      if (first !== undefined) return first;
    }
  }
  return "";
}

/** The paths under the first of the keys that holds any: a text, a list of texts, or a list of things with a path. */
function pathsAt(
  values: WireObject,
  keys: readonly string[],
  more: readonly string[] = NONE,
): readonly string[] {
  for (let at = 0; at < keys.length; at++) {
    const value = values[keys[at]!];
    if (typeof value === "string" && value !== "") return [value];
    if (Array.isArray(value)) {
      const paths = value.slice(0, 1_000).flatMap((item) => {
        if (typeof item === "string") return [item];
        return typeof item === "object" && item !== null ? pathsAt(item as WireObject, PATH_KEYS) : [];
      });
      if (paths.length > 0) return [...new Set(paths)];
    }
  }
  return more.length > 0 ? pathsAt(values, more) : NONE;
}

const FOLDER_SHOWN = /^[^\n]{0,40}files and directories up to \d levels? deep/i;
const OVERWRITTEN = /^[^\n]{0,1200}?\b(?:has been updated|overwr(?:ote|itten)|has been edited)\b/i;
const OPEN_FILE = /^\[File: ([^\n]{1,1000}?) \(\d+ lines total\)\]/m;

function openFile(text: string, action: Action): Action | undefined {
  const path = OPEN_FILE.exec(text)?.[1];
  return path === undefined ? undefined : actionWith(action, { path });
}

/** The list that was asked for, as it is whoever changed it. */
function withShown(action: Action, text: string): Action {
  const todos = readShownList(text);
  return todos.length === 0 ? action : actionWith(action, { todos, list: "replace" });
}

/** `Task #3 created successfully`: the number by which later calls name it. */
function withNumber(action: Action, text: string): Action {
  const number = /^\s*Task #(\w{1,20}) created/.exec(text)?.[1];
  const first = action.todos?.[0];
  return number === undefined || !first ? action : actionWith(action, { todos: [{ ...first, id: number }] });
}

/** A shell that went on past a file it could not find. */
function isMissing({ path }: Action, text: string): boolean {
  if (path === undefined) return false;
  const name = path.split("/").pop() ?? path;
  return text.split("\n").some((line) => line.includes(NOT_THERE) && line.includes(name));
}

const NOT_THERE = "No such file";
