/** Labels of a digest: who said a line, and where a name is from. */
import { callsById, type Message, makesCalls, toolCallsOf, toolResultsOf } from "../conversation/message.ts";
import type { ToolCallPart } from "../conversation/part.ts";
import { fileOfCall } from "./file-of-call.ts";
import type { LineIndex } from "./line-index.ts";
import type { NameSource } from "./names-lines.ts";
import { handoffIn } from "./separate.ts";
import type { Place } from "./specific-features.ts";

export interface Labels {
  /** `user: `, `assistant: ` or the tool's name; a message's own calls name themselves, and an old hand-off's lines have their labels. */
  readonly speakerLabel: (at: number) => string;
  /** Where a name is from. */
  readonly sources: (place: Place, index: LineIndex) => NameSource;
}

export function labelsOf(messages: readonly Message[]): Labels {
  const calls = callsById(messages);
  const files = new Map<ToolCallPart, NameSource>();
  const sourceOf = (call: ToolCallPart): NameSource => {
    let source = files.get(call);
    if (source === undefined) {
      const file = fileOfCall(call.arguments);
      source = { speaker: call.name, ...(file !== undefined && { file }) };
      files.set(call, source);
    }
    return source;
  };
  const speakerLabelOf = (message: Message): string => {
    if (handoffIn(message)) return "";
    const result = toolResultsOf(message)[0];
    if (result) return `${calls.get(result.pairId)?.name ?? "tool"}: `;
    return message.role === "assistant" && makesCalls(message) ? "" : `${message.role}: `;
  };
  const labels: string[] = [];
  return {
    speakerLabel: (at) => (labels[at] ??= speakerLabelOf(messages[at]!)),
    sources({ message: at, line }, index) {
      const message = messages[at]!;
      if (handoffIn(message)) {
        const label = /^([^\s:][^:]{0,79}): /.exec(wholeLine(index, line))?.[1];
        return { speaker: "earlier", ...(label !== undefined && { file: label }) };
      }
      const result = toolResultsOf(message)[0];
      const call = result
        ? calls.get(result.pairId)
        : line < index.callsFrom
          ? undefined
          : toolCallsOf(message)[0];
      return call ? sourceOf(call) : { speaker: result ? "tool" : message.role };
    },
  };
}

/** The start of the line that a piece is of: long lines are ranked in pieces, and the first of them has the label. */
function wholeLine({ text, numbers }: LineIndex, line: number): string {
  const start = text.lastIndexOf("\n", numbers[3 * line]! - 1) + 1;
  return text.slice(start, start + 100);
}
