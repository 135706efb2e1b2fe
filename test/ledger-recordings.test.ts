/** The ledger's files on every recorded conversation, against a reading of the calls that shares no code with it. */
import { expect, test } from "vitest";
import type { Message } from "../src/conversation/message.ts";
import { emptyLedger, type FileFact } from "../src/ledger/ledger.ts";
import { updateLedger } from "../src/ledger/update-ledger.ts";
import { formatNamed } from "../src/providers/detect.ts";
import { hasAllRecordings, recordings } from "./recordings.ts";

/** Every source, and how many files its calls name in all and in the ten: a reading that finds none would agree with anything. */
const sources: Readonly<Record<string, readonly [all: number, ten: number]>> = {
  "coding-sessions": [1_408, 22],
  "derived-openai": [515, 2],
  livemcpbench: [24, 2],
  "tau-bench-airline": [0, 0],
  "openhands-llm-log": [1, 1],
  "cline-session": [2, 2],
  "claude-code-log": [91, 1],
  "claude-code-oh-my-posh": [388, 1],
};

for (const [source, [all, ten]] of Object.entries(sources)) {
  test(`[R36] the files of ${source} are exactly those that its calls name`, async () => {
    const faults: string[] = [];
    let files = 0;
    for await (const { id, format, messages } of recordings([source])) {
      const calls = callsIn(messages);
      const read = formatNamed(format).read(messages).messages;
      const named = updateLedger(emptyLedger, withoutCommands(read));
      const expected = expectedFiles(calls.filter((each) => !isShell(each)));
      const faultsHere = differences(tell(named.files), expected);
      const whole = updateLedger(emptyLedger, read);
      faultsHere.push(...unexplained(whole.files, named.files, calls));
      faults.push(...faultsHere.map((fault) => `${id}: ${fault}`));
      files += expected.length;
    }
    expect(faults).toEqual([]);
    expect(files).toBe(hasAllRecordings ? all : ten);
  }, 60_000);
}

interface WireCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly answer: string;
  readonly isError: boolean;
}

/** Every answered call, in the order of the answers. */
function callsIn(messages: readonly unknown[]): readonly WireCall[] {
  const made = new Map<unknown, { name: string; args: Record<string, unknown> }>();
  const calls: WireCall[] = [];
  const answer = (id: unknown, content: unknown, isError: boolean) => {
    const call = made.get(id);
    if (call) calls.push({ ...call, answer: textOf(content), isError });
    made.delete(id);
  };
  // biome-ignore lint/suspicious/noExplicitAny: a walk over plain wire values
  for (const message of messages as readonly any[]) {
    for (const call of (message.tool_calls ?? []) as {
      id: string;
      function: { name: string; arguments: string };
    }[]) {
      made.set(call.id, { name: call.function.name, args: JSON.parse(call.function.arguments) });
    }
    if (message.role === "tool") answer(message.tool_call_id, message.content, false);
    if (!Array.isArray(message.content)) continue;
    for (const block of message.content) {
      if (block.type === "tool_use") made.set(block.id, { name: block.name, args: block.input });
      if (block.type === "tool_result") answer(block.tool_use_id, block.content, block.is_error === true);
    }
  }
  return calls.map(inner);
}

/** A tool that calls a tool of a server. */
function inner(call: WireCall): WireCall {
  if (call.name !== "execute-tool") return call;
  const { tool_name, params } = call.args as { tool_name: string; params: Record<string, unknown> };
  return { ...call, name: tool_name, args: params };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block) => (typeof block?.text === "string" ? block.text : "")).join("\n");
}

const shells = new Set([
  "Bash",
  "bash",
  "PowerShell",
  "exec_command",
  "execute_bash",
  "terminal",
  "run_commands",
  "start_process",
]);
const isShell = ({ name }: WireCall) => shells.has(name);

const readers =
  "Read read view read_file read_files read_content load read_pdf document_reader get_text_file_contents";
const editors = `Edit edit MultiEdit editor edit_text_file_contents add_footnote_to_document add_heading add_paragraph
  add_picture add_table add_slide_with_layout`;
const writers = "Write write write_file save_presentation create_document";
const verbs = new Map<string, "read" | "edit" | "write">([
  ...readers.split(/\s+/).map((name) => [name, "read"] as const),
  ...editors.split(/\s+/).map((name) => [name, "edit"] as const),
  ...writers.split(/\s+/).map((name) => [name, "write"] as const),
]);

