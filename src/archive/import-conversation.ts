/** importConversation: a whole conversation into an archive, as it is, with nothing compacted. */
import { readConversation } from "../providers/detect.ts";
import type { Archive } from "./archive.ts";
import { archivedMessages } from "./archived-messages.ts";
import { createMarks } from "./marks.ts";
import { writeTo } from "./ready-write.ts";
import { keepWithdrawn, withdrawOthers } from "./withdrawn.ts";

export interface ConversationToImport {
  /** The name that it gets in the archive. Importing more under the same name adds to it. */
  readonly conversationId: string;
  /** A body in any wire format: text or a value. */
  readonly body: unknown;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** @default "auto" */
  readonly format?: string;
  /**
   * `more`: adds to what is there. `whole`: it is the conversation as it is now; what is there, begins alike and is not in it
   * was taken back. `withdrawn`: it was taken back itself, and is found only by who asks for other branches.
   * @default "more"
   */
  readonly as?: "more" | "whole" | "withdrawn";
}

/** How many messages there were. Throws InputError or ArchiveError; then nothing was written. */
export async function importConversation(
  archive: Archive,
  { conversationId, body, at, format = "auto", as = "more" }: ConversationToImport,
): Promise<number> {
  const { messages } = readConversation(body, { format });
  const marks = createMarks();
  const places = messages.map((message, position) => ({ position, id: marks.message(message) }));
  // First: what is found before it is known to be withdrawn would read as if it held.
  const ids = places.map(({ id }) => id);
  if (as === "withdrawn") await keepWithdrawn(archive, { conversation: conversationId, ids, at });
  if (as === "whole") await withdrawOthers(archive, { conversation: conversationId, ids, at });
  await writeTo(archive, {
    conversation: conversationId,
    at,
    items: [...marks.items.values()],
    messages: archivedMessages(messages, places, { at }),
  });
  return messages.length;
}
