/** What a file holds: a request body, or the session file of an agent program, which is written back as such. */
import type { Conversation } from "../conversation/conversation.ts";
import { InputError } from "../errors/input-error.ts";
import { bodyValue, readBody } from "../providers/body.ts";
import { formats } from "../providers/detect.ts";
import type { Problem } from "../transcripts/transcript.ts";

export interface SessionInput {
  /** What the engine reads. */
  readonly body: unknown;
  /** Its wire format, where the engine need not detect it. */
  readonly format: string;
  /** The program's own format; absent for a request body. */
  readonly transcript?: string;
  readonly pins: readonly number[];
  /** What the provider reported for the last request, where the file holds it. */
  readonly usage?: unknown;
  /** Lines that were passed over and stay in the file. */
  readonly problems: readonly Problem[];
  /** The text to write: of a request body what the engine wrote, of a session file the file with what changed. */
  readonly write: (body: unknown, conversation: Conversation) => string;
}

/** @param format `auto`, a wire format, or one of docs/transcripts.md */
export async function readSession(text: string, format: string): Promise<SessionInput> {
  const isWire = formats.some(({ name, aliases }) => name === format || aliases.includes(format));
  if (isWire || (format === "auto" && wireSureness(text) >= SURE)) return requestBody(text, format);
  const { detectTranscript, readTranscript, writeTranscript } = await import("../transcripts/index.ts");
  if (format === "auto") {
    const found = detectTranscript(text);
    if (!found || formats.some(({ name }) => name === found.name)) return requestBody(text, format);
  }
  const transcript = readTranscript(text, { format });
  return {
    body: transcript.body,
    format: "anthropic-messages",
    transcript: transcript.format,
    pins: transcript.pins,
    usage: transcript.usage,
    problems: transcript.problems,
    write: (_body, conversation) => writeTranscript(transcript, conversation),
  };
}

/** Below this a list of messages may as well be the file of some program. */
const SURE = 0.8;

function wireSureness(text: string): number {
  try {
    const body = bodyValue(readBody(text));
    return Math.max(...formats.map(({ detect }) => detect(body)));
  } catch (error) {
    if (error instanceof InputError) return 0;
    throw error;
  }
}

function requestBody(text: string, format: string): SessionInput {
  return { body: text, format, pins: [], problems: [], write: String };
}
