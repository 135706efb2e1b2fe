/** Which files must be readable again in full, since what was read of them is no longer in view (R43). */
import { callsById, type Message, toolResultsOf } from "../conversation/message.ts";
import type { ToolCallPart, ToolResultPart } from "../conversation/part.ts";
import { callOf } from "../engine/reading.ts";
import { fileShown } from "./call-files.ts";

/**
 * Paths of files that were read and of which no read came through whole, in the order of their last read. A tool that
 * answers "unchanged since the last read" must forget that it was read.
 */
export function readAgain(before: readonly Message[], after: readonly Message[]): readonly string[] {
  const calls = callsById(before);
  const shown = Map.groupBy(after.flatMap(toolResultsOf), ({ pairId }) => pairId);
  const gone = new Map<string, boolean>();
  const noteReads = ({ parts }: Message): void => {
    // By index: until it is compiled, an iterator makes an object for each step.
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at]!;
      if (part.type === "tool-result") noteRead(part, calls, shown, gone);
    }
  };
  before.forEach(noteReads);
  return [...gone].flatMap(([path, isGone]) => (isGone ? [path] : []));
}

function noteRead(
  result: ToolResultPart,
  calls: ReadonlyMap<string, ToolCallPart>,
  shown: ReadonlyMap<string, readonly ToolResultPart[]>,
  gone: Map<string, boolean>,
): void {
  const path = pathRead(result, calls.get(result.pairId));
  if (path === "") return;
  const isShown = shown.get(result.pairId)?.some(({ text }) => text === result.text) ?? false;
  const isGone = (gone.get(path) ?? true) && !isShown;
  gone.delete(path);
  gone.set(path, isGone);
}

/** The file that a result shows; empty where it shows none. */
function pathRead(result: ToolResultPart, call: ToolCallPart | undefined): string {
  if (!call || result.isError) return "";
  const path = fileShown(callOf(call)) ?? "";
  return path === "" || isUnchanged(result.text) ? "" : path;
}

/** Says that the file is as it was, and nothing of what is in it. */
function isUnchanged(text: string): boolean {
  return text.length < 400 && /\bunchanged\b|\bnot (?:been )?(?:changed|modified)\b/i.test(text);
}
