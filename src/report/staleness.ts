/** Staleness: tool results that no longer tell the truth: a file read before it was edited, an error fixed since. */
import { callsById, type Message } from "../conversation/message.ts";
import type { ToolCallPart } from "../conversation/part.ts";
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
  const editedAt = new Map<string, number>();
  /** By the tool, then by what it was given. */
  const succeededAt = new Map<string, Map<string, number>>();
  const stale: Stale[] = [];
  for (let position = messages.length - 1; position >= 0; position--) {
    const message = messages[position]!;
    for (const result of message.parts) {
      const call = result.type === "tool-result" ? calls.get(result.pairId) : undefined;
      if (!call || result.type !== "tool-result") continue;
      const same = succeededAt.get(call.name) ?? new Map<string, number>();
      const failed = result.isError || /^\s{0,20}(?:error|fatal|traceback)\b/i.test(result.text);
      const fixed = failed ? same.get(call.arguments) : undefined;
      const { kind, path } = touched(call);
      const edited = kind === "read" ? editedAt.get(path) : undefined;
      if (failed && fixed !== undefined) {
        stale.push({ position, since: fixed, reason: `${call.name} failed here and succeeded since` });
      } else if (!failed && edited !== undefined) {
        stale.push({
          position,
          since: edited,
          reason: `${plainPath(path)} was changed since it was read here`,
        });
      }
      if (!failed) succeededAt.set(call.name, same.set(call.arguments, position));
    }
    for (const call of message.parts) {
      if (call.type !== "tool-call") continue;
      const { kind, path } = touched(call);
      if (kind === "edit") editedAt.set(path, position);
    }
  }
  return stale.reverse();
}

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
