/** codex-rollout: the session files of Codex, one JSON object a line: `response_item` lines are what the model reads. */
import { firstText, isObject, type WireObject } from "../json/wire-value.ts";
import { gather, isHandoff, lineRecords, withFollowers } from "./reading.ts";
import { itemSaid } from "./response-items.ts";
import type { SourceText } from "./source-text.ts";
import type {
  Changes,
  FileRecord,
  ReadingOptions,
  Said,
  TranscriptFormat,
  TranscriptReading,
  Writing,
} from "./transcript.ts";

/** Read is what Codex would have in its history on resuming: a `compacted` line replaces all that was before it. */
export const codexRollout: TranscriptFormat = {
  name: "codex-rollout",
  tells: ({ type, payload }) =>
    isObject(payload) && (type === "session_meta" || type === "response_item" || type === "turn_context"),
  read,
  timeOf: ({ timestamp }) => timestamp,
  compose,
};

function read(source: SourceText, { whole }: ReadingOptions): TranscriptReading {
  const { records, problems } = lineRecords(source);
  let history: Said[] = [];
  let instructions: Said | undefined;
  let model = "";
  let usage: unknown;
  let id = "";
  let title = "";
  records.forEach(({ value }, record) => {
    const payload = isObject(value.payload) ? value.payload : {};
    switch (value.type) {
      case "session_meta":
        instructions ??= instructionsOf(payload, record);
        id ||= firstText(payload.id);
        break;
      case "turn_context":
        model = firstText(payload.model) || model;
        break;
      case "response_item":
        history.push(itemSaid(payload, record, ["payload"]) ?? nothing);
        break;
      case "compacted":
        if (!whole) history = compactedHistory(payload, record, history);
        else if (isHandoff(firstText(payload.message))) history.push(messageOf(payload, record));
        usage = undefined;
        break;
      case "event_msg":
        if (payload.type === "token_count" && isObject(payload.info)) usage = payload.info.last_token_usage;
        if (payload.type === "thread_name_updated") title = firstText(payload.thread_name);
        if (payload.type === "thread_rolled_back") history = rolledBack(history, Number(payload.num_turns));
        break;
    }
  });
  const said = gather([...(instructions ? [instructions] : []), ...withContext(history)]);
  return {
    records: withFollowers(records, said, isFree).map((record) =>
      isAnchor(record) ? { ...record, stays: true } : record,
    ),
    said,
    problems,
    ...(model !== "" && { model }),
    ...(isObject(usage) && { usage }),
    session: { id, title },
  };
}

const nothing: Said = { role: "user", pieces: [] };

function instructionsOf(
  { base_instructions: base, instructions }: WireObject,
  record: number,
): Said | undefined {
  const text = isObject(base) ? firstText(base.text) : firstText(instructions);
  const path = isObject(base) ? ["payload", "base_instructions", "text"] : ["payload", "instructions"];
  return text === "" ? undefined : { role: "system", pieces: [{ kind: "text", text, record, path }] };
}

/** What Codex says in the user's name before the first question: instructions of the project, and where it runs. */
const CONTEXT = /^\s*(# AGENTS\.md instructions|<(user_instructions|environment_context|INSTRUCTIONS)>)/;

function withContext(history: readonly Said[]): readonly Said[] {
  const isContext = ({ pieces }: Said) =>
    pieces.length > 0 && pieces.every((piece) => piece.kind === "text" && CONTEXT.test(piece.text));
  const first = history.findIndex((said) => said.role !== "system" && !isContext(said));
  return history.map((said, index) =>
    index < first && isContext(said) ? { ...said, role: "system" } : said,
  );
}

/** With a replacement the history is that; older files keep the user's messages and the summary. */
function compactedHistory(payload: WireObject, record: number, before: readonly Said[]): Said[] {
  const { message, replacement_history: replacement } = payload;
  if (Array.isArray(replacement)) {
    return replacement.flatMap((item, index) => {
      const path = ["payload", "replacement_history", index];
      return itemSaid(item, record, path, path) ?? [];
    });
  }
  const asked = before.filter(
    ({ role, pieces }) => role !== "assistant" && pieces.some(({ kind }) => kind === "text"),
  );
  return firstText(message) === "" ? asked : [...asked, messageOf(payload, record)];
}

function messageOf({ message }: WireObject, record: number): Said {
  return {
    role: "user",
    pieces: [{ kind: "text", text: firstText(message), record, path: ["payload", "message"] }],
  };
}

/** The user took back the last turns: they are no longer read. */
function rolledBack(history: readonly Said[], turns: number): Said[] {
  const asks = history.flatMap(({ role, pieces }, index) =>
    role === "user" && pieces.some(({ kind }) => kind === "text") ? [index] : [],
  );
  const from = turns > 0 ? asks.at(-turns) : undefined;
  return from === undefined ? [...history] : history.slice(0, from);
}

/** Events repeat for the user interface what the items say. */
function isFree({ value }: FileRecord): boolean {
  return isObject(value) && value.type === "event_msg" && !isRollback(value);
}

/** Without a `compacted` line what was before it would be read again. */
function isAnchor({ value }: FileRecord): boolean {
  return isObject(value) && (value.type === "session_meta" || value.type === "compacted");
}

function isRollback({ payload }: WireObject): boolean {
  return isObject(payload) && payload.type === "thread_rolled_back";
}

/** One `compacted` line: its replacement is what is kept before the hand-off, and the hand-off. */
function compose({ reading, removed, told, valueAfter }: Writing): Changes {
  const { records, said } = reading;
  const order = [...new Set(said.flatMap(({ pieces }) => pieces.map(({ record }) => record)))];
  const last = told.at(-1);
  if (last === undefined) return { inserts: [] };
  const isBefore = (record: number, at: number | undefined) => at === undefined || record < at;
  const itemsBetween = (from: number, to: number | undefined): readonly unknown[] =>
    order
      .filter((record) => record >= from && isBefore(record, to) && !removed.has(record))
      .flatMap((record) => itemsOf(valueAfter(record)));
  const replacement: unknown[] = [];
  let from = 0;
  for (const { text, role, before } of told) {
    const type = role === "assistant" ? "output_text" : "input_text";
    replacement.push(...itemsBetween(from, before), { type: "message", role, content: [{ type, text }] });
    from = before ?? records.length;
  }
  const near = records[last.before ?? last.after ?? records.length - 1]?.value;
  const value = {
    timestamp: isObject(near) ? near.timestamp : undefined,
    type: "compacted",
    payload: { message: last.text, replacement_history: replacement },
  };
  return { inserts: [{ value, before: last.before, after: last.after }] };
}

function itemsOf(line: unknown): readonly unknown[] {
  if (!isObject(line) || !isObject(line.payload)) return [];
  if (line.type === "response_item") return [line.payload];
  const { replacement_history: replacement, message } = line.payload;
  if (line.type !== "compacted") return [];
  if (Array.isArray(replacement)) return replacement;
  return message ? [{ type: "message", role: "user", content: [{ type: "input_text", text: message }] }] : [];
}
