/** claude-code: the session files of Claude Code, one JSON object a line, chained by `parentUuid`. */
import { firstText, isObject, type WireObject } from "../json/wire-value.ts";
import { blockPieces } from "./block-pieces.ts";
import { activeLines } from "./claude-code-chain.ts";
import { composeClaudeCode } from "./claude-code-compose.ts";
import { lineRecords, withFollowers } from "./reading.ts";
import type { SourceText } from "./source-text.ts";
import type {
  FileRecord,
  ReadingOptions,
  Said,
  TranscriptFormat,
  TranscriptPiece,
  TranscriptReading,
} from "./transcript.ts";

/**
 * One reply is logged as several lines of one `message.id`, each answer as a line of its own, rewound branches and
 * sub-agents' lines beside the main ones. Read is what Claude Code would send on resuming: the branch of the last line,
 * from the last compaction on. The rest of the file is left alone.
 */
export const claudeCode: TranscriptFormat = {
  name: "claude-code",
  tells: (line) =>
    (line.type === "user" || line.type === "assistant") && isObject(line.message) && "parentUuid" in line,
  read,
  timeOf: ({ timestamp }) => timestamp,
  compose: composeClaudeCode,
};

function read(source: SourceText, { whole }: ReadingOptions): TranscriptReading {
  const { records, problems } = lineRecords(source);
  const values = records.map(({ value }) => value);
  const replies = new Map<string, TranscriptPiece[]>();
  const said: Said[] = [];
  const active = activeLines(values, whole);
  const byUuid = new Map(values.map((value) => [firstText(value.uuid), value]));
  byUuid.delete("");
  /** What a summary of the program's stands for may be in another file, and what one of ours stands for in none. */
  const isToldInFull = ({ parentUuid }: WireObject): boolean =>
    byUuid.has(firstText(byUuid.get(firstText(parentUuid))?.logicalParentUuid));
  for (const index of active) {
    const value = values[index]!;
    const { type, message } = value;
    if (type === "attachment") said.push({ role: "user", pieces: attachmentPieces(value, index) });
    if ((type !== "user" && type !== "assistant") || !isObject(message) || value.isApiErrorMessage) continue;
    if (whole && value.isCompactSummary && isToldInFull(value)) continue;
    const content = blockPieces(message.content, { record: index, path: ["message", "content"] });
    const pieces = type === "user" ? content.map((piece) => asSpoken(piece, value.isMeta === true)) : content;
    const id = type === "assistant" ? firstText(message.id) : "";
    const known = id === "" ? undefined : replies.get(id);
    if (known !== undefined) known.push(...pieces);
    else {
      const own = [...pieces];
      if (id !== "") replies.set(id, own);
      said.push({ role: type, pieces: own });
    }
  }
  return {
    records: withFollowers(records, said, isFree),
    said,
    problems,
    ...modelOf(values),
    ...usageOf(active.map((index) => values[index]!)),
    session: sessionOf(byUuid, values, values[active.at(-1) ?? -1]),
  };
}

/** A sub-agent's file has the id of the session that it worked for. A title that the user gave counts before a model's. */
function sessionOf(
  byUuid: ReadonlyMap<string, WireObject>,
  values: readonly WireObject[],
  last: WireObject | undefined,
) {
  const session = firstText(last?.sessionId);
  const agent = last?.isSidechain === true ? firstText(last.agentId) : "";
  if (session === "" || agent !== "") return { id: [session, agent].filter(Boolean).join(":") };
  const newest = (key: string, isOwn: (value: WireObject) => boolean): string =>
    firstText(values.findLast((value) => firstText(value[key]) !== "" && isOwn(value))?.[key]);
  const isOfSession = ({ sessionId }: WireObject): boolean => sessionId === session;
  const title = firstText(
    newest("customTitle", isOfSession),
    newest("aiTitle", isOfSession),
    // Older versions also wrote the titles of other sessions into a file.
    newest("summary", ({ type, leafUuid }) => type === "summary" && byUuid.has(firstText(leafUuid))),
  );
  return { id: session, title };
}

/** What the program says in the user's name: reminders, the output of local commands, lines marked as its own. */
const PROGRAM_TEXT =
  /^\s*<(system-reminder|local-command-(stdout|stderr|caveat)|bash-std(out|err)|task-notification|ide_\w+)>/;

function asSpoken(piece: TranscriptPiece, isMeta: boolean): TranscriptPiece {
  if (piece.kind !== "text" || !(isMeta || PROGRAM_TEXT.test(piece.text))) return piece;
  return { ...piece, kind: "other", type: "reminder" };
}

/** A file's content that was put beside what the user said. */
function attachmentPieces({ attachment }: WireObject, record: number): readonly TranscriptPiece[] {
  const content = isObject(attachment) ? attachment.content : undefined;
  const file = isObject(content) ? content.file : undefined;
  if (!isObject(file) || typeof file.content !== "string" || file.content === "") return [];
  return [
    {
      kind: "other",
      type: "attachment",
      text: file.content,
      record,
      path: ["attachment", "content", "file", "content"],
    },
  ];
}

const FREE_TYPES: ReadonlySet<unknown> = new Set([
  "attachment",
  "progress",
  "file-history-snapshot",
  "queue-operation",
]);

/** Lines for the user interface, notes about a turn and sub-agents' lines go with what they were beside. */
function isFree({ value }: FileRecord): boolean {
  if (!isObject(value)) return false;
  if (value.type === "system") return value.subtype !== "compact_boundary";
  return FREE_TYPES.has(value.type) || value.isSidechain === true;
}

/** Of the last answer; an error has none. */
function usageOf(lines: readonly WireObject[]): { readonly usage?: unknown } {
  for (const { message, type } of lines.toReversed()) {
    if (type !== "assistant" || !isObject(message) || !isObject(message.usage)) continue;
    if (Number(message.usage.output_tokens) > 0) return { usage: message.usage };
  }
  return {};
}

function modelOf(values: readonly WireObject[]): { readonly model?: string } {
  for (const { message } of values.toReversed()) {
    const model = isObject(message) ? firstText(message.model) : "";
    if (model !== "" && !model.startsWith("<")) return { model };
  }
  return {};
}
