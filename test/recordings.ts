/** Recorded conversations of real agents, read one at a time: all from the data folder beside the checkout, or the ten in the repository. */
import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createBrotliDecompress, createGunzip } from "node:zlib";

export interface Recording {
  readonly id: string;
  /** The file it stands in, without endings. */
  readonly source: string;
  readonly format: "openai-chat" | "anthropic-messages";
  readonly messages: readonly unknown[];
}

const everyRecording = join(import.meta.dirname, "../../shared/data");
const tenRecordings = join(import.meta.dirname, "fixtures/recordings");

/** Whether this machine has all of them; PITH_TEN=1 does as if it had not. */
export const hasAllRecordings =
  process.env.PITH_TEN !== "1" && existsSync(join(everyRecording, "derived-openai.jsonl.gz"));

/** Where they are. A file of the same name holds the same source in both folders; the smaller one has not every source. */
export const recordingsFolder = hasAllRecordings ? everyRecording : tenRecordings;

/** Says on stderr that a check over the recordings did not run; loud, since a silent skip reads as a pass. */
export function sayThatDataIsAbsent(what: string): void {
  process.stderr.write(
    `\nSKIPPED: ${what}: only ten of the recorded conversations are here, not ../shared/data.\n\n`,
  );
}

interface Source {
  readonly file: string;
  readonly read: (record: WireRecord) => Omit<Recording, "id" | "source">;
}

export interface WireRecord {
  readonly id: string;
  readonly licence?: string;
  readonly repo?: string;
  readonly messages: readonly Record<string, unknown>[];
}

const sources: readonly Source[] = [
  { file: "coding-sessions.jsonl.br", read: openaiMessages },
  { file: "derived-openai.jsonl.gz", read: openaiMessages },
  { file: "livemcpbench.jsonl.gz", read: openaiMessages },
  { file: "tau-bench-airline.jsonl.gz", read: openaiMessages },
  { file: "openhands-llm-log.jsonl.gz", read: openaiMessages },
  { file: "cline-session.jsonl.gz", read: clineMessages },
  { file: "claude-code-log.jsonl.gz", read: claudeCodeMessages },
  { file: "claude-code-oh-my-posh.jsonl.gz", read: claudeCodeMessages },
];

/** Every recording, or those of the named sources, in a fixed order; memory holds one at a time. */
export async function* recordings(only: readonly string[] = []): AsyncGenerator<Recording> {
  for (const { file, read } of sources) {
    const source = file.slice(0, file.indexOf("."));
    if (only.length > 0 && !only.includes(source)) continue;
    for await (const record of recordsOf(join(recordingsFolder, file))) {
      const recording = { id: record.id, source, ...read(record) };
      if (recording.messages.length > 0) yield recording;
    }
  }
}

export async function* recordsOf(path: string): AsyncGenerator<WireRecord> {
  const unpack = path.endsWith(".br") ? createBrotliDecompress() : createGunzip();
  const lines = createInterface({
    input: createReadStream(path).pipe(unpack),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  for await (const line of lines) {
    if (line.trim()) yield JSON.parse(line);
  }
}

/** The `summary` flag is the data set's own remark and no part of the wire. */
function openaiMessages({ messages }: WireRecord): Omit<Recording, "id" | "source"> {
  const withoutFlag = messages.map((message) => {
    if (!("summary" in message)) return message;
    const { summary: _, ...rest } = message;
    return rest;
  });
  return { format: "openai-chat", messages: withoutFlag };
}

function clineMessages({ messages }: WireRecord): Omit<Recording, "id" | "source"> {
  return { format: "anthropic-messages", messages: messages.map(({ role, content }) => ({ role, content })) };
}

interface ApiMessage {
  readonly role: unknown;
  readonly content: unknown;
}

/**
 * The API messages of a session file: one reply is logged as several lines with one `message.id`, the answers to its
 * parallel calls as several user lines, and sub-agents' lines stand beside the main ones.
 */
function claudeCodeMessages({ messages: lines }: WireRecord): Omit<Recording, "id" | "source"> {
  const ownLines = lines.every((line) => line.isSidechain)
    ? lines
    : lines.filter((line) => !line.isSidechain);
  const messages: ApiMessage[] = [];
  const replies = new Map<unknown, number>();
  const seen = new Set<unknown>();
  for (const line of ownLines) {
    if ((line.type !== "user" && line.type !== "assistant") || !line.message || seen.has(line.uuid)) continue;
    seen.add(line.uuid);
    const { id, role, content } = line.message as ApiMessage & { id?: unknown };
    const reply = id === undefined ? undefined : replies.get(id);
    const last = messages.at(-1);
    if (reply !== undefined) {
      messages[reply] = joined(messages[reply]!, content);
    } else if (last && answersCalls(last.content) && answersCalls(content)) {
      messages[messages.length - 1] = joined(last, content);
    } else {
      if (id !== undefined) replies.set(id, messages.length);
      messages.push({ role, content });
    }
  }
  return { format: "anthropic-messages", messages };
}

function joined(message: ApiMessage, content: unknown): ApiMessage {
  return { role: message.role, content: [...blocksOf(message.content), ...blocksOf(content)] };
}

function blocksOf(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? content : [{ type: "text", text: content }];
}

function answersCalls(content: unknown): boolean {
  return Array.isArray(content) && content.some((block) => block?.type === "tool_result");
}
