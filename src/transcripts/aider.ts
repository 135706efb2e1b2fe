/** aider: the chat history that aider keeps as Markdown. `####` lines are the user's, `>` lines the terminal's. */
import { insertEach } from "./reading.ts";
import type { SourceText } from "./source-text.ts";
import type { FileRecord, Said, TranscriptFormat, TranscriptPiece, TranscriptReading } from "./transcript.ts";

/** Told apart line by line, as aider does it on restoring a chat. What the terminal showed is not the user's word. */
export const aider: TranscriptFormat = {
  name: "aider",
  detect: ({ text }) => {
    const opening = text.slice(0, 20_000);
    if (/^# aider chat started at /m.test(opening)) return 1;
    return /^#### .*\S/m.test(opening) && /^> .* {2}\r?$/m.test(opening) ? 0.7 : 0;
  },
  read,
  timeOf: ({ startedAt }) => startedAt,
  keepsMerged: true,
  compose: (writing) =>
    insertEach(writing, ({ text, role }) =>
      role === "user" ? `\n${marked("#### ", text)}\n` : `\n${text}\n\n`,
    ),
};

type Speaker = "user" | "terminal" | "assistant" | "title";

function read({ text }: SourceText): TranscriptReading {
  const records: FileRecord[] = [];
  const said: Said[] = [];
  let startedAt: string | undefined;
  for (const { speaker, start, end } of sectionsOf(text)) {
    const record = records.length;
    const section = text.slice(start, end);
    if (speaker === "title") startedAt = section.slice(TITLE.length).split("\n", 1)[0]!.trim();
    records.push({ start, end, value: { startedAt }, kind: "text" });
    if (speaker === "title" || section.trim() === "") continue;
    said.push({
      role: speaker === "assistant" ? "assistant" : "user",
      pieces: [pieceOf(speaker, section, record)],
    });
  }
  return { records, said, problems: [] };
}

function pieceOf(speaker: Speaker, section: string, record: number): TranscriptPiece {
  if (speaker === "assistant") {
    const [lead = ""] = /^\s*/.exec(section) ?? [];
    const [tail = ""] = /\s*$/.exec(section) ?? [];
    return {
      kind: "text",
      text: section.trim(),
      record,
      encode: (text) => `${lead}${unmistaken(text)}${tail}`,
    };
  }
  const prefix = speaker === "user" ? "#### " : "> ";
  const text = unmarked(prefix, section);
  const encode = (changed: string) => marked(prefix, changed);
  return speaker === "user"
    ? { kind: "text", text, record, encode }
    : { kind: "other", type: "terminal", text, record, encode };
}

const TITLE = "# aider chat started at";

interface Section {
  readonly speaker: Speaker;
  readonly start: number;
  readonly end: number;
}

function sectionsOf(text: string): readonly Section[] {
  const sections: { speaker: Speaker; start: number; end: number }[] = [];
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline + 1;
    const line = text.slice(start, end);
    const last = sections.at(-1);
    const speaker = speakerOf(line);
    if (last?.speaker === speaker) last.end = end;
    else sections.push({ speaker, start, end });
    start = end;
  }
  return joinedBlanks(text, sections);
}

/** A heading of the assistant's is its own; only the line that starts a chat is a title. */
function speakerOf(line: string): Speaker {
  if (line.startsWith(TITLE)) return "title";
  if (line.startsWith("#### ")) return "user";
  return /^>( |\r?\n|$)/.test(line) ? "terminal" : "assistant";
}

/** Blank lines between sections belong to the one before them: they are not a word of the assistant's. */
function joinedBlanks(text: string, sections: readonly Section[]): readonly Section[] {
  const joined: { speaker: Speaker; start: number; end: number }[] = [];
  for (const section of sections) {
    const last = joined.at(-1);
    const isBlank = section.speaker === "assistant" && text.slice(section.start, section.end).trim() === "";
    if (last && (isBlank || last.speaker === section.speaker)) last.end = section.end;
    else joined.push({ ...section });
  }
  return joined;
}

function unmarked(prefix: string, section: string): string {
  const lines = section
    .split("\n")
    .map((line) => (line.startsWith(prefix) ? line.slice(prefix.length) : line));
  return lines
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}

/** Two blanks at the end keep the line breaks in Markdown. */
function marked(prefix: string, text: string): string {
  return `${text
    .split("\n")
    .map((line) => `${prefix}${line}  `)
    .join("\n")}\n`;
}

/** A line of the assistant's that reads like another speaker's is moved in by a blank. */
function unmistaken(text: string): string {
  return text
    .split("\n")
    .map((line) => (speakerOf(line) === "assistant" ? line : ` ${line}`))
    .join("\n");
}
