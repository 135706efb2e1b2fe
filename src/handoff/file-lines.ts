/** File lines: which lines of a span stand in a file, and in which: what was read of it and what was written to it. */
import { callsById, type Message, toolResultsOf } from "../conversation/message.ts";
import { fileKey } from "../ledger/file-path.ts";
import { meaningOf } from "../ledger/tool-vocabulary.ts";
import { pathOfCall } from "./file-of-call.ts";
import type { RankedMessage } from "./gather-specifics.ts";
import { handoffIn } from "./separate.ts";

/** The lines from `from` up to `to` of a message stand in the file at `path`. */
export interface FileLines {
  readonly message: number;
  readonly from: number;
  readonly to: number;
  readonly path: string;
  /** A call wrote them: on the wire they stand as JSON writes a string. */
  readonly isEscaped: boolean;
}

/** In the order of the conversation; a file that is written in two ways has the path that came first. */
export function fileLinesOf(
  messages: readonly Message[],
  ranked: readonly RankedMessage[],
): readonly FileLines[] {
  const calls = callsById(messages);
  const spelled = new Map<string, string>();
  const oneSpelling = (path: string): string => {
    const key = fileKey(path);
    if (!spelled.has(key)) spelled.set(key, path);
    return spelled.get(key)!;
  };
  return messages.flatMap((message, at): readonly FileLines[] => {
    const { index } = ranked[at]!;
    const result = toolResultsOf(message)[0];
    const call = result && calls.get(result.pairId);
    const path = call && showsFile(call.name) ? pathOfCall(call.arguments) : undefined;
    if (path !== undefined)
      return [{ message: at, from: 0, to: index.lines, path: oneSpelling(path), isEscaped: false }];
    return index.written.map(({ from, to, path: own }) => ({
      message: at,
      from,
      to,
      path: oneSpelling(own),
      isEscaped: handoffIn(message) === undefined,
    }));
  });
}

/** What answers a call that writes is the tool's, not the file's. */
function showsFile(tool: string): boolean {
  const does = meaningOf(tool)?.does;
  return does !== "edit" && does !== "create" && does !== "patch";
}
