/** copilot-chat: the replay export of GitHub Copilot Chat; read is the last request, which holds the whole conversation. */
import { InputError } from "../errors/input-error.ts";
import { firstText, isObject, type WireObject } from "../json/wire-value.ts";
import { documentRecord, elementRecords, insertEach } from "./reading.ts";
import type { SourceText } from "./source-text.ts";
import type { Path, Said, TranscriptFormat, TranscriptPiece, TranscriptReading } from "./transcript.ts";

export const copilotChat: TranscriptFormat = {
  name: "copilot-chat",
  detect: ({ json }) => {
    const whole = json();
    return isObject(whole) && Array.isArray(whole.prompts) && requestsOf(whole).length > 0 ? 1 : 0;
  },
  read,
  keepsMerged: true,
  compose: (writing) =>
    insertEach(writing, ({ text, role }) => ({
      role: role === "user" ? USER : ASSISTANT,
      content: [{ type: TEXT, text }],
    })),
};

/** Roles and kinds of content are numbers in these files. */
const SYSTEM = 0;
const USER = 1;
const ASSISTANT = 2;
const TOOL = 3;
const TEXT = 1;
const IMAGE = 0;

function requestsOf({ prompts }: WireObject): readonly { readonly path: Path; readonly value: WireObject }[] {
  if (!Array.isArray(prompts)) return [];
  return prompts.flatMap((prompt, at) => {
    const logs = isObject(prompt) && Array.isArray(prompt.logs) ? prompt.logs : [];
    return logs.flatMap((log, index) => {
      const sent = isObject(log) && isObject(log.requestMessages) ? log.requestMessages.messages : undefined;
      return Array.isArray(sent) ? [{ path: ["prompts", at, "logs", index], value: log as WireObject }] : [];
    });
  });
}

function read(source: SourceText): TranscriptReading {
  const { value: whole } = documentRecord(source);
  const last = isObject(whole) ? requestsOf(whole).at(-1) : undefined;
  if (last === undefined) throw new InputError("The file has no prompt with a request that holds messages.");
  const { records, problems } = elementRecords(source, [
    { path: [...last.path, "requestMessages", "messages"] },
  ]);
  const said = records.map(({ value }, record) => messageSaid(value, record));
  const { metadata } = last.value;
  const model = isObject(metadata) ? firstText(metadata.model) : "";
  return {
    records: [...records, documentRecord(source)],
    said: [...said, answerSaid(last, records.length)],
    problems,
    ...(model !== "" && { model }),
    session: { startedAt: isObject(metadata) ? metadata.startTime : undefined },
  };
}

/** What the model answered is beside what it was sent. */
function answerSaid(
  { path, value: { response } }: { readonly path: Path; readonly value: WireObject },
  record: number,
): Said {
  const texts = isObject(response) && Array.isArray(response.message) ? response.message : [];
  const pieces = texts.flatMap((text, index): readonly TranscriptPiece[] =>
    typeof text === "string" && text !== ""
      ? [{ kind: "text", text, record, path: [...path, "response", "message", index] }]
      : [],
  );
  return { role: "assistant", pieces };
}

function messageSaid(message: unknown, record: number): Said {
  if (!isObject(message)) return { role: "user", pieces: [] };
  const content = Array.isArray(message.content) ? message.content : [];
  if (message.role === TOOL) {
    const texts = content.flatMap((part) =>
      isObject(part) && part.type === TEXT ? [firstText(part.text)] : [],
    );
    const id = firstText(message.toolCallId);
    return {
      role: "user",
      pieces: [{ kind: "result", id, text: texts.join("\n"), record, path: ["content"] }],
    };
  }
  const pieces: TranscriptPiece[] = content.flatMap((part, index): readonly TranscriptPiece[] => {
    if (!isObject(part)) return [];
    const drop = ["content", index];
    if (part.type === IMAGE) return [{ kind: "image", record, path: drop, drop }];
    const text = firstText(part.text);
    return part.type !== TEXT || text === ""
      ? []
      : [{ kind: "text", text, record, path: [...drop, "text"], drop }];
  });
  const calls = Array.isArray(message.toolCalls) ? message.toolCalls : [];
  calls.forEach((call, index) => {
    const asked = isObject(call) && isObject(call.function) ? call.function : {};
    const drop = ["toolCalls", index];
    const place = { record, path: [...drop, "function", "arguments"], drop };
    const id = isObject(call) ? firstText(call.id) : "";
    pieces.push({ kind: "call", id, name: firstText(asked.name), input: asked.arguments, ...place });
  });
  return {
    role: message.role === SYSTEM ? "system" : message.role === ASSISTANT ? "assistant" : "user",
    pieces,
  };
}
