/** langchain: messages of LangChain, as it serialises them, as `messages_to_dict` writes them, or plain. */
import { firstText, isObject, type WireObject } from "../json/wire-value.ts";
import { blockPieces, resultOf } from "./block-pieces.ts";
import { elementRecords, insertEach, messagesIn } from "./reading.ts";
import type { SourceText } from "./source-text.ts";
import type {
  Path,
  Said,
  TranscriptFormat,
  TranscriptPiece,
  TranscriptReading,
  Writing,
} from "./transcript.ts";

export const langChain: TranscriptFormat = {
  name: "langchain",
  detect: ({ json }) => {
    const messages = messagesIn(json());
    return messages.length > 0 && messages.every((message) => kindOf(message) !== undefined) ? 0.95 : 0;
  },
  read,
  keepsMerged: true,
  compose,
};

type Kind = "human" | "ai" | "system" | "tool";

const KINDS: Readonly<Record<string, Kind>> = {
  human: "human",
  HumanMessage: "human",
  HumanMessageChunk: "human",
  ai: "ai",
  AIMessage: "ai",
  AIMessageChunk: "ai",
  system: "system",
  SystemMessage: "system",
  developer: "system",
  tool: "tool",
  ToolMessage: "tool",
  function: "tool",
  FunctionMessage: "tool",
};

/** What kind of message it is, and where its fields are; undefined for what is no message of LangChain. */
function kindOf(message: unknown): { readonly kind: Kind; readonly path: Path } | undefined {
  if (!isObject(message)) return undefined;
  const { type, id } = message;
  if (type === "constructor" && Array.isArray(id) && isObject(message.kwargs)) {
    const kind = KINDS[firstText(id.at(-1))];
    return kind && { kind, path: ["kwargs"] };
  }
  const kind = typeof type === "string" && !("role" in message) ? KINDS[type] : undefined;
  if (kind === undefined) return undefined;
  return { kind, path: isObject(message.data) ? ["data"] : [] };
}

function read(source: SourceText): TranscriptReading {
  const path = Array.isArray(source.json()) ? [] : ["messages"];
  const { records, problems } = elementRecords(source, [{ path }]);
  const said = records.map(({ value }, record): Said => {
    const found = kindOf(value);
    if (found === undefined || !isObject(value)) return { role: "user", pieces: [] };
    const [key] = found.path;
    const fields = key === undefined ? value : (value[key] as WireObject);
    return messageSaid(found.kind, fields, record, found.path);
  });
  return { records, said, problems };
}

function messageSaid(kind: Kind, fields: WireObject, record: number, path: Path): Said {
  const at = [...path, "content"];
  if (kind === "tool") {
    const result = resultOf(fields.content, firstText(fields.tool_call_id), fields.status === "error");
    return { role: "user", pieces: [{ ...result, record, path: at } as TranscriptPiece] };
  }
  const role = kind === "ai" ? "assistant" : kind === "system" ? "system" : "user";
  const said = blockPieces(fields.content, { record, path: at });
  const calls = Array.isArray(fields.tool_calls) ? fields.tool_calls.filter(isObject) : [];
  const listed = new Set(calls.map(({ id }) => id));
  // Some providers' content repeats the calls as blocks: these go with the calls.
  const repeats = said.filter((piece) => piece.kind === "call" && listed.has(piece.id));
  const pieces = calls.map((call, index): TranscriptPiece => {
    const drop = [...path, "tool_calls", index];
    const repeat = repeats.find((piece) => piece.kind === "call" && piece.id === call.id)?.drop;
    return {
      kind: "call",
      id: firstText(call.id),
      name: firstText(call.name),
      input: call.args,
      record,
      path: [...drop, "args"],
      drop,
      ...(repeat && { dropsToo: [repeat], fixed: true }),
    };
  });
  return { role, pieces: [...said.filter((piece) => !repeats.includes(piece)), ...pieces] };
}

/** In the form of the messages around it. */
function compose(writing: Writing) {
  const { records } = writing.reading;
  return insertEach(writing, ({ text, role, before, after }) => {
    const near = records[before ?? after ?? 0]?.value;
    const neighbour = isObject(near) ? near : {};
    const type = role === "user" ? "human" : "ai";
    if (isObject(neighbour.kwargs) && Array.isArray(neighbour.id)) {
      const id = [...neighbour.id.slice(0, -1), role === "user" ? "HumanMessage" : "AIMessage"];
      return {
        lc: 1,
        type: "constructor",
        id,
        kwargs: { content: text, additional_kwargs: {}, response_metadata: {} },
      };
    }
    if (isObject(neighbour.data)) return { type, data: { content: text, additional_kwargs: {}, type } };
    return { type, content: text };
  });
}
