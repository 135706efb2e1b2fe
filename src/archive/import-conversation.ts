/** importConversation: a whole conversation into an archive, as it is, with nothing compacted. */

import { holdsHandoff } from "../conversation/handoffs/separate.ts";
import { readConversation } from "../providers/detect.ts";
import type { Archive, ArchivedMessage, MessagePlace } from "./archive.ts";
import { archivedMessages } from "./archived-messages.ts";
import { createMarks } from "./marks.ts";
import { writeTo } from "./ready-write.ts";
import { keepTitle } from "./titles.ts";
import { keepWithdrawn, withdrawOthers } from "./withdrawn.ts";

export interface ConversationToImport {
  /** The name that it gets in the archive. Importing more under the same name adds to it. */
  readonly conversationId: string;
  /** A body in any wire format: text or a value. */
  readonly body: unknown;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** When each message was said, by position. @default `at` */
  readonly times?: readonly (number | undefined)[];
  /** What people call it. @default as before */
  readonly title?: string | undefined;
  /** @default "auto" */
  readonly format?: string;
  /**
   * `more`: adds to what is there. `whole`: it is the conversation as it is now; what is there, begins alike and is not in it
   * was taken back, or stays where a hand-off stands for it. `withdrawn`: it was taken back itself, and is found only by who
   * asks for other branches.
   * @default "more"
   */
  readonly as?: "more" | "whole" | "withdrawn";
}

export interface Imported {
  /** How many messages there were. */
  readonly messages: number;
  /** How many of them the conversation did not have. */
  readonly added: number;
}

/** Throws InputError or ArchiveError; then nothing was written. */
export async function importConversation(
  archive: Archive,
  { conversationId, body, at, times = [], title, format = "auto", as = "more" }: ConversationToImport,
): Promise<Imported> {
  const { messages } = readConversation(body, { format });
  const marks = createMarks();
  const ids = messages.map(marks.message);
  const stored = (await archive.messages?.(conversationId)) ?? [];
  const places = as === "whole" ? placesAmong(stored, ids) : ids.map((id, position) => ({ position, id }));
  // First: what is found before it is known to be withdrawn would read as if it held.
  if (as === "withdrawn") await keepWithdrawn(archive, { conversation: conversationId, ids, at });
  if (as === "whole" && !messages.some(holdsHandoff))
    await withdrawOthers(archive, stored, { conversation: conversationId, ids, at });
  if (title !== undefined) await keepTitle(archive, { conversation: conversationId, title, at });
  const said = archivedMessages(messages, places, { at, times });
  const known = new Set(stored.map(keyOf));
  const added = said.filter((message) => !known.has(keyOf(message))).length;
  if (added > 0 || stored.length === 0) {
    const items = [...marks.items.values()];
    const saidAt = said.map((message) => message.at);
    // A conversation is as old as its first message, and was last written to with its last one.
    const [first, last] = [saidAt.reduce(least, at), saidAt.reduce(most, saidAt[0] ?? at)];
    await writeTo(archive, { conversation: conversationId, at: last, items, messages: said });
    if (first < last) await writeTo(archive, { conversation: conversationId, at: first, items: [] });
  }
  return { messages: messages.length, added };
}

const least = (one: number, other: number): number => Math.min(one, other);
const most = (one: number, other: number): number => Math.max(one, other);

/** What the conversation has stays where it is; what it has not comes after the message before it. */
function placesAmong(stored: readonly ArchivedMessage[], ids: readonly string[]): readonly MessagePlace[] {
  const known = new Map<string, { readonly positions: number[]; next: number }>();
  for (const { id, position } of stored) {
    const found = known.get(id);
    if (found) found.positions.push(position);
    else known.set(id, { positions: [position], next: 0 });
  }
  let last = -1;
  return ids.map((id) => {
    const found = known.get(id);
    while (found && found.positions[found.next]! <= last) found.next++;
    last = found?.positions[found.next] ?? last + 1;
    return { position: last, id };
  });
}

function keyOf({ position, id }: MessagePlace): string {
  return `${position} ${id}`;
}
