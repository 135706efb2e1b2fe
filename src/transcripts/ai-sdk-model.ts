/** ai-sdk-model: model messages of the AI SDK: content of typed parts, `tool-call` and `tool-result` among them. */
import { firstText, isObject, jsonText, type WireObject } from "../json/wire-value.ts";
import { resultOf } from "./block-pieces.ts";
import { elementRecords, insertEach, messagesIn } from "./reading.ts";
import type { SourceText } from "./source-text.ts";
import type { Path, Said, TranscriptFormat, TranscriptPiece, TranscriptReading } from "./transcript.ts";

export const aiSdkModel: TranscriptFormat = {
  name: "ai-sdk-model",
  detect: ({ json }) => (messagesIn(json()).some(hasToolPart) ? 0.95 : 0),
  read,
  keepsMerged: true,
  compose: (writing) =>
    insertEach(writing, ({ text, role }) => ({ role, content: [{ type: "text", text }] })),
};

function hasToolPart(message: unknown): boolean {
  if (!isObject(message) || !Array.isArray(message.content)) return false;
  return message.content.some(
    (part) =>
      isObject(part) && (part.type === "tool-call" || part.type === "tool-result") && "toolCallId" in part,
  );
}

function read(source: SourceText): TranscriptReading {
  const path = Array.isArray(source.json()) ? [] : ["messages"];
  const { records, problems } = elementRecords(source, [{ path }]);
  const said = records.map(({ value }, record): Said => {
    if (!isObject(value)) return { role: "user", pieces: [] };
    const { role, content } = value;
    const speaker = role === "assistant" || role === "system" ? role : "user";
    if (typeof content === "string") {
      return {
        role: speaker,
        pieces: content === "" ? [] : [{ kind: "text", text: content, record, path: ["content"] }],
      };
    }
    const parts = Array.isArray(content) ? content : [];
    return {
      role: speaker,
      pieces: parts.flatMap((part, index) => partPieces(part, record, ["content", index])),
    };
  });
  return { records, said, problems };
}

function partPieces(part: unknown, record: number, drop: Path): readonly TranscriptPiece[] {
  if (!isObject(part)) return [];
  const type = firstText(part.type);
  const id = firstText(part.toolCallId);
  switch (type) {
    case "text":
      return [{ kind: "text", text: firstText(part.text), record, path: [...drop, "text"], drop }];
    case "reasoning": {
      const signed = part.providerOptions !== undefined;
      return [
        {
          kind: "thinking",
          text: firstText(part.text),
          signed,
          record,
          path: [...drop, "text"],
          drop,
          fixed: true,
        },
      ];
    }
    case "tool-call": {
      const key = "input" in part ? "input" : "args";
      const call = { id, name: firstText(part.toolName), input: part[key] };
      return [{ kind: "call", ...call, record, path: [...drop, key], drop }];
    }
    case "tool-result":
      return [
        { ...outputOf(part, id), record, drop, path: [...drop, ...outputPath(part)] } as TranscriptPiece,
      ];
    case "image":
    case "file":
      return [{ kind: "image", record, path: drop, drop }];
    default:
      return [
        {
          kind: "other",
          type: type || "unknown",
          text: jsonText(part),
          record,
          path: drop,
          drop,
          fixed: true,
        },
      ];
  }
}

/** `output` says of what kind its value is; the older `result` is the value. */
function outputOf({ output, result, isError }: WireObject, id: string) {
  if (!isObject(output)) return resultOf(result ?? output, id, isError === true);
  return resultOf(output.value, id, firstText(output.type).startsWith("error"));
}

function outputPath({ output }: WireObject): Path {
  if (isObject(output)) return ["output", "value"];
  return output === undefined ? ["result"] : ["output"];
}
