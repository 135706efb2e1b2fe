/** openai-responses: items of the OpenAI Responses API, as a request, a response, a list of items, or bare. */
import { firstText, isObject } from "../json/wire-value.ts";
import { documentRecord, elementRecords, gather, insertEach } from "./reading.ts";
import { itemSaid } from "./response-items.ts";
import type { SourceText } from "./source-text.ts";
import type { Path, Said, TranscriptFormat, TranscriptReading } from "./transcript.ts";

/** What was sent is read before what was answered. */
export const openAIResponses: TranscriptFormat = {
  name: "openai-responses",
  detect: (source) => {
    const json = source.json();
    if (isObject(json) && json.object === "response") return 1;
    return listsOf(json).some(({ items }) => items.some(isItem)) ? 0.9 : 0;
  },
  read,
  compose: (writing) =>
    insertEach(writing, ({ text, role }) => ({
      type: "message",
      role,
      content: [{ type: role === "user" ? "input_text" : "output_text", text }],
    })),
};

const ITEMS: ReadonlySet<unknown> = new Set([
  "message",
  "reasoning",
  "function_call",
  "function_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
  "compaction",
]);

function isItem(value: unknown): boolean {
  if (!isObject(value)) return false;
  if (value.type !== "message") return ITEMS.has(value.type);
  const [block] = Array.isArray(value.content) ? value.content : [];
  return (
    typeof value.content === "string" || (isObject(block) && /^(input|output)_/.test(firstText(block.type)))
  );
}

function listsOf(json: unknown): readonly { readonly path: Path; readonly items: readonly unknown[] }[] {
  if (Array.isArray(json)) return [{ path: [], items: json }];
  if (!isObject(json)) return [];
  return ["input", "items", "data", "output"].flatMap((key) => {
    const items = json[key];
    return Array.isArray(items) ? [{ path: [key], items }] : [];
  });
}

function read(source: SourceText): TranscriptReading {
  const json = source.json();
  const whole = documentRecord(source);
  const { records, problems } = elementRecords(source, listsOf(json));
  const outside = records.length;
  const said: Said[] = [];
  if (isObject(json)) {
    for (const [key, role] of [
      ["instructions", "system"],
      ["input", "user"],
    ] as const) {
      const text = firstText(json[key]);
      if (text !== "") said.push({ role, pieces: [{ kind: "text", text, record: outside, path: [key] }] });
    }
  }
  records.forEach(({ value }, record) => {
    const one = itemSaid(value, record, []);
    if (one !== undefined) said.push(one);
  });
  const model = isObject(json) ? firstText(json.model) : "";
  return {
    records: [...records, whole],
    said: gather(said),
    problems,
    ...(model !== "" && { model }),
    session: { startedAt: isObject(json) ? json.created_at : undefined },
  };
}
