/** openinference: a trace with OpenInference attributes; read is the model call that was sent the most messages. */
import { InputError } from "../errors/input-error.ts";
import { findValue } from "../json/scan.ts";
import { firstText, isObject, type WireObject } from "../json/wire-value.ts";
import { type FlatMessage, flatMessages, withNumberedMessages } from "./openinference-messages.ts";
import { documentRecord } from "./reading.ts";
import type { SourceText } from "./source-text.ts";
import type {
  Changes,
  FileRecord,
  Path,
  Said,
  TranscriptFormat,
  TranscriptPiece,
  TranscriptReading,
  Writing,
} from "./transcript.ts";
import { valueAt } from "./write-pieces.ts";

/** The messages of a call are numbered attributes of its span: when some go, the others are numbered anew. */
export const openInference: TranscriptFormat = {
  name: "openinference",
  detect: ({ text, json }) => {
    if (!text.includes("llm.input_messages.")) return 0;
    return json() !== undefined && longestCall(json()) !== undefined ? 1 : 0;
  },
  read,
  compose,
};

const ATTRIBUTE_KEYS = ["span_attributes", "attributes"];

/** Spans lie in spans; nobody nests them deeper. */
const MAX_DEPTH = 500;

interface Call {
  readonly path: Path;
  readonly attributes: WireObject;
  readonly messages: number;
}

/** The attributes of the span with the most input messages, wherever in the document it is. */
function longestCall(value: unknown, path: Path = []): Call | undefined {
  if (typeof value !== "object" || value === null || path.length > MAX_DEPTH) return undefined;
  let best: Call | undefined;
  const consider = (call: Call | undefined) => {
    if (call !== undefined && call.messages > (best?.messages ?? 0)) best = call;
  };
  if (Array.isArray(value)) {
    value.forEach((each, index) => {
      consider(longestCall(each, [...path, index]));
    });
    return best;
  }
  for (const [key, each] of Object.entries(value)) {
    if (ATTRIBUTE_KEYS.includes(key) && isObject(each)) {
      const messages = flatMessages(each).filter(({ side }) => side === "input").length;
      consider({ path: [...path, key], attributes: each, messages });
    } else if (typeof each === "object") consider(longestCall(each, [...path, key]));
  }
  return best;
}

function read(source: SourceText): TranscriptReading {
  const { start, value } = documentRecord(source);
  const call = longestCall(value);
  if (call === undefined)
    throw new InputError("No span of the trace has messages that were sent to a model.");
  const slice = findValue(source.text, start, call.path)!;
  const record: FileRecord = { ...slice, value: call.attributes, kind: "text", stays: true };
  const model = firstText(call.attributes["llm.model_name"]);
  return {
    records: [record],
    said: flatMessages(call.attributes).map(messageSaid),
    problems: [],
    ...(model !== "" && { model }),
    session: spanFacts(valueAt(value, call.path.slice(0, -1))),
  };
}

function spanFacts(span: unknown) {
  if (!isObject(span)) return {};
  return { id: firstText(span.trace_id), startedAt: span.timestamp ?? span.start_time };
}

function messageSaid(message: FlatMessage): Said {
  const { role, prefix, content, calls } = message;
  const path = [`${prefix}content`];
  const place = { record: 0, path, drop: path };
  if (role === "tool-response" || role === "tool") {
    const [lead, named] = /^Call id: (\S+)\r?\n/.exec(content) ?? ["", ""];
    const id = firstText(message.toolCallId) || named!;
    return {
      role: "user",
      pieces: [{ kind: "result", id, text: content.slice(lead.length), lead, ...place }],
    };
  }
  const pieces: TranscriptPiece[] = content === "" ? [] : [{ kind: "text", text: content, ...place }];
  for (const { id, name, input, key } of calls) {
    pieces.push({ kind: "call", id, name, input, record: 0, path: [key], drop: [key] });
  }
  if (role === "tool-call" && calls.length === 0) {
    // These name their calls in the text alone.
    const id = /'id': '([^']+)'/.exec(content)?.[1] ?? "";
    const name = /'name': '([^']+)'/.exec(content)?.[1] ?? "tool";
    pieces.push({ kind: "call", id, name, input: {}, record: 0, path, drop: path, fixed: true });
  }
  const speaker =
    role === "system" ? "system" : role === "assistant" || role === "tool-call" ? "assistant" : "user";
  return { role: speaker, pieces };
}

/** The attributes are written anew where a message went or a new one came. */
function compose({ source, reading, told, valueAfter }: Writing): Changes {
  const attributes = valueAfter(0);
  const [record] = reading.records;
  if (!isObject(attributes) || record === undefined) return { inserts: [] };
  const before = flatMessages(record.value as WireObject);
  const left = flatMessages(attributes).filter(({ content, calls }) => content !== "" || calls.length > 0);
  if (told.length === 0 && left.length === before.length) return { inserts: [] };
  const value = withNumberedMessages(attributes, left, told);
  const multiline = source.text.slice(record.start, record.end).includes("\n");
  return { inserts: [], sets: [{ record: 0, path: [], value, ...(multiline && { indent: 4 }) }] };
}
