/** gptme: the `conversation.jsonl` of gptme, one message a line; what tools answer is said by the system. */
import { firstText, isObject, type WireObject } from "../json/wire-value.ts";
import { insertEach, lineRecords } from "./reading.ts";
import type { SourceText } from "./source-text.ts";
import type { Said, TranscriptFormat, TranscriptPiece, TranscriptReading, Writing } from "./transcript.ts";

/** Tools are called by code blocks in the assistant's text: the system messages after it are read as their results. */
export const gptme: TranscriptFormat = {
  name: "gptme",
  detect: ({ opening, json }) => {
    const lines = opening();
    if (lines.length === 0 || (lines.length < 2 && json() === undefined)) return 0;
    const isMessage = ({ role, content, timestamp, type }: WireObject) =>
      typeof role === "string" &&
      typeof content === "string" &&
      typeof timestamp === "string" &&
      type === undefined;
    return lines.every(isMessage) ? 0.8 : 0;
  },
  read,
  timeOf: ({ timestamp }) => timestamp,
  keepsMerged: true,
  compose,
};

function read(source: SourceText): TranscriptReading {
  const { records, problems } = lineRecords(source);
  const said: Said[] = [];
  let caller: { readonly pieces: TranscriptPiece[]; readonly record: number } | undefined;
  records.forEach(({ value }, record) => {
    const text = firstText(value.content);
    if (text === "" || value.ui_only === true) return;
    const at = { record, path: ["content"] };
    if (value.role === "system" && caller !== undefined) {
      const id = firstText(value.call_id) || `line-${record}`;
      const name = toolName(caller.pieces[0]!);
      // subtle: the call has no text of its own; it stays or goes with the message whose text makes it.
      caller.pieces.push({
        kind: "call",
        id,
        name,
        input: {},
        record: caller.record,
        path: ["content"],
        fixed: true,
      });
      said.push({ role: "user", pieces: [{ kind: "result", id, text, ...at }] });
      return;
    }
    const role = value.role === "assistant" || value.role === "system" ? value.role : "user";
    const pieces: TranscriptPiece[] = [{ kind: "text", text, ...at }];
    said.push({ role, pieces, ...(value.pinned === true && { pinned: true }) });
    caller = role === "assistant" ? { pieces, record } : undefined;
  });
  const models = records.flatMap(({ value }) =>
    isObject(value.metadata) ? [firstText(value.metadata.model)] : [],
  );
  const model = models.findLast(Boolean) ?? "";
  return { records, said, problems, ...(model !== "" && { model }) };
}

/** The language of the last code block, which is the tool. */
function toolName(piece: TranscriptPiece): string {
  const text = piece.kind === "text" ? piece.text : "";
  return [...text.matchAll(/^```(\w+)/gm)].at(-1)?.[1] ?? "tool";
}

function compose(writing: Writing) {
  const { records } = writing.reading;
  return insertEach(writing, ({ text, role, before, after }) => {
    const near = records[before ?? after ?? 0]?.value;
    return { role, content: text, timestamp: isObject(near) ? near.timestamp : undefined };
  });
}
