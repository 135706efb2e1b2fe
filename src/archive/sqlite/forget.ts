/** Erasing: conversations, or single items with the messages that hold them. What named them finds a note. */
import type { Removed, RetentionLimits } from "../archive.ts";
import { heldTogether } from "../held-together.ts";
import { unpackText } from "../packed-text.ts";
import { namesOfTenant } from "../tenant.ts";
import type { Sql } from "./connection.ts";
import { removeFromIndex } from "./index-text.ts";
import { rebuildIndex } from "./rebuild-index.ts";
import { ITEM_COLUMNS, type ItemRow, MESSAGE_COLUMNS, type MessageRow } from "./rows.ts";

export interface Erasing {
  readonly sql: Sql;
  /** The time that the notes show. */
  readonly at: number;
}

/** With all that is about it. */
export function forgetConversation(erasing: Erasing, id: string): Removed {
  const { conversations, items } = eraseWithAbout(erasing, id);
  return { conversations, items };
}

/** With all that is about them, also where they were never stored. */
export function forgetTenant(erasing: Erasing, tenant: string): Removed {
  const names = namesOfTenant(tenant).flatMap((begin) =>
    erasing
      .sql("SELECT id, about FROM conversations WHERE instr(id, ?) = 1 OR instr(about, ?) = 1")
      .all(begin, begin)
      .flatMap(({ id, about }) => [String(id), ...(about === null ? [] : [String(about)])]),
  );
  return [...new Set(names)].reduce((sum, name) => {
    const { conversations, items } = eraseWithAbout(erasing, name);
    return { conversations: sum.conversations + conversations, items: sum.items + items };
  }, NOTHING);
}

export function forgetItems(erasing: Erasing, ids: readonly string[]): Removed {
  const { sql, at } = erasing;
  const numbers = ids.flatMap((id) => sql("SELECT number FROM items WHERE id = ?").get(id)?.number ?? []);
  const owners = numbers.flatMap((item) =>
    sql("SELECT conversation FROM owners WHERE item = ?")
      .all(item)
      .map(({ conversation }) => Number(conversation)),
  );
  const texts = [...new Set(owners)].map((owner) => textsOfConversation(sql, owner));
  const erased = heldTogether(ids, {
    messages: texts.flatMap(({ messages }) => messages),
    pieces: texts.flatMap(({ pieces }) => pieces),
  });
  let items = 0;
  for (const id of erased) {
    eraseMessages(sql, messagesWhere(sql, "items.id = ?", id));
    items += Number(
      sql(`UPDATE items SET ${ERASED} WHERE forgotten_at IS NULL AND id = ?`).run(at, id).changes,
    );
  }
  for (const owner of new Set(owners)) items += eraseAbout(erasing, owner);
  return { conversations: 0, items };
}

/** Those that nothing was written to since a time, then the longest untouched until the size is met. */
export function retainConversations(
  erasing: Erasing,
  { before, maxBytes = Infinity }: RetentionLimits,
): Removed {
  const { sql } = erasing;
  let removed = NOTHING;
  let bytes = maxBytes === Infinity ? 0 : storedBytes(sql);
  const oldestFirst = sql("SELECT id, last_at FROM conversations ORDER BY last_at, number").all();
  for (const { id, last_at } of oldestFirst) {
    const isOld = before !== undefined && Number(last_at) < before;
    if (!isOld && bytes <= maxBytes) break;
    const erased = eraseWithAbout(erasing, String(id));
    bytes -= erased.bytes;
    removed = {
      conversations: removed.conversations + erased.conversations,
      items: removed.items + erased.items,
    };
  }
  return removed;
}

export function countErasure(sql: Sql): void {
  sql("UPDATE erasures SET count = count + 1").run();
}

/** A file that is open to be read only may be of an earlier release, which did not count. */
export function erasuresIn(sql: Sql): number {
  const isCounted = Number(sql("PRAGMA user_version").get()!.user_version) >= WITH_ERASURES;
  return isCounted ? Number(sql("SELECT count FROM erasures").get()!.count) : 0;
}

/** The version of the tables that has them. */
const WITH_ERASURES = 5;

const NOTHING: Removed = { conversations: 0, items: 0 };

interface Erased {
  readonly items: number;
  readonly bytes: number;
}

