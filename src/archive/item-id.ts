/** itemId: the id of a piece of content, the same wherever and whenever it is stored. */
import { createHash } from "node:crypto";
import type { ArchiveItem, ItemKind } from "./archive.ts";
import { knownMasked, maskContent } from "./masked-item.ts";

/** How an id reads in any text: `pith:` and 12 letters or digits. */
export const MARKER = /pith:[0-9a-z]{8,}/g;

/**
 * `itemId("text", "hello")` → `pith:` and 12 characters: 60 bits of a SHA-256 over kind and content. Two contents that
 * met in one id would be refused by `put`, so that none is lost.
 */
export function itemId(kind: ItemKind, content: string): string {
  const digest = createHash("sha256").update(kind).update("\0").update(content).digest();
  return `pith:${(digest.readBigUInt64BE() >> 4n).toString(32).padStart(12, "0")}`;
}

/**
 * An item with its secrets masked; its id follows from what is stored.
 *
 * @param masked the kinds of what was masked in the content before
 */
export function archiveItem(kind: ItemKind, content: string, masked: readonly string[] = []): ArchiveItem {
  const { text, masked: more } = maskContent(kind, content);
  return knownMasked({ id: itemId(kind, text), kind, content: text, masked: [...masked, ...more] });
}
