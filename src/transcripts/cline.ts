/** cline: the messages file of a Cline session, and the older `api_conversation_history.json`. */
import { firstText, isObject } from "../json/wire-value.ts";
import { blockPieces } from "./block-pieces.ts";
import { documentRecord, elementRecords, insertEach } from "./reading.ts";
import type { SourceText } from "./source-text.ts";
import type { Said, TranscriptFormat, TranscriptReading, Writing } from "./transcript.ts";

/** An object with `messages` and `system_prompt`, or a bare list; the content is blocks with a few kinds of its own. */
export const cline: TranscriptFormat = {
  name: "cline",
  detect,
  read,
  timeOf: ({ ts }) => ts,
  keepsMerged: true,
  compose,
};

function detect(source: SourceText): number {
  const json = source.json();
  if (isObject(json)) {
    const isSession =
      Array.isArray(json.messages) && ("system_prompt" in json || ("sessionId" in json && "agent" in json));
    return isSession ? 0.95 : 0;
  }
  if (!Array.isArray(json)) return 0;
  const first = json.find(isObject);
  return first !== undefined && "ts" in first && Array.isArray(first.content) && "role" in first ? 0.95 : 0;
}

function read(source: SourceText): TranscriptReading {
  const json = source.json();
  const whole = documentRecord(source);
  const { records, problems } = elementRecords(source, [{ path: Array.isArray(json) ? [] : ["messages"] }]);
  const said: Said[] = records.map(({ value }, record) =>
    isObject(value)
      ? {
          role: value.role === "assistant" ? "assistant" : "user",
          pieces: blockPieces(value.content, { record, path: ["content"] }),
        }
      : { role: "user", pieces: [] },
  );
  const prompt = isObject(json) ? firstText(json.system_prompt) : "";
  const model = records.findLast(({ value }) => isObject(value) && isObject(value.modelInfo))?.value;
  const name = isObject(model) && isObject(model.modelInfo) ? firstText(model.modelInfo.id) : "";
  return {
    records: [...records, whole],
    said: [
      ...(prompt === ""
        ? []
        : [
            {
              role: "system" as const,
              pieces: [
                { kind: "text" as const, text: prompt, record: records.length, path: ["system_prompt"] },
              ],
            },
          ]),
      ...said,
    ],
    problems,
    ...(name !== "" && { model: name }),
    session: { id: isObject(json) ? firstText(json.sessionId) : "" },
  };
}

function compose(writing: Writing) {
  const { records } = writing.reading;
  return insertEach(writing, ({ text, role, before, after }) => {
    const near = records[before ?? after ?? 0]?.value;
    const neighbour = isObject(near) ? near : {};
    return {
      ...("id" in neighbour && { id: `msg_${writing.newId().slice(0, 8)}` }),
      role,
      content: [{ type: "text", text }],
      ...("ts" in neighbour && { ts: neighbour.ts }),
    };
  });
}
