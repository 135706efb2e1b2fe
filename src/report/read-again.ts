/** Which files must be readable again in full, since what was read of them is no longer in view (R43). */
import { callsById, type Message, toolResultsOf } from "../conversation/message.ts";
import type { ToolCallPart } from "../conversation/part.ts";
import { hintOf, mayReadFile } from "../shapes/tool-hints.ts";

/**
 * Paths of files that were read and of which no read came through whole, in the order of their last read. A tool that
 * answers "unchanged since the last read" must forget that it was read.
 */
export function readAgain(before: readonly Message[], after: readonly Message[]): readonly string[] {
  const calls = callsById(before);
  const shown = Map.groupBy(after.flatMap(toolResultsOf), ({ pairId }) => pairId);
  const gone = new Map<string, boolean>();
  for (const { parts } of before) {
    for (const result of parts) {
      if (result.type !== "tool-result") continue;
      const call = calls.get(result.pairId);
      if (!call || result.isError || isUnchanged(result.text)) continue;
      const path = readPath(call);
      if (path === "") continue;
      const isShown = shown.get(result.pairId)?.some(({ text }) => text === result.text) ?? false;
      const isGone = (gone.get(path) ?? true) && !isShown;
      gone.delete(path);
      gone.set(path, isGone);
    }
  }
  return [...gone].flatMap(([path, isGone]) => (isGone ? [path] : []));
}

/** Says that the file is as it was, and nothing of what is in it. */
function isUnchanged(text: string): boolean {
  return text.length < 400 && /\bunchanged\b|\bnot (?:been )?(?:changed|modified)\b/i.test(text);
}

function pathIn({ name: toolName, arguments: toolArguments }: ToolCallPart): string {
  const { kind, path } = hintOf({ text: "", isError: false, toolName, toolArguments });
  return kind === "file-read" ? path : "";
}

const pathBy = new WeakMap<ToolCallPart, string>();

/** The file that a call reads; empty where it reads none. */
function readPath(call: ToolCallPart): string {
  if (!mayReadFile(call)) return "";
  let path = pathBy.get(call);
  if (path === undefined) {
    path = pathIn(call);
    pathBy.set(call, path);
  }
  return path;
}
