/** ai-sdk-ui: UI messages of the AI SDK: each has `parts`, and a tool part holds the call and its output. */
import { firstText, isObject, type WireObject } from "../json/wire-value.ts";
import { elementRecords, insertEach, messagesIn } from "./reading.ts";
import type { SourceText } from "./source-text.ts";
import { addToolPart, type MessagePieces, turnSaid } from "./tool-parts.ts";
import type { Path, Said, TranscriptFormat, TranscriptReading } from "./transcript.ts";

/** Parts `tool-NAME` and `dynamic-tool`, and the older `tool-invocation`; a `step-start` begins the next reply. */
export const aiSdkUi: TranscriptFormat = {
  name: "ai-sdk-ui",
  detect: ({ json }) => {
    const messages = messagesIn(json());
    return messages.length > 0 && messages.every(isUiMessage) ? 0.95 : 0;
  },
  read,
  timeOf: ({ createdAt }) => createdAt,
  keepsMerged: true,
  compose: (writing) =>
    insertEach(writing, ({ text, role }) => ({ id: writing.newId(), role, parts: [{ type: "text", text }] })),
};

/** Each part of a UI message has a type; the parts of other programs that have `parts` have none. */
function isUiMessage(message: unknown): boolean {
  if (!isObject(message) || typeof message.role !== "string" || !Array.isArray(message.parts)) return false;
  return message.parts.every((part) => isObject(part) && typeof part.type === "string");
}

function read(source: SourceText): TranscriptReading {
  const path = Array.isArray(source.json()) ? [] : ["messages"];
  const { records, problems } = elementRecords(source, [{ path }]);
  const said = records.flatMap(({ value }, record) => (isObject(value) ? messageSaid(value, record) : []));
  return { records, said, problems };
}

function messageSaid({ role, parts }: WireObject, record: number): readonly Said[] {
  const speaker = role === "assistant" || role === "system" ? role : "user";
  const turns: MessagePieces[] = [{ pieces: [], answers: [] }];
  (Array.isArray(parts) ? parts : []).forEach((part, index) => {
    if (!isObject(part)) return;
    if (part.type === "step-start") turns.push({ pieces: [], answers: [] });
    else addPart(turns.at(-1)!, part, record, ["parts", index]);
  });
  return turns.flatMap((turn) => turnSaid(speaker, turn));
}

function addPart(turn: MessagePieces, part: WireObject, record: number, drop: Path): void {
  const type = firstText(part.type);
  if (type === "text" && firstText(part.text) !== "") {
    turn.pieces.push({ kind: "text", text: firstText(part.text), record, path: [...drop, "text"], drop });
  } else if (type === "reasoning") {
    const text = firstText(part.text, part.reasoning);
    const signed = part.providerMetadata !== undefined;
    turn.pieces.push({ kind: "thinking", text, signed, record, path: [...drop, "text"], drop, fixed: true });
  } else if (type === "file") turn.pieces.push({ kind: "image", record, path: drop, drop });
  else if (type === "tool-invocation" && isObject(part.toolInvocation)) {
    const { toolCallId, toolName, args, result } = part.toolInvocation;
    const at = [...drop, "toolInvocation"];
    addToolPart(turn, {
      record,
      drop,
      id: firstText(toolCallId),
      name: firstText(toolName),
      input: args,
      inputPath: [...at, "args"],
      output: result,
      outputPath: [...at, "result"],
    });
  } else if (type.startsWith("tool-") || type === "dynamic-tool") {
    const failed = typeof part.errorText === "string";
    addToolPart(turn, {
      record,
      drop,
      id: firstText(part.toolCallId),
      name: firstText(part.toolName) || type.slice("tool-".length),
      input: part.input,
      inputPath: [...drop, "input"],
      output: failed ? part.errorText : part.output,
      outputPath: [...drop, failed ? "errorText" : "output"],
      isError: failed,
    });
  } else if (type !== "") {
    const text = firstText(part.text, part.url, part.title);
    turn.pieces.push({ kind: "other", type, text, record, path: drop, drop, fixed: true });
  }
}
