/** gemini-cli: the chats of Gemini CLI: session files (one JSON document, or lines) and saved checkpoints. */
import { firstText, isObject, type WireObject } from "../json/wire-value.ts";
import { partsSaid } from "./gemini-parts.ts";
import { elementRecords, insertEach, lineRecords } from "./reading.ts";
import type { SourceText } from "./source-text.ts";
import { addToolPart, type MessagePieces, turnSaid } from "./tool-parts.ts";
import type {
  FileRecord,
  Problem,
  Said,
  TranscriptFormat,
  TranscriptReading,
  Writing,
} from "./transcript.ts";

/** In a file of lines a message may be written again, and `$rewindTo` takes messages back: the last word counts. */
export const geminiCli: TranscriptFormat = {
  name: "gemini-cli",
  tells: ({ sessionId, projectHash }) => typeof sessionId === "string" && typeof projectHash === "string",
  detect: ({ json }) => {
    const whole = json();
    if (isObject(whole) && Array.isArray(whole.messages) && "sessionId" in whole && "projectHash" in whole)
      return 1;
    return contentsOf(whole).length > 0 ? 0.9 : 0;
  },
  read,
  timeOf: ({ timestamp }) => timestamp,
  keepsMerged: true,
  compose,
};

/** A checkpoint is a list of contents, bare or as `history`. */
function contentsOf(json: unknown): readonly unknown[] {
  const list = Array.isArray(json) ? json : isObject(json) && Array.isArray(json.history) ? json.history : [];
  const isContent = (value: unknown) =>
    isObject(value) && (value.role === "user" || value.role === "model") && Array.isArray(value.parts);
  const hasBareParts = list.some(
    (value) =>
      isObject(value) &&
      Array.isArray(value.parts) &&
      value.parts.some((part) => isObject(part) && !("type" in part)),
  );
  return list.length > 0 && list.every(isContent) && hasBareParts ? list : [];
}

function read(source: SourceText): TranscriptReading {
  const json = source.json();
  if (contentsOf(json).length > 0) {
    const { records, problems } = elementRecords(source, [{ path: Array.isArray(json) ? [] : ["history"] }]);
    return { records, problems, said: records.flatMap(({ value }, record) => contentSaid(value, record)) };
  }
  const { records, problems } =
    isObject(json) && Array.isArray(json.messages)
      ? elementRecords(source, [{ path: ["messages"] }])
      : lineMessages(source);
  const order = lastWords(records.map(({ value }) => (isObject(value) ? value : {})));
  const said = order.flatMap((record) => messageSaid(records[record]!.value as WireObject, record));
  const model =
    records.map(({ value }) => (isObject(value) ? firstText(value.model) : "")).findLast(Boolean) ?? "";
  const { sessionId, startTime, summary } = headOf(source);
  const session = { id: firstText(sessionId), title: firstText(summary), startedAt: startTime };
  return { records, said, problems, ...(model !== "" && { model }), session };
}

/** What is said of the session: at the top of the document, or in the line that tells the format. */
function headOf(source: SourceText): WireObject {
  const json = source.json();
  if (isObject(json)) return json;
  return source.lines().find(({ value }) => typeof value?.projectHash === "string")?.value ?? {};
}

/** The lines themselves, or the messages that the last `$set` put in their place. */
function lineMessages(source: SourceText): {
  readonly records: readonly FileRecord[];
  readonly problems: readonly Problem[];
} {
  const lines = lineRecords(source);
  const set = lines.records.findLast(
    ({ value }) => isObject(value.$set) && Array.isArray(value.$set.messages),
  );
  if (set === undefined || !isObject(set.value.$set) || (set.value.$set.messages as unknown[]).length === 0)
    return lines;
  const { records, problems } = elementRecords(source, [{ path: ["$set", "messages"], root: set }]);
  return { records, problems: [...lines.problems, ...problems] };
}

/** A message that is written again keeps its place; a rewind takes back the named message and all after it. */
function lastWords(values: readonly WireObject[]): readonly number[] {
  const byId = new Map<string, number>();
  values.forEach((value, index) => {
    if (typeof value.$rewindTo === "string") {
      const ids = [...byId.keys()];
      const at = ids.indexOf(value.$rewindTo);
      for (const id of ids.slice(Math.max(0, at))) byId.delete(id);
    } else if (typeof value.id === "string") byId.set(value.id, index);
  });
  return [...byId.values()];
}

function messageSaid(message: WireObject, record: number): readonly Said[] {
  if (message.type === "user") return partsSaid("user", message.content, record, ["content"]);
  if (message.type !== "gemini") return [];
  const turn: MessagePieces = { pieces: [], answers: [] };
  for (const { pieces } of partsSaid("assistant", message.content, record, ["content"]))
    turn.pieces.push(...pieces);
  const known = new Set(turn.pieces.flatMap((piece) => (piece.kind === "call" ? [piece.id] : [])));
  const calls = Array.isArray(message.toolCalls) ? message.toolCalls : [];
  calls.forEach((call, index) => {
    if (!isObject(call)) return;
    const drop = ["toolCalls", index];
    const id = firstText(call.id);
    const { output, path } = outputOf(call.result);
    const part = {
      record,
      drop,
      id,
      name: firstText(call.name),
      input: call.args,
      inputPath: [...drop, "args"],
    };
    const whole: MessagePieces = known.has(id) ? { pieces: [], answers: turn.answers } : turn;
    addToolPart(whole, {
      ...part,
      output,
      outputPath: [...drop, "result", ...path],
      isError: call.status === "error",
    });
  });
  return turnSaid("assistant", turn);
}

/** The text of a result, which is a string, or a function response among parts. */
function outputOf(result: unknown): {
  readonly output: unknown;
  readonly path: readonly (string | number)[];
} {
  if (!Array.isArray(result)) {
    const inner = responseOf(result);
    return inner === undefined ? { output: result, path: [] } : inner;
  }
  for (const [index, part] of result.entries()) {
    const inner = responseOf(part);
    if (inner !== undefined) return { output: inner.output, path: [index, ...inner.path] };
  }
  return { output: result, path: [] };
}

function responseOf(part: unknown) {
  const response =
    isObject(part) && isObject(part.functionResponse) ? part.functionResponse.response : undefined;
  if (!isObject(response)) return undefined;
  const key = ["output", "error", "content"].find((each) => response[each] !== undefined);
  const path = ["functionResponse", "response", ...(key === undefined ? [] : [key])];
  return { output: key === undefined ? response : response[key], path };
}

function contentSaid(content: unknown, record: number): readonly Said[] {
  if (!isObject(content)) return [];
  return partsSaid(content.role === "model" ? "assistant" : "user", content.parts, record, ["parts"]);
}

function compose(writing: Writing) {
  const { records } = writing.reading;
  return insertEach(writing, ({ text, role, before, after }) => {
    const near = records[before ?? after ?? 0]?.value;
    if (isObject(near) && "parts" in near)
      return { role: role === "user" ? "user" : "model", parts: [{ text }] };
    const timestamp = isObject(near) ? near.timestamp : undefined;
    return { id: writing.newId(), timestamp, type: role === "user" ? "user" : "gemini", content: [{ text }] };
  });
}