function eraseWithAbout(erasing: Erasing, id: string): Removed & Erased {
  const rows = erasing.sql("SELECT number, about FROM conversations WHERE id = ? OR about = ?").all(id, id);
  const erased = rows.map(({ number }) => eraseConversation(erasing, Number(number)));
  return {
    conversations: rows.filter(({ about }) => about === null).length,
    items: erased.reduce((sum, { items }) => sum + items, 0),
    bytes: erased.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** What is about a conversation, and not the conversation itself. Gives how many items went. */
function eraseAbout(erasing: Erasing, conversation: number): number {
  return erasing
    .sql("SELECT number FROM conversations WHERE about = (SELECT id FROM conversations WHERE number = ?)")
    .all(conversation)
    .reduce((sum, { number }) => sum + eraseConversation(erasing, Number(number)).items, 0);
}

function eraseConversation({ sql, at }: Erasing, conversation: number): Erased {
  const bytes = ownBytes(sql, conversation);
  eraseMessages(sql, messagesWhere(sql, "messages.conversation = ?", conversation));
  for (const table of ["compactions", "checkpoints"]) {
    sql(`DELETE FROM ${table} WHERE conversation = ?`).run(conversation);
  }
  const { changes } = sql(
    `UPDATE items SET ${ERASED} WHERE forgotten_at IS NULL AND number IN (SELECT item FROM owners WHERE ${OWNED_ALONE})`,
  ).run(at, conversation, conversation);
  sql("DELETE FROM owners WHERE conversation = ?").run(conversation);
  sql("DELETE FROM conversations WHERE number = ?").run(conversation);
  return { items: Number(changes), bytes };
}

/** A row of owners whose item no other conversation than the two parameters, which are one, has. */
const OWNED_ALONE =
  "conversation = ? AND NOT EXISTS (SELECT 1 FROM owners AS others WHERE others.item = owners.item AND others.conversation <> ?)";
const ERASED = "masked = NULL, forgotten_at = ?, hash = x'', codec = 0, bytes = x''";

/** What the contents and the searchable texts take, without indexes. */
export function storedBytes(sql: Sql): number {
  const sizes = ["items", "messages", "compactions"].map(
    (table) => `(SELECT total(length(bytes)) FROM ${table})`,
  );
  return Number(sql(`SELECT ${sizes.join(" + ")} AS size`).get()!.size);
}

/** What goes with a conversation. */
function ownBytes(sql: Sql, conversation: number): number {
  const { size } = sql(
    `SELECT (SELECT total(length(bytes)) FROM messages WHERE conversation = ?)
         + (SELECT total(length(bytes)) FROM compactions WHERE conversation = ?)
         + (SELECT total(length(bytes)) FROM items WHERE number IN (SELECT item FROM owners WHERE ${OWNED_ALONE})) AS size`,
  ).get(conversation, conversation, conversation, conversation)!;
  return Number(size);
}

function messagesWhere(sql: Sql, condition: string, value: number | string): readonly MessageRow[] {
  return sql(
    `SELECT ${MESSAGE_COLUMNS} FROM messages JOIN items ON items.number = messages.item WHERE ${condition}`,
  ).all(value) as unknown as readonly MessageRow[];
}

/** A row leaves the index by its text. Without it, because it is damaged, only a new index is free of it. */
function eraseMessages(sql: Sql, rows: readonly MessageRow[]): void {
  const texts = rows.map((row) => unpackText(row));
  for (const [index, { number }] of rows.entries()) {
    const text = texts[index];
    if (text !== undefined) removeFromIndex(sql, BigInt(number), text);
    sql("DELETE FROM messages WHERE number = ?").run(number);
  }
  if (texts.includes(undefined)) rebuildIndex(sql);
}

/** What is damaged holds no text to compare. */
function textsOfConversation(sql: Sql, conversation: number) {
  const messages = messagesWhere(sql, "messages.conversation = ?", conversation);
  const pieces = sql(
    `SELECT ${ITEM_COLUMNS} FROM items WHERE kind = 'text' AND forgotten_at IS NULL
       AND number IN (SELECT item FROM owners WHERE conversation = ?)`,
  ).all(conversation) as unknown as readonly ItemRow[];
  return {
    messages: messages.map((row) => ({ id: row.id, text: unpackText(row) ?? "" })),
    pieces: pieces.map((row) => ({ id: row.id, text: unpackText(row) ?? "" })),
  };
}
