/** Transcripts: session files of agent programs, read as a conversation and written back around what changed. */
import { createHash } from "node:crypto";
import type { Conversation } from "../conversation/conversation.ts";
import { InputError } from "../errors/input-error.ts";
import { OptionsError } from "../errors/options-error.ts";
import { anthropicMessages } from "../providers/anthropic-messages/format.ts";
import { readConversation } from "../providers/detect.ts";
import { transcriptFormats } from "./formats.ts";
import { messageTimes, sessionFacts } from "./session-facts.ts";
import { lineNumbers, sourceText } from "./source-text.ts";
import { applySplices, type Splice } from "./splices.ts";
import type { Said, Transcript, TranscriptFormat, TranscriptReading } from "./transcript.ts";
import { wireBody } from "./wire-body.ts";
import { recordSplices } from "./write-records.ts";

export interface ReadTranscriptOptions {
  /** The format's name. @default "auto": detected from the text */
  readonly format?: string;
  /**
   * The whole conversation, with what the program itself compacted away and without its summaries of that: for an archive.
   * The file cannot be written from it. @default false: what the program would send next
   */
  readonly whole?: boolean;
}

/**
 * Reads a session file. Lines that cannot be read are in `problems`; they are passed over and stay in the file.
 *
 *     const transcript = readTranscript(text);
 *     const { conversation } = await compactor.compact(transcript.body, { target: "30%" });
 *     const smaller = writeTranscript(transcript, conversation);
 *
 * Throws InputError when no format fits, and OptionsError when there is no format of that name.
 */
export function readTranscript(
  text: string,
  { format = "auto", whole = false }: ReadTranscriptOptions = {},
): Transcript {
  const source = sourceText(text);
  const chosen = format === "auto" ? detectTranscript(text, source) : transcriptFormatNamed(format);
  if (chosen === undefined) {
    throw new InputError(
      "No transcript format fits the file. Name it with the format option if you know it.",
    );
  }
  const reading = chosen.read(source, { whole });
  const { body, said } = wireBody(reading);
  return {
    format: chosen.name,
    text,
    body,
    conversation: readConversation(body, { format: anthropicMessages.name }),
    lines: linesOf(text, reading, said),
    pins: said.flatMap(({ pinned, role }, position) => (pinned && role !== "system" ? [position] : [])),
    ...(reading.usage !== undefined && { usage: reading.usage }),
    session: sessionFacts(reading),
    times: messageTimes(chosen, reading, said),
    problems: reading.problems,
    reading,
  };
}

/**
 * The file with another conversation: that which `compact` made of `transcript.body`. What stayed is the very text that
 * came in, what was removed is gone, and the hand-off is a record that the program takes for its own compaction. After a
 * failed compaction it is the file as it was.
 */
export function writeTranscript(transcript: Transcript, conversation: Conversation): string {
  return applySplices(transcript.text, transcriptSplices(transcript, conversation));
}

/** The same as what changes in the file: in an archive, it leads back. */
export function transcriptSplices(transcript: Transcript, conversation: Conversation): readonly Splice[] {
  const { text, reading } = transcript;
  // A compaction never leaves nothing: this is one that failed before it read anything.
  if (conversation.messages.length === 0) return [];
  return recordSplices({
    format: transcriptFormatNamed(transcript.format),
    source: sourceText(text),
    reading,
    said: wireBody(reading).said,
    after: conversation,
    newId: idsOf(text),
  });
}

export interface DetectTranscriptOptions {
  /** How sure it must be; what is only text may look like a chat by chance. @default 0 */
  readonly atLeast?: number;
}

/** The format of the first line that tells one, else the surest for the whole text; undefined when none fits. */
export function detectTranscript(
  text: string,
  source = sourceText(text),
  { atLeast = 0 }: DetectTranscriptOptions = {},
): TranscriptFormat | undefined {
  for (const line of source.objects()) {
    const told = transcriptFormats.find(({ tells }) => tells?.(line));
    if (told !== undefined) return told;
  }
  let best: TranscriptFormat | undefined;
  let bestSureness = 0;
  for (const format of transcriptFormats) {
    const sureness = format.detect?.(source) ?? 0;
    if (sureness < atLeast || sureness <= bestSureness) continue;
    best = format;
    bestSureness = sureness;
    if (sureness === 1) break;
  }
  return best;
}

/** Throws OptionsError when there is none. */
export function transcriptFormatNamed(name: string): TranscriptFormat {
  const format = transcriptFormats.find((each) => each.name === name);
  if (format !== undefined) return format;
  const names = transcriptFormats.map((each) => each.name).join(", ");
  throw new OptionsError(
    "format",
    `There is no format ${JSON.stringify(name)}. Use auto, or one of: ${names}.`,
  );
}

function linesOf(
  text: string,
  { records }: TranscriptReading,
  said: readonly Said[],
): readonly (readonly number[])[] {
  const starts = records.map(({ start }) => start);
  const sorted = [...new Set(starts)].sort((a, b) => a - b);
  const numbers = lineNumbers(text, sorted);
  const numberOf = new Map(sorted.map((start, index) => [start, numbers[index]!]));
  return said.map(({ pieces }) => [...new Set(pieces.map(({ record }) => numberOf.get(starts[record]!)!))]);
}

/** Ids for new records, in the form of a UUID. Made of the file's own text, so that the same file gives the same ones. */
function idsOf(text: string): () => string {
  const seed = createHash("sha256").update(text).digest();
  let count = 0;
  return () => {
    const hex = createHash("sha256").update(seed).update(String(count++)).digest("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
}
