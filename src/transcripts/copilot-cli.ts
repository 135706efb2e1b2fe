/** copilot-cli: the events of a GitHub Copilot CLI session, one a line, chained by `parentId`. */
import { firstText, isObject, type WireObject } from "../json/wire-value.ts";
import { resultOf } from "./block-pieces.ts";
import { type Chain, mendedParents, nearestKept } from "./parent-chain.ts";
import { gather, lineRecords, withFollowers } from "./reading.ts";
import type { SourceText } from "./source-text.ts";
import type {
  Changes,
  FileRecord,
  Said,
  TranscriptFormat,
  TranscriptPiece,
  TranscriptReading,
  ValueSet,
  Writing,
} from "./transcript.ts";

/** Messages and finished tool runs are what the model reads; hooks, permissions and turns go with what they were beside. */
export const copilotCli: TranscriptFormat = {
  name: "copilot-cli",
  tells: ({ type, data }) =>
    isObject(data) && (type === "session.start" || type === "user.message" || type === "assistant.message"),
  read,
  timeOf: ({ timestamp }) => timestamp,
  compose,
};

function read(source: SourceText): TranscriptReading {
  const { records, problems } = lineRecords(source);
  const said = gather(records.flatMap(({ value }, record) => eventSaid(value, record) ?? []));
  const model = records.reduce((known, { value }) => modelOf(value) || known, "");
  return {
    records: withFollowers(records, said, isFree),
    said,
    problems,
    ...(model !== "" && { model }),
    session: {
      id: newest(records, "session.start", "sessionId"),
      title: newest(records, "session.title_changed", "title"),
    },
  };
}

function newest(records: readonly { readonly value: WireObject }[], type: string, key: string): string {
  const found = records.findLast(({ value }) => value.type === type)?.value;
  return isObject(found?.data) ? firstText(found.data[key]) : "";
}

function eventSaid({ type, data }: WireObject, record: number): Said | undefined {
  if (!isObject(data)) return undefined;
  switch (type) {
    case "system.message":
      return { role: "system", pieces: textPiece(data, "content", record) };
    case "user.message": {
      // What the model gets is the text with the program's additions.
      const key = firstText(data.transformedContent) === "" ? "content" : "transformedContent";
      return { role: "user", pieces: textPiece(data, key, record) };
    }
    case "system.notification": {
      const text = firstText(data.content);
      const path = ["data", "content"];
      return text === ""
        ? undefined
        : { role: "user", pieces: [{ kind: "other", type: "notification", text, record, path }] };
    }
    case "assistant.message":
      return { role: "assistant", pieces: assistantPieces(data, record) };
    case "tool.execution_complete":
      return { role: "user", pieces: [resultPiece(data, record)] };
    default:
      return undefined;
  }
}

function textPiece(data: WireObject, key: string, record: number): readonly TranscriptPiece[] {
  const text = firstText(data[key]);
  return text === "" ? [] : [{ kind: "text", text, record, path: ["data", key] }];
}

function assistantPieces(data: WireObject, record: number): readonly TranscriptPiece[] {
  const pieces: TranscriptPiece[] = [];
  const thought = firstText(data.reasoningText);
  const signed = firstText(data.reasoningOpaque) !== "";
  if (thought !== "" || signed) {
    const path = ["data", thought === "" ? "reasoningOpaque" : "reasoningText"];
    const dropsToo = signed && thought !== "" ? [["data", "reasoningOpaque"]] : [];
    pieces.push({ kind: "thinking", text: thought, signed, record, path, drop: path, dropsToo, fixed: true });
  }
  pieces.push(...textPiece(data, "content", record));
  const requests = Array.isArray(data.toolRequests) ? data.toolRequests : [];
  requests.forEach((request, index) => {
    if (!isObject(request)) return;
    const drop = ["data", "toolRequests", index];
    const call = {
      id: firstText(request.toolCallId),
      name: firstText(request.name),
      input: request.arguments,
    };
    pieces.push({ kind: "call", ...call, record, path: [...drop, "arguments"], drop });
  });
  return pieces;
}

function resultPiece(data: WireObject, record: number): TranscriptPiece {
  const id = firstText(data.toolCallId);
  const failed = data.success === false;
  const key = isObject(data.result) ? "result" : "error";
  const holder = isObject(data[key]) ? data[key] : {};
  const inner = key === "result" || !("message" in holder) ? "content" : "message";
  return { ...resultOf(holder[inner], id, failed), record, path: ["data", key, inner] } as TranscriptPiece;
}

function modelOf({ data }: WireObject): string {
  return isObject(data) ? firstText(data.newModel, data.model) : "";
}

function isFree({ value }: FileRecord): boolean {
  return isObject(value) && /^(hook|tool|assistant|permission|user|system)\./.test(firstText(value.type));
}

const CHAIN: Chain = { id: "id", parent: "parentId" };

/** The hand-off is a `user.message`; each event's parent is the one before it that is still there. */
function compose({ reading, removed, told, newId }: Writing): Changes {
  const lines = reading.records.map(({ value }) => (isObject(value) ? value : {}));
  const sets = new Map(mendedParents(lines, removed, CHAIN).map((each) => [each.record, each]));
  const nearest = nearestKept(lines, removed, CHAIN);
  const inserts = told.map(({ text, role, before, after }) => {
    const near = lines[before ?? after ?? lines.length - 1] ?? {};
    const parent = before === undefined ? (after ?? -1) : nearest(near);
    const id = newId();
    if (before !== undefined)
      sets.set(before, { record: before, path: ["parentId"], value: id } satisfies ValueSet);
    const value = {
      type: `${role}.message`,
      data:
        role === "user"
          ? { content: text, attachments: [] }
          : { messageId: newId(), content: text, toolRequests: [] },
      id,
      timestamp: near.timestamp,
      parentId: parent < 0 ? null : lines[parent]!.id,
    };
    return { value, before, after };
  });
  return { inserts, sets: [...sets.values()] };
}
