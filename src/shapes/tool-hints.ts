/** What the name and the arguments of a call say about its output. */

import type { ToolOutput } from "../conversation/tool-output.ts";
import { parsedObject } from "../json/wire-value.ts";
import { kindOfTool, type OutputKind } from "../reading/agents/output-kinds.ts";
import { COMMAND_KEYS, PATH_KEYS } from "../reading/agents/tool-vocabulary.ts";

export interface ToolHint {
  /** The kind that the call asks for; absent when the name says nothing. */
  readonly kind?: OutputKind | undefined;
  /** The file that was read, where the arguments name one. */
  readonly path: string;
  /** The shell command that was run, where it was one. */
  readonly command: string;
  /** The first line that was asked for, in a read of a part of a file. */
  readonly firstLine: number;
}

/** Shell commands; the first row that matches anywhere in the command counts. */
const COMMANDS: readonly (readonly [kind: OutputKind, command: RegExp])[] = [
  [
    "test-run",
    /\b(?:(?:npm|pnpm|yarn|bun|deno|mise|make|just|task|gradlew?|mvn|dotnet|swift|mix|rake|zig|lein)\s+(?:run\s+|-\S+\s+)*(?:\w+:)?tests?\b|pytest|py\.test|unittest|go\s+test|cargo\s+(?:test|nextest)|jest|vitest|mocha|ava\b|playwright\s+test|rspec|phpunit|ctest|bats|gotestsum|tox\b|node\s+--test)/,
  ],
  [
    "diff",
    /\bgit\s+(?:-\S+\s+)*(?:diff|show|log\s+(?:\S+\s+)*-p|stash\s+show)\b|\bgh\s+pr\s+diff\b|\bdiff\s+-|\bgit\s+add\s+-p\b/,
  ],
  ["grep-results", /(?:^|[;&(]\s*|&&\s*)(?:grep|rg|ag|ack|egrep|git\s+grep)\s|Select-String/],
  ["api-response", /\bcurl\b|\bgh\s+api\b|\bhttpie?\b|Invoke-(?:RestMethod|WebRequest)|\bwget\b/],
  ["database-rows", /\b(?:psql|mysql|sqlite3|duckdb|clickhouse-client|bq\s+query|snowsql)\b/],
  [
    "file-read",
    /(?:^|[;&(]\s*|&&\s*)(?:cat|bat|nl|sed\s+-n|head|tail|less|more|type|Get-Content|awk\s+'NR)\b/,
  ],
  ["directory-listing", /(?:^|[;&(]\s*|&&\s*)(?:ls|find|tree|fd|dir|git\s+ls-files|du|Get-ChildItem)\b/],
  [
    "log",
    /\b(?:make|cmake|ninja|tsc|webpack|vite\s+build|docker|kubectl\s+logs|journalctl|dmesg|(?:npm|pnpm|yarn|bun)\s+(?:ci|i|install|add|run)|pip3?\s+install|cargo\s+(?:build|check|clippy)|go\s+(?:build|vet)|mvn|gradlew?|apt(?:-get)?)\b/,
  ],
];

/** The first line that is asked for, in the spellings tools use. */
const FIRST_LINE_KEYS = ["offset", "start_line", "startLine", "line_start"];

export function hintOf({ toolName, toolArguments }: ToolOutput): ToolHint {
  const values = argumentsOf(toolArguments);
  return {
    ...commandHint(toolName, commandIn(values)),
    path: textAt(values, PATH_KEYS),
    firstLine: numberAt(values, FIRST_LINE_KEYS),
  };
}

/** The hint of a call that says nothing but a command; empty where it has none. */
export function commandHint(toolName: string, given: string): ToolHint {
  const named = kindOfTool(toolName);
  const command = named === "shell" || named === undefined ? given : "";
  const kind = command === "" ? named : kindOfCommand(command);
  return { kind: kind === "shell" ? undefined : kind, path: "", command, firstLine: 1 };
}

/** The hint is that a command was run, whatever it printed. */
export function isCommand({ toolName }: ToolOutput, { command }: ToolHint): boolean {
  return command !== "" || kindOfTool(toolName) === "shell";
}

function kindOfCommand(command: string): OutputKind | undefined {
  const start = command.slice(0, 2_000);
  // By index: until it is compiled, taking a pair apart makes an iterator for each.
  for (let at = 0; at < COMMANDS.length; at++) if (COMMANDS[at]![1].test(start)) return COMMANDS[at]![0];
  return undefined;
}

/** A call that writes a whole file has large arguments and a small result: not worth the parse. */
const LONGEST_ARGUMENTS = 100_000;

function argumentsOf(json: string): Readonly<Record<string, unknown>> {
  return json.length > LONGEST_ARGUMENTS || !json.trimStart().startsWith("{") ? {} : parsedObject(json);
}

function commandIn(values: Readonly<Record<string, unknown>>): string {
  for (let at = 0; at < COMMAND_KEYS.length; at++) {
    const key = COMMAND_KEYS[at]!;
    const value = values[key];
    if (typeof value === "string") return value;
    if (!Array.isArray(value)) continue;
    // Under a key in the plural each text is a command of its own.
    return value.filter((word) => typeof word === "string").join(key === "commands" ? " && " : " ");
  }
  return "";
}

function textAt(values: Readonly<Record<string, unknown>>, keys: readonly string[]): string {
  // By index: until it is compiled, an iterator makes an object for each step.
  for (let at = 0; at < keys.length; at++) {
    const value = values[keys[at]!];
    if (typeof value === "string") return value;
  }
  return "";
}

function numberAt(values: Readonly<Record<string, unknown>>, keys: readonly string[]): number {
  for (const key of keys) {
    const value = values[key];
    if (typeof value === "number" && value > 0) return Math.floor(value);
  }
  return 1;
}
