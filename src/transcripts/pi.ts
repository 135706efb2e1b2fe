/** pi: the session files of the pi coding agent, one entry a line; newer ones are a tree of ids, older ones a list. */
import { firstText, isObject, type WireObject } from "../json/wire-value.ts";
import { blockPieces, resultOf } from "./block-pieces.ts";
import { composePi } from "./pi-compose.ts";
import { isHandoff, lineRecords, withFollowers } from "./reading.ts";
import type { SourceText } from "./source-text.ts";
import type {
  ReadingOptions,
  Said,
  TranscriptFormat,
  TranscriptPiece,
  TranscriptReading,
} from "./transcript.ts";

/**
 * Read is what pi would send: along the branch of the last entry, the last compaction's summary, the entries that it
 * kept, and those after it.
 */
export const pi: TranscriptFormat = {
  name: "pi",
  tells: ({ type, id, cwd }) => type === "session" && typeof id === "string" && typeof cwd === "string",
  read,
  timeOf: ({ timestamp }) => timestamp,
  compose: composePi,
};

function read(source: SourceText, { whole }: ReadingOptions): TranscriptReading {
  const { records, problems } = lineRecords(source);
  const entries = records.map(({ value }) => value);
  const path = branchOf(entries);
  const at = path.findLastIndex((index) => entries[index]!.type === "compaction");
  const compaction = path[at];
  const order =
    compaction === undefined || whole
      ? path.filter((index) => isShown(entries[index]!))
      : [compaction, ...path.slice(firstKept(entries, path, at), at), ...path.slice(at + 1)];
  const said = order.flatMap((index) => entrySaid(entries[index]!, index) ?? []);
  const model = modelOf(path.map((index) => entries[index]!));
  return {
    records: withFollowers(records, said, () => false).map((record) =>
      isObject(record.value) && record.value.type === "compaction" ? { ...record, stays: true } : record,
    ),
    said,
    problems,
    ...(model !== "" && { model }),
    ...usageOf(path.slice(at + 1).map((index) => entries[index]!)),
    session: {
      id: firstText(entries.find(({ type }) => type === "session")?.id),
      title: firstText(entries.findLast(({ type }) => type === "session_info")?.name),
    },
  };
}

function isShown({ type, summary }: WireObject): boolean {
  return type !== "compaction" || isHandoff(firstText(summary));
}

/** From the root to the last entry; in older files, which have no ids, all entries. */
function branchOf(entries: readonly WireObject[]): readonly number[] {
  const isTree = entries.some(({ parentId }) => parentId !== undefined);
  const all = entries.flatMap(({ type }, index) => (type === "session" ? [] : [index]));
  if (!isTree) return all;
  const byId = new Map(all.map((index) => [entries[index]!.id, index]));
  const branch = new Set<number>();
  for (let at = all.at(-1); at !== undefined && !branch.has(at); ) {
    branch.add(at);
    at = byId.get(entries[at]!.parentId);
  }
  return [...branch].reverse();
}

/** Where in the path the kept entries start; the compaction itself when it kept none. */
function firstKept(entries: readonly WireObject[], path: readonly number[], at: number): number {
  const { firstKeptEntryId: id, firstKeptEntryIndex: index } = entries[path[at]!]!;
  const found = path.findIndex((each) => (id === undefined ? each === index : entries[each]!.id === id));
  return found < 0 ? at : Math.min(found, at);
}

function entrySaid(entry: WireObject, record: number): Said | undefined {
  const text = (key: string): Said => ({
    role: "user",
    pieces: [{ kind: "text", text: firstText(entry[key]), record, path: [key] }],
  });
  switch (entry.type) {
    case "compaction":
      return text("summary");
    case "branch_summary":
      return firstText(entry.summary) === "" ? undefined : text("summary");
    case "custom_message":
      return { role: "user", pieces: blockPieces(entry.content, { record, path: ["content"] }) };
    case "message":
      return isObject(entry.message) ? messageSaid(entry.message, record) : undefined;
    default:
      return undefined;
  }
}

function messageSaid(message: WireObject, record: number): Said | undefined {
  const { role, content } = message;
  const path = ["message", "content"];
  if (role === "toolResult") {
    const result = resultOf(content, firstText(message.toolCallId), message.isError === true);
    return { role: "user", pieces: [{ ...result, record, path } as TranscriptPiece] };
  }
  if (role === "bashExecution") {
    const output = firstText(message.output);
    if (output === "" || message.excludeFromContext === true) return undefined;
    return {
      role: "user",
      pieces: [{ kind: "other", type: "bash", text: output, record, path: ["message", "output"] }],
    };
  }
  if (role === "branchSummary" || role === "compactionSummary") {
    return {
      role: "user",
      pieces: [{ kind: "text", text: firstText(message.summary), record, path: ["message", "summary"] }],
    };
  }
  return {
    role: role === "assistant" ? "assistant" : "user",
    pieces: blockPieces(content, { record, path }),
  };
}

/** Of the last answer since the compaction, under the names of the Anthropic API, which counts the cache apart too. */
function usageOf(entries: readonly WireObject[]): { readonly usage?: unknown } {
  for (const { message } of entries.toReversed()) {
    if (!isObject(message) || message.role !== "assistant" || !isObject(message.usage)) continue;
    const { input, cacheRead, cacheWrite } = message.usage;
    return {
      usage: {
        input_tokens: input,
        cache_read_input_tokens: cacheRead,
        cache_creation_input_tokens: cacheWrite,
      },
    };
  }
  return {};
}

function modelOf(entries: readonly WireObject[]): string {
  for (const { type, modelId, message } of entries.toReversed()) {
    if (type === "model_change") return firstText(modelId);
    if (isObject(message) && message.role === "assistant") return firstText(message.model);
  }
  return "";
}
