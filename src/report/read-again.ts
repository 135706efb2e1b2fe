/** Which files must be readable again in full, since what was read of them is no longer in view (R43). */
import { callsById, type Message, toolResultsOf } from "../conversation/message.ts";
import { hintOf } from "../shapes/tool-hints.ts";

/**
 * Paths of files that were read and of which no read came through whole, in the order of their last read. A tool that
 * answers "unchanged since the last read" must forget that it was read.
 */
export function readAgain(before: readonly Message[], after: readonly Message[]): readonly string[] {
  const calls = callsById(before);
  const shown = new Set(after.flatMap((message) => toolResultsOf(message).map(readKey)));
  const gone = new Map<string, boolean>();
  for (const message of before) {
    for (const result of toolResultsOf(message)) {
      const call = calls.get(result.pairId);
      if (!call || result.isError || isUnchanged(result.text)) continue;
      const { kind, path } = hintOf({ ...result, toolName: call.name, toolArguments: call.arguments });
      if (kind !== "file-read" || path === "") continue;
      const isGone = (gone.get(path) ?? true) && !shown.has(readKey(result));
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

function readKey({ pairId, text }: { readonly pairId: string; readonly text: string }): string {
  return `${pairId}\n${text}`;
}
