/** message-list: an OpenAI chat or Anthropic conversation in a file: a JSON list of messages, or a body with `messages`. */

import { firstText, isObject } from "../json/wire-value.ts";
import { anthropicMessages } from "../providers/anthropic-messages/format.ts";
import type { Format } from "../providers/format.ts";
import { openAIChat } from "../providers/openai-chat/format.ts";
import { blockPieces } from "./block-pieces.ts";
import { chatSaid } from "./chat-pieces.ts";
import { documentRecord, elementRecords, insertEach } from "./reading.ts";
import type { SourceText } from "./source-text.ts";
import type { TranscriptFormat, TranscriptReading } from "./transcript.ts";

/** Under the names of the wire formats, and less sure than any program's own format. */
export const openAIChatExport: TranscriptFormat = messageList(openAIChat);
export const anthropicExport: TranscriptFormat = messageList(anthropicMessages);

function messageList({ name, detect }: Format): TranscriptFormat {
  return {
    name,
    detect: ({ json }) => {
      const whole = json();
      return isMessageList(whole) ? detect(whole) * 0.6 : 0;
    },
    read,
    keepsMerged: true,
    compose: (writing) => insertEach(writing, ({ text, role }) => ({ role, content: text })),
  };
}

function isMessageList(json: unknown): boolean {
  const list = Array.isArray(json) ? json : isObject(json) ? json.messages : undefined;
  if (!Array.isArray(list)) return false;
  return (
    list.length > 0 &&
    list.every((each) => isObject(each) && typeof each.role === "string" && !("parts" in each))
  );
}

function read(source: SourceText): TranscriptReading {
  const json = source.json();
  const body = isObject(json) ? json : {};
  const { records, problems } = elementRecords(source, [{ path: Array.isArray(json) ? [] : ["messages"] }]);
  const system = blockPieces(body.system, { record: records.length, path: ["system"] });
  const said = records.flatMap(({ value }, record) => chatSaid(value, record) ?? []);
  const model = firstText(body.model);
  return {
    records: [...records, documentRecord(source)],
    said: [{ role: "system", pieces: system }, ...said],
    problems,
    ...(model !== "" && { model }),
  };
}
