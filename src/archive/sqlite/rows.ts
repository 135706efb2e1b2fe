/** Rows of the archive's tables as the contract's values. */
import { ArchiveError } from "../../errors/archive-error.ts";
import type { ArchivedMessage, CompactionRecord, ItemKind, StoredItem } from "../archive.ts";
import { type PackedText, unpackText } from "../packed-text.ts";

export interface ItemRow extends PackedText {
  readonly number: number;
  readonly id: string;
  readonly kind: ItemKind;
  readonly masked: string | null;
  readonly forgotten_at: number | null;
}

export interface MessageRow extends PackedText {
  readonly number: number;
  readonly position: number;
  readonly id: string;
  readonly role: ArchivedMessage["role"];
  readonly tools: string | null;
  readonly at: number;
}

export interface PackedCompaction extends PackedText {
  readonly id: string;
}

/** What a query for items, or for messages joined with their items, selects. */
export const ITEM_COLUMNS = "number, id, kind, masked, forgotten_at, hash, codec, bytes";
export const MESSAGE_COLUMNS =
  "messages.number, position, items.id, role, tools, at, messages.hash, messages.codec, messages.bytes";

/** The numbers of a tenant's conversations; its one parameter is the tenant's name. */
export const OF_TENANT = "SELECT number FROM conversations WHERE instr(id, ? || '/') = 1";

/** @param file where the archive is, for the error */
export function itemOfRow(file: string, row: ItemRow): StoredItem {
  const { id, kind, masked, forgotten_at: forgotten } = row;
  if (forgotten !== null) return { id, kind, content: "", masked: [], forgotten };
  return { id, kind, content: textOfRow(file, row), masked: listOf(masked) };
}

export function messageOfRow(file: string, row: MessageRow): ArchivedMessage {
  const { position, id, role, tools, at } = row;
  return { position, id, role, tools: listOf(tools), text: textOfRow(file, row), at };
}

export function compactionOfRow(file: string, row: PackedCompaction): CompactionRecord {
  return JSON.parse(textOfRow(file, row));
}

/** The text of a row. A damaged one is never given out. */
export function textOfRow(file: string, row: PackedText & { readonly id: string }): string {
  const text = unpackText(row);
  if (text !== undefined) return text;
  throw new ArchiveError(
    file,
    `What the archive ${file} holds for ${row.id} is damaged: its hash differs. Restore the file from a backup; ` +
      "verify lists all that is damaged.",
  );
}

/** A list in a column: nothing for an empty one, which most are. */
export function columnOf(list: readonly string[]): string | null {
  return list.length > 0 ? JSON.stringify(list) : null;
}

export function listOf(column: string | null): readonly string[] {
  return column === null ? [] : JSON.parse(column);
}
