/** markdown-chat: a conversation in plain Markdown or text, each turn under a line that names its speaker. */
import { insertEach } from "./reading.ts";
import type { SourceText } from "./source-text.ts";
import type { FileRecord, Reading, Said, TranscriptFormat, Writing } from "./transcript.ts";

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
/** A heading, a bold name, or a name with a colon. */
const HEADING = new RegExp(
  `^(?:#{1,6}[ \\t]+(?:\\*\\*)?(${NAMES})(?:\\*\\*)?:?|\\*\\*(${NAMES}):?\\*\\*:?|(${NAMES}):)[ \\t]*`,
  "i",
);

interface Turn {
  readonly role: Said["role"];
  readonly start: number;
  readonly end: number;
  /** Where what was said starts: after the name. */
  readonly body: number;
}

function detect({ text }: SourceText): number {
  const roles = new Set(turnsOf(text.slice(0, 50_000)).map(({ role }) => role));
  return roles.has("user") && roles.has("assistant") ? 0.4 : 0;
}

function turnsOf(text: string): readonly Turn[] {
  const turns: { role: Said["role"]; start: number; end: number; body: number }[] = [];
  let fence = "";
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline + 1;
    const line = text.slice(start, end);
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1] ?? "";
    if (mark !== "" && (fence === "" || (mark.startsWith(fence) && line.trim() === mark)))
      fence = fence === "" ? mark : "";
    const found = fence === "" ? HEADING.exec(line) : null;
    const isAlone =
      found !== null && (line.startsWith("#") ? line.slice(found[0].length).trim() === "" : true);
    if (found !== null && isAlone) {
      const role = SPEAKERS[(found[1] ?? found[2] ?? found[3])!.toLowerCase()]!;
      turns.push({ role, start, end, body: start + found[0].length });
    } else if (turns.length > 0) turns.at(-1)!.end = end;
    start = end;
  }
  return turns;
}

function read({ text }: SourceText): Reading {
  const records: FileRecord[] = [];
  const said = turnsOf(text).map(({ role, start, end, body }, record): Said => {
    records.push({ start, end, value: undefined, kind: "text" });
    const raw = text.slice(body, end);
    const [lead = ""] = /^\s*/.exec(raw) ?? [];
    const [tail = ""] = /\s*$/.exec(raw) ?? [];
    const name = text.slice(start, body);
    const encode = (changed: string) => `${name}${lead}${changed}${tail}`;
    return { role, pieces: raw.trim() === "" ? [] : [{ kind: "text", text: raw.trim(), record, encode }] };
  });
  return { records, said, problems: [] };
}

/** Under a name like those that the file has. */
function compose(writing: Writing) {
  const { source, reading } = writing;
  return insertEach(writing, ({ text, role }) => {
    const alike = reading.said.findIndex((each) => each.role === role && each.pieces.length > 0);
    const record = reading.records[reading.said[alike]?.pieces[0]?.record ?? -1];
    const line = record ? source.text.slice(record.start, record.end) : "";
    const name = HEADING.exec(line)?.[0] ?? (role === "user" ? "## User" : "## Assistant");
    return `${name.trimEnd()}\n\n${text}\n\n`;
  });
}
