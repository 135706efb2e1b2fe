/** openai-assistants: messages and run steps of a thread of the OpenAI Assistants API, in either order of time. */
import { firstText, isObject, type WireObject } from "../json/wire-value.ts";
import { elementRecords, insertEach } from "./reading.ts";
import type { SourceText } from "./source-text.ts";
import { addToolPart, type MessagePieces, turnSaid } from "./tool-parts.ts";
import type { Said, TranscriptFormat, TranscriptPiece, TranscriptReading, Writing } from "./transcript.ts";

/** The API lists the newest first; what was said is read by `created_at`, and the file keeps its order. */
export const openAIAssistants: TranscriptFormat = {
  name: "openai-assistants",
  detect: ({ json }) => (listOf(json()).some(isEntry) ? 1 : 0),
  read,
  timeOf: ({ created_at }) => created_at,
  compose,
};

function listOf(json: unknown): readonly unknown[] {
  if (Array.isArray(json)) return json;
  return isObject(json) && Array.isArray(json.data) ? json.data : [];
}

function isEntry(value: unknown): value is WireObject {
  return isObject(value) && (value.object === "thread.message" || value.object === "thread.run.step");
}

function read(source: SourceText): TranscriptReading {
  const { records, problems } = elementRecords(source, [
    { path: Array.isArray(source.json()) ? [] : ["data"] },
  ]);
  const order = records
    .map(({ value }, record) => ({
      value,
      record,
      time: isObject(value) ? Number(value.created_at) || 0 : 0,
    }))
    .filter(({ value }) => isEntry(value));
  // Newest first: those of one second are read backwards too.
  const ordered = isNewestFirst(records.map(({ value }) => value)) ? order.reverse() : order;
  const said = ordered
    .toSorted((a, b) => a.time - b.time)
    .flatMap(({ value, record }) => entrySaid(value as WireObject, record));
  const id = firstText(ordered.map(({ value }) => (value as WireObject).thread_id).find(Boolean));
  return { records, said, problems, session: { id } };
}

function isNewestFirst(values: readonly unknown[]): boolean {
  const times = values.filter(isEntry).map(({ created_at: time }) => Number(time) || 0);
  return times.length > 1 && times[0]! > times.at(-1)!;
}

function entrySaid(entry: WireObject, record: number): readonly Said[] {
  if (entry.object === "thread.message") {
    return [
      { role: entry.role === "assistant" ? "assistant" : "user", pieces: textPieces(entry.content, record) },
    ];
  }
  const details = isObject(entry.step_details) ? entry.step_details : {};
  const calls = Array.isArray(details.tool_calls) ? details.tool_calls : [];
  const turn: MessagePieces = { pieces: [], answers: [] };
  calls.forEach((call, index) => {
    if (!isObject(call) || !isObject(call.function)) return;
    const drop = ["step_details", "tool_calls", index];
    const { name, arguments: input, output } = call.function;
    addToolPart(turn, {
      record,
      drop,
      id: firstText(call.id),
      name: firstText(name),
      input,
      inputPath: [...drop, "function", "arguments"],
      output,
      outputPath: [...drop, "function", "output"],
    });
  });
  return turnSaid("assistant", turn);
}

function textPieces(content: unknown, record: number): readonly TranscriptPiece[] {
  if (typeof content === "string") return [{ kind: "text", text: content, record, path: ["content"] }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block, index): readonly TranscriptPiece[] => {
    const drop = ["content", index];
    if (!isObject(block)) return [];
    if (block.type !== "text") return [{ kind: "image", record, path: drop, drop }];
    const text = isObject(block.text) ? firstText(block.text.value) : firstText(block.text);
    const path = isObject(block.text) ? [...drop, "text", "value"] : [...drop, "text"];
    return text === "" ? [] : [{ kind: "text", text, record, path, drop }];
  });
}

/** In a list with the newest first, what is before in time is after in the file. */
function compose(writing: Writing) {
  const { records } = writing.reading;
  const isReversed = isNewestFirst(records.map(({ value }) => value));
  const { inserts } = insertEach(writing, ({ text, role, before, after }) => {
    const near = records[before ?? after ?? 0]?.value;
    const { thread_id, created_at } = isObject(near) ? near : {};
    return {
      id: `msg_${writing.newId().replaceAll("-", "").slice(0, 24)}`,
      object: "thread.message",
      created_at,
      thread_id,
      role,
      content: [{ type: "text", text: { value: text, annotations: [] } }],
    };
  });
  if (!isReversed) return { inserts };
  return {
    inserts: inserts.map(({ value, before, after }) => ({
      value,
      before: after,
      after: after === undefined ? before : undefined,
    })),
  };
}