/** What the calls did to which file: `path: reads/edits/created/last`. */
function expectedFiles(calls: readonly WireCall[]): readonly string[] {
  const files = new Map<
    string,
    { path: string; reads: number; edits: number; created: boolean; last: string }
  >();
  const touch = (path: string, verb: "read" | "edit" | "write" | "delete") => {
    const key = path.split("\\").join("/");
    const file = files.get(key) ?? { path, reads: 0, edits: 0, created: false, last: "deleted" };
    file.path = path;
    if (verb === "read") Object.assign(file, { reads: file.reads + 1, last: "read" });
    else if (verb === "delete") Object.assign(file, { created: false, last: "deleted" });
    else if (verb === "write" && file.last === "deleted")
      Object.assign(file, { created: true, last: "created" });
    else Object.assign(file, { edits: file.edits + 1, last: "edited" });
    files.set(key, file);
  };
  for (const call of calls) {
    if (hasFailed(call)) continue;
    for (const line of String(call.name === "apply_patch" ? call.args.input : "").split("\n")) {
      if (line.startsWith("*** Update File: ")) touch(line.slice(17).trim(), "edit");
      if (line.startsWith("*** Add File: ")) touch(line.slice(14).trim(), "write");
      if (line.startsWith("*** Delete File: ")) touch(line.slice(17).trim(), "delete");
    }
    const verb = verbOf(call);
    if (verb) for (const path of pathsOf(call.args)) touch(path, verb);
  }
  return [...files.values()].map(
    (file) => `${file.path}: ${file.reads}/${file.edits}/${file.created}/${file.last}`,
  );
}

function verbOf({ name, args, answer }: WireCall): "read" | "edit" | "write" | undefined {
  if (name === "str_replace_editor") {
    const command = String(args.command);
    if (command === "view") return answer.includes("files and directories up to") ? undefined : "read";
    return command === "create" ? "write" : "edit";
  }
  const verb = verbs.get(name);
  if (verb !== "write") return verb;
  return args.mode === "append" || (name === "Write" && / has been updated/.test(answer)) ? "edit" : "write";
}

function pathsOf(args: Record<string, unknown>): readonly string[] {
  const one = args.file_path ?? args.path ?? args.filename ?? args.filePath ?? args.prs_path;
  if (typeof one === "string") return [one];
  const many = (args.files ?? args.sources ?? []) as readonly Record<string, string>[];
  return [...new Set(many.map((file) => file.path ?? file.file_path ?? ""))].filter(Boolean);
}

const refusals = [
  "<tool_use_error>",
  "The user doesn't want",
  "Found ",
  "File does not exist",
  "File has not been read",
  "File content (",
  "Claude requested permissions",
  "EISDIR",
  "ERROR:",
  "Could not find",
  "No changes made",
  "Ran into [Errno",
  "Invalid `path`",
  "apply_patch verification failed",
  "Tool call timed out",
  "Error executing",
  "Error:",
];

function hasFailed({ answer, isError }: WireCall): boolean {
  const start = answer.trimStart();
  const envelope = /^meta=.*?text=['"]/s.exec(start.slice(0, 200))?.[0] ?? "";
  const said = start.slice(envelope.length);
  // A server's own words in its envelope: {"error": …} or {"status": "error", …}.
  const failed =
    /isError=True\s*$|"isError": true|\\"isError\\": true/.test(answer) ||
    /"text": "\{(?:\\+n|\s)*\\+"(?:error\\+":|status\\+": \\+"error)/.test(answer.slice(0, 400));
  return isError || failed || refusals.some((refusal) => said.startsWith(refusal) && answer.length < 20_000);
}

function tell(files: readonly FileFact[]): readonly string[] {
  return files.map((file) => `${file.path}: ${file.reads}/${file.edits}/${file.created}/${file.last}`);
}

function differences(found: readonly string[], expected: readonly string[]): string[] {
  const missing = expected.filter((line) => !found.includes(line)).map((line) => `missing ${line}`);
  return [...missing, ...found.filter((line) => !expected.includes(line)).map((line) => `too many ${line}`)];
}

/** The same messages without shell calls and their results: what they touch is not named by an argument. */
function withoutCommands(messages: readonly Message[]): readonly Message[] {
  const dropped = new Set<string>();
  return messages.map((message) => ({
    ...message,
    parts: message.parts.filter((part) => {
      if (part.type === "tool-call" && runsCommand(part.name, part.arguments)) dropped.add(part.pairId);
      else if (part.type === "tool-result") return !dropped.delete(part.pairId);
      return part.type !== "tool-call" || !dropped.has(part.pairId);
    }),
  }));
}

function runsCommand(name: string, args: string): boolean {
  return shells.has(name) || (name === "execute-tool" && shells.has(JSON.parse(args).tool_name));
}

/** Files that the commands added: each must be named in one. */
function unexplained(
  whole: readonly FileFact[],
  named: readonly FileFact[],
  calls: readonly WireCall[],
): readonly string[] {
  const commands = calls.filter(isShell).map(({ args }) => JSON.stringify(args));
  const known = new Set(named.map(({ path }) => path));
  const lost = named.filter(({ path }) => !whole.some((file) => samePath(file.path, path)));
  const added = whole.filter(({ path }) => !known.has(path));
  const nowhere = added.filter(({ path }) => {
    const name = JSON.stringify(path.split(/[\\/]/).pop()).slice(1, -1);
    return (
      !commands.some((command) => command.includes(name)) && !named.some((file) => samePath(file.path, path))
    );
  });
  return [...lost.map(({ path }) => `lost ${path}`), ...nowhere.map(({ path }) => `from nowhere ${path}`)];
}

function samePath(a: string, b: string): boolean {
  return a.split("\\").join("/") === b.split("\\").join("/");
}
