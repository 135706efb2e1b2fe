/** importSession: a session that was given as a file into an archive, whole, so that it is looked at like any other. */
import type { Archive } from "../archive/archive.ts";
import { archivedMessages } from "../archive/archived-messages.ts";
import { createMarks } from "../archive/marks.ts";
import { writeTo } from "../archive/ready-write.ts";
import { requestItems } from "../archive/request-items.ts";
import { readConversation } from "../providers/detect.ts";
import { lastAnswer } from "../run/observation.ts";
import { promptTokensOf } from "../tokens/anchor.ts";
import { counterForModel } from "../tokens/counter.ts";
import type { Problem } from "../transcripts/transcript.ts";
import type { GivenSession } from "./profile.ts";

export interface SessionToImport {
  readonly conversation: string;
  readonly body: unknown;
  readonly format: string;
  readonly model?: string | undefined;
  /** The provider's usage block of the last answer. */
  readonly usage?: unknown;
  readonly pins: readonly number[];
  readonly problems: readonly Problem[];
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Throws InputError or ArchiveError. */
export async function importSession(archive: Archive, session: SessionToImport): Promise<GivenSession> {
  const { conversation, body, at, pins, problems } = session;
  const read = readConversation(body, { format: session.format });
  const { messages, tools, format } = read;
  const marks = createMarks();
  const places = messages.map((message, position) => ({ position, id: marks.message(message) }));
  const { request, glue } = requestItems(body, messages, marks);
  await writeTo(archive, {
    conversation,
    at,
    items: [...marks.items.values(), ...new Map(glue.map((item) => [item.id, item])).values(), request],
    messages: archivedMessages(messages, places, { at }),
  });
  const model = session.model ?? read.model;
  const tokens = promptTokensOf(session.usage);
  return {
    conversation,
    request: request.id,
    messages: messages.length,
    format,
    toolTokens: counterForModel(model).tools(tools),
    model,
    ...(tokens !== undefined && { usage: { position: lastAnswer(read), tokens } }),
    pins,
    problems,
  };
}
