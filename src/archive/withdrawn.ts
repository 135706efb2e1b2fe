/** Withdrawn messages: those that a caller took back before any compaction saw them, kept for who asks for them. */
import { isObject, parsedJson } from "../json/wire-value.ts";
import type { Archive, ArchivedMessage } from "./archive.ts";
import { archiveItem } from "./item-id.ts";
import { writeTo } from "./ready-write.ts";
import { unlisted } from "./unlisted.ts";

interface SomeMessages {
  readonly conversation: string;
  readonly ids: readonly string[];
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Says that these messages of the conversation are in no other branch than their own. */
export async function keepWithdrawn(
  archive: Archive,
  { conversation, ids, at }: SomeMessages,
): Promise<void> {
  const before = await withdrawnIds(archive, conversation);
  await keep(archive, { conversation, ids: [...before, ...ids], at });
}

/** Says so of all but these, which are the conversation as it is now; if nothing begins as they do, of none. */
export async function withdrawOthers(
  archive: Archive,
  stored: readonly ArchivedMessage[],
  { conversation, ids, at }: SomeMessages,
): Promise<void> {
  const now = new Set(ids);
  const first = stored.find(({ role }) => role !== "system")?.position ?? -1;
  const isSame = stored.some(({ position, id }) => position === first && ids[first] === id);
  const before = await withdrawnIds(archive, conversation);
  const gone = isSame ? [...new Set(stored.map(({ id }) => id))].filter((id) => !now.has(id)) : before;
  const isKnown = gone.length === before.length && new Set([...gone, ...before]).size === gone.length;
  if (!isKnown) await keep(archive, { conversation, ids: gone, at });
}

async function keep(archive: Archive, { conversation, ids, at }: SomeMessages): Promise<void> {
  const items = [archiveItem("state", JSON.stringify({ at, withdrawn: [...new Set(ids)] }))];
  await writeTo(archive, { conversation: withdrawnPlace(conversation), about: conversation, at, items });
}

export async function withdrawnIds(archive: Archive, conversation: string): Promise<readonly string[]> {
  const kept = parsedJson((await archive.checkpoint?.(withdrawnPlace(conversation)))?.state ?? "");
  const ids = isObject(kept) && Array.isArray(kept.withdrawn) ? kept.withdrawn : [];
  return ids.filter((id) => typeof id === "string");
}

/** Where it is kept. */
export function withdrawnPlace(conversation: string): string {
  return unlisted(`${conversation}/withdrawn`);
}
