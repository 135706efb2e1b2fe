/** markdown-chat: a conversation in plain Markdown or text, each turn under a line that names its speaker. */
import { findHandoff } from "../conversation/handoffs/prefixes.ts";
import { insertEach } from "./reading.ts";
import type { SourceText } from "./source-text.ts";
import type { FileRecord, Said, TranscriptFormat, TranscriptReading, Writing } from "./transcript.ts";

/** `## User`, `**Assistant:**`, `Human:` on a line of its own, or before the first words of the turn. */
export const markdownChat: TranscriptFormat = {
  name: "markdown-chat",
  detect,
  read,
  keepsMerged: true,
  compose,
};

const SPEAKERS: Readonly<Record<string, Said["role"]>> = {
  system: "system",
  user: "user",
  human: "user",
  you: "user",
  me: "user",
  assistant: "assistant",
  ai: "assistant",
  claude: "assistant",
  chatgpt: "assistant",
  gemini: "assistant",
  copilot: "assistant",
  model: "assistant",
};

const NAMES = Object.keys(SPEAKERS).join("|");

/** A heading, a bold name, or a name with a colon. A chat keeps to one of them: that of its first turn. */
const HEADINGS: readonly RegExp[] = [
  `#{1,6}[ \\t]+(?:\\*\\*)?(${NAMES})(?:\\*\\*)?:?[ \\t]*(?=\\r?\\n|$)`,
  `\\*\\*(${NAMES}):?\\*\\*:?[ \\t]*`,
  `(${NAMES}):[ \\t]*`,
].map((pattern) => new RegExp(`^${pattern}`, "i"));

interface Turn {
  readonly role: Said["role"];
  readonly start: number;
  readonly end: number;
  /** Where what was said starts: after the name. */
  readonly body: number;
}

/** Two speak in a chat, or all that they said is handed off. */
function detect({ text }: SourceText): number {
  const turns = turnsOf(text);
  const roles = new Set(turns.map(({ role }) => role));
  const isHandedOff = () =>
    turns.some(({ body, end }) => findHandoff(text.slice(body, end).trim()) !== undefined);
  return roles.has("user") && (roles.has("assistant") || isHandedOff()) ? 0.4 : 0;
}

function turnsOf(text: string): readonly Turn[] {
  const turns: { role: Said["role"]; start: number; end: number; body: number }[] = [];
  let kind: RegExp | undefined;
  let fence = "";
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline + 1;
    const line = text.slice(start, end);
    fence = fenceAfter(fence, line);
    kind ??= fence === "" ? HEADINGS.find((each) => each.test(line)) : undefined;
    const found = fence === "" ? kind?.exec(line) : undefined;
    if (found) {
      turns.push({ role: SPEAKERS[found[1]!.toLowerCase()]!, start, end, body: start + found[0].length });
    } else if (turns.length > 0) turns.at(-1)!.end = end;
    start = end;
  }
  return turns;
}

function read({ text }: SourceText): TranscriptReading {
  const records: FileRecord[] = [];
  const said = turnsOf(text).map(({ role, start, end, body }, record): Said => {
    records.push({ start, end, value: undefined, kind: "text" });
    const raw = text.slice(body, end);
    const [lead = ""] = /^\s*/.exec(raw) ?? [];
    const [tail = ""] = /\s*$/.exec(raw) ?? [];
    const name = text.slice(start, body);
    const encode = (changed: string) => `${name}${lead}${asBody(changed)}${tail}`;
    return { role, pieces: raw.trim() === "" ? [] : [{ kind: "text", text: raw.trim(), record, encode }] };
  });
  return { records, said, problems: [] };
}

/** A line that reads like a speaker's name is moved in by a blank, or it would start a turn; an open fence is closed, or none would. */
function asBody(text: string): string {
  let fence = "";
  const lines = text.split("\n").map((line) => {
    fence = fenceAfter(fence, line);
    return HEADINGS.some((each) => each.test(line)) ? ` ${line}` : line;
  });
  return [...lines, ...(fence === "" ? [] : [fence])].join("\n");
}

/** The fence that is open after a line; "" for none. */
function fenceAfter(fence: string, line: string): string {
  const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1] ?? "";
  if (mark === "") return fence;
  if (fence === "") return mark;
  return mark.startsWith(fence) && line.trim() === mark ? "" : fence;
}

/** Under a name like those that the file has. */
function compose(writing: Writing) {
  const { source, reading } = writing;
  return insertEach(writing, ({ text, role }) => {
    const alike = reading.said.find((each) => each.role === role && each.pieces.length > 0);
    const record = reading.records[alike?.pieces[0]?.record ?? -1];
    const line = record ? source.text.slice(record.start, record.end) : "";
    const name = HEADINGS.map((each) => each.exec(line)?.[0]).find(Boolean);
    return `${(name ?? (role === "user" ? "## User" : "## Assistant")).trimEnd()}\n\n${asBody(text)}\n\n`;
  });
}
