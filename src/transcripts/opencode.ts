/** opencode: a session as `opencode export` writes it: messages with their `info` and their `parts`. */
import { firstText, isObject, type WireObject } from "../json/wire-value.ts";
import { elementRecords, isHandoff } from "./reading.ts";
import type { SourceText } from "./source-text.ts";
import { addToolPart, type MessagePieces, turnSaid } from "./tool-parts.ts";
import type {
  Changes,
  Path,
  ReadingOptions,
  Said,
  TranscriptFormat,
  TranscriptReading,
  Writing,
} from "./transcript.ts";

/** Read is what opencode would send: from the last compaction on, whose summary is an assistant's message. */
export const openCode: TranscriptFormat = {
  name: "opencode",
  detect: ({ json }) => {
    const whole = json();
    if (!isObject(whole) || !Array.isArray(whole.messages)) return 0;
    return whole.messages.some((each) => isObject(each) && isObject(each.info) && Array.isArray(each.parts))
      ? 1
      : 0;
  },
  read,
  timeOf: ({ info }) => (isObject(info) && isObject(info.time) ? info.time.created : undefined),
  compose,
};

function read(source: SourceText, { whole }: ReadingOptions): TranscriptReading {
  const { records, problems } = elementRecords(source, [{ path: ["messages"] }]);
  const messages = records.map(({ value }) => (isObject(value) ? value : {}));
  const start = whole ? 0 : compactionStart(messages);
  const said = messages.flatMap((message, record) => {
    if (record < start) return [];
    const own = messageSaid(message, record);
    return whole && infoOf(message).summary && !own.some(isHandoffSaid) ? [] : own;
  });
  const session = infoOf(source.json() as WireObject);
  const model =
    messages.map(({ info }) => (isObject(info) ? firstText(info.modelID) : "")).findLast(Boolean) ?? "";
  return {
    // A request goes with the summary that answers it.
    records: records.map((record, index) =>
      isRequest(messages[index]!) ? { ...record, follows: index + 1 } : record,
    ),
    said,
    problems,
    ...(model !== "" && { model }),
    session: { id: firstText(session.id), title: firstText(session.title) },
  };
}

function isHandoffSaid({ pieces }: Said): boolean {
  return pieces.some((piece) => "text" in piece && isHandoff(piece.text));
}

function isRequest({ parts }: WireObject): boolean {
  return Array.isArray(parts) && parts.some((part) => isObject(part) && part.type === "compaction");
}

/** The user's message with the `compaction` part that a finished summary answers. */
function compactionStart(messages: readonly WireObject[]): number {
  const answered = new Set<unknown>();
  for (let index = messages.length - 1; index >= 0; index--) {
    const info = infoOf(messages[index]!);
    if (info.role === "assistant" && info.summary && info.finish) answered.add(info.parentID);
    if (isRequest(messages[index]!) && answered.has(info.id)) return index;
  }
  return 0;
}

function messageSaid({ info, parts }: WireObject, record: number): readonly Said[] {
  if (!isObject(info) || !Array.isArray(parts)) return [];
  const turn: MessagePieces = { pieces: [], answers: [] };
  parts.forEach((part, index) => {
    if (isObject(part)) addPart(turn, part, record, ["parts", index]);
  });
  // A summary is the program's own word about the past, whoever's name it carries.
  const role = info.role === "assistant" && !info.summary ? "assistant" : "user";
  return turnSaid(role, turn);
}

function addPart(turn: MessagePieces, part: WireObject, record: number, drop: Path): void {
  const text = firstText(part.text);
  const place = { record, path: [...drop, "text"], drop };
  if (part.type === "text" && text !== "" && part.ignored !== true)
    turn.pieces.push({ kind: "text", text, ...place });
  else if (part.type === "reasoning") {
    turn.pieces.push({ kind: "thinking", text, signed: part.metadata !== undefined, ...place, fixed: true });
  } else if (part.type === "file") turn.pieces.push({ kind: "image", record, path: drop, drop });
  else if (part.type === "tool" && isObject(part.state)) {
    const { input, output, error, status } = part.state;
    const failed = status === "error";
    addToolPart(turn, {
      record,
      drop,
      id: firstText(part.callID, part.id),
      name: firstText(part.tool),
      input,
      inputPath: [...drop, "state", "input"],
      output: failed ? error : output,
      outputPath: [...drop, "state", failed ? "error" : "output"],
      isError: failed,
    });
  }
}

/**
 * A `compaction` request and its summary, before all that stays in view. What else a message must have is as in the
 * messages that they replace.
 */
function compose({ reading, removed, told, newId }: Writing): Changes {
  if (told.length === 0) return { inserts: [] };
  const messages = reading.records.map(({ value }) => (isObject(value) ? value : {}));
  const shown = new Set(reading.said.flatMap(({ pieces }) => pieces.map(({ record }) => record)));
  const first = messages.findIndex((_, index) => shown.has(index) && !removed.has(index));
  const [request, summary] = idsBefore(messages, first);
  const like = (role: string) => infoOf(messages.findLast((message) => infoOf(message).role === role) ?? {});
  const { sessionID } = infoOf(messages.at(-1) ?? {});
  const part = (messageID: string, fields: WireObject) => ({
    id: `prt_${newId().replaceAll("-", "").slice(0, 26)}`,
    sessionID,
    messageID,
    ...fields,
  });
  const message = (info: WireObject, ...parts: readonly WireObject[]) => ({
    value: { info, parts },
    before: first < 0 ? undefined : first,
    after: undefined,
  });
  const text = told.map((each) => each.text).join("\n\n");
  const { error: _, ...assistant } = like("assistant");
  const answer = { role: "assistant", sessionID, parentID: request, summary: true, finish: "stop" };
  return {
    inserts: [
      message(
        { ...like("user"), id: request, role: "user", sessionID },
        part(request, { type: "compaction", auto: false }),
      ),
      message({ ...assistant, id: summary, ...answer }, part(summary, { type: "text", text })),
    ],
  };
}

/** opencode sorts messages by their ids: two that sort right before the message at an index. */
function idsBefore(messages: readonly WireObject[], index: number): readonly [string, string] {
  const previous = firstText(infoOf(messages.at(index - 1) ?? {}).id);
  const next = firstText(infoOf(messages[index] ?? {}).id);
  const lowered = `${next.slice(0, -1)}${String.fromCharCode(next.charCodeAt(next.length - 1) - 1)}`;
  const base = index === 0 ? lowered : previous;
  return [`${base}0`, `${base}1`];
}

function infoOf({ info }: WireObject): WireObject {
  return isObject(info) ? info : {};
}
