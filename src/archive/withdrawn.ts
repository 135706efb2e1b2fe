/** Withdrawn messages: those that a caller took back before any compaction saw them, kept for who asks for them. */
import { isObject, parsedJson } from "../json/wire-value.ts";
import type { Archive } from "./archive.ts";
import { archiveItem } from "./item-id.ts";
import { writeTo } from "./ready-write.ts";
import { unlisted } from "./unlisted.ts";

/** Says that these messages of the conversation are in no other branch than their own. */
export async function keepWithdrawn(
  archive: Archive,
  {
    conversation,
    ids,
    at,
  }: { readonly conversation: string; readonly ids: readonly string[]; readonly at: number },
): Promise<void> {
  const all = [...new Set([...(await withdrawnIds(archive, conversation)), ...ids])];
  const items = [archiveItem("state", JSON.stringify({ withdrawn: all }))];
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
