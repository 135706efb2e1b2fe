/** What a file holds: a request body, or the session file of an agent program, which is written back as such. */
import type { Conversation } from "../conversation/conversation.ts";
import { InputError } from "../errors/input-error.ts";
import { bodyValue, readBody } from "../providers/body.ts";
import { formats } from "../providers/detect.ts";
import type { Splice } from "../transcripts/splices.ts";
import type { Problem, SessionFacts } from "../transcripts/transcript.ts";

export interface WrittenInput {
  readonly text: string;
  /** Of a session file: what is no longer in it, and where it was. A request body is in the archive as it was. */
  readonly back?: readonly Splice[];
}

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
  /** What a session file says of itself, and when each message was said. */
  readonly session?: SessionFacts;
  readonly times?: readonly (number | undefined)[];
  /** Lines that were passed over and stay in the file. */
  readonly problems: readonly Problem[];
  /** The text to write: of a request body what the engine wrote, of a session file the file with what changed. */
  readonly write: (body: unknown, conversation: Conversation) => WrittenInput;
}

export interface ReadSessionOptions {
  /** Also what the program itself compacted away; such a session is not written back. @default false */
  readonly whole?: boolean;
  /** Nobody said that it is a conversation: what only looks like one is none. @default false */
  readonly isFound?: boolean;
}

/** @param format `auto`, a wire format, or one of docs/transcripts.md */
export async function readSession(
  text: string,
  format: string,
  { whole = false, isFound = false }: ReadSessionOptions = {},
): Promise<SessionInput> {
  const isWire = formats.some(({ name, aliases }) => name === format || aliases.includes(format));
  // What is a request as it stands may be a program's file too, which says more of the session.
  if (isWire || (format === "auto" && !whole && wireSureness(text) >= SURE)) return requestBody(text, format);
  const { detectTranscript, readTranscript, transcriptSplices } = await import(
    "../transcripts/read-transcript.ts"
  );
  const { applySplices, splicesBack } = await import("../transcripts/splices.ts");
  const chosen =
    format === "auto" ? detectTranscript(text, undefined, { atLeast: isFound ? SURE : 0 })?.name : format;
  if (chosen === undefined || formats.some(({ name }) => name === chosen)) return requestBody(text, format);
  const transcript = readTranscript(text, { format: chosen, whole });
  return {
    body: transcript.body,
    format: "anthropic-messages",
    transcript: transcript.format,
    pins: transcript.pins,
    usage: transcript.usage,
    session: transcript.session,
    times: transcript.times,
    problems: transcript.problems,
    write: (_body, conversation) => {
      const splices = transcriptSplices(transcript, conversation);
      return { text: applySplices(text, splices), back: splicesBack(text, splices) };
    },
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
  return { body: text, format, pins: [], problems: [], write: (body) => ({ text: String(body) }) };
}
