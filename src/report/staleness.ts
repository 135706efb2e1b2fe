/** Staleness: tool results that no longer tell the truth: a file read before it was edited, an error fixed since. */
import { callsById, type Message } from "../conversation/message.ts";
import type { ToolCallPart, ToolResultPart } from "../conversation/part.ts";
import { parsedJson } from "../json/wire-value.ts";

export interface Stale {
  /** Place of the stale message in the list. */
  readonly position: number;
  /** Place of the message that made it so. */
  readonly since: number;
  readonly reason: string;
}

/** One walk from the end: what is known of the later messages judges the earlier ones. */
export function findStale(messages: readonly Message[]): readonly Stale[] {
  const calls = callsById(messages);
  const later: Later = { editedAt: new Map(), succeededAt: new Map() };
  const stale: Stale[] = [];
  for (let position = messages.length - 1; position >= 0; position--) {
    const { parts } = messages[position]!;
    for (const part of parts) {
      if (part.type !== "tool-result") continue;
      const since = judge(part, calls.get(part.pairId), later, position);
      if (since) stale.push({ position, ...since });
    }
    for (const part of parts) if (part.type === "tool-call") noteEdit(part, later, position);
  }
  return stale.reverse();
}

/** Where it last happened after the message that is judged. */
interface Later {
  readonly editedAt: Map<string, number>;
  /** By the tool, then by what it was given. */
  readonly succeededAt: Map<string, Map<string, number>>;
}

function judge(
  result: ToolResultPart,
  call: ToolCallPart | undefined,
  { editedAt, succeededAt }: Later,
  position: number,
): Omit<Stale, "position"> | undefined {
  if (!call) return undefined;
  const same = succeededAt.get(call.name) ?? new Map<string, number>();
  if (result.isError || FAILED.test(result.text)) {
    const since = same.get(call.arguments);
    return since === undefined
      ? undefined
      : { since, reason: `${call.name} failed here and succeeded since` };
  }
  succeededAt.set(call.name, same.set(call.arguments, position));
  const { kind, path } = touched(call);
  const since = kind === "read" ? editedAt.get(path) : undefined;
  return since === undefined
    ? undefined
    : { since, reason: `${plainPath(path)} was changed since it was read here` };
}

function noteEdit(call: ToolCallPart, { editedAt }: Later, position: number): void {
  const { kind, path } = touched(call);
  if (kind === "edit") editedAt.set(path, position);
}

const FAILED = /^\s{0,20}(?:error|fatal|traceback)\b/i;
const pathField =
  /"(?:file_?path|path|filename|file|target_file|notebook_path)"\s{0,9}:\s{0,9}"((?:[^"\\]|\\.){1,400})"/i;
const commandField = /"command"\s{0,9}:\s{0,9}"([a-z_]{1,30})"/i;
const editWords = /edit|write|replace|patch|create|insert|update|append|delete|remove|rename/i;
const readWords = /read|view|cat|open|show/i;

/** As the call meant it, where its arguments escaped it. */
function plainPath(path: string): string {
  const plain = parsedJson(`"${path}"`);
  return typeof plain === "string" ? plain : path;
}

interface Touch {
  readonly kind: "read" | "edit" | "other";
  readonly path: string;
}

const NO_FILE: Touch = { kind: "other", path: "" };
const touchBy = new WeakMap<ToolCallPart, Touch>();

/** What a call did to which file; it is asked once with its result and once by itself. */
function touched(call: ToolCallPart): Touch {
  let touch = touchBy.get(call);
  if (touch === undefined) {
    touch = readTouch(call);
    touchBy.set(call, touch);
  }
  return touch;
}

/** A tool with commands (view, create, …) is judged by its command. */
function readTouch(call: ToolCallPart): Touch {
  const start = call.arguments.slice(0, 4000);
  const path = pathField.exec(start)?.[1];
  if (path === undefined) return NO_FILE;
  const deed = commandField.exec(start)?.[1] ?? call.name;
  if (readWords.test(deed) && !editWords.test(deed)) return { kind: "read", path };
  return { kind: editWords.test(deed) ? "edit" : "other", path };
}
