/** putWrite: one ReadyWrite into the tables, inside the transaction of its caller. */
import { ArchiveError } from "../../errors/archive-error.ts";
import type { ArchivedMessage, ArchiveItem, CompactionRecord, ReadyWrite } from "../archive.ts";
import { idsOfItem, idsOfWrite } from "../named-ids.ts";
import { compressed, encodeText, packText, unpackText } from "../packed-text.ts";
import type { Sql } from "./connection.ts";
import { addToIndex } from "./index-text.ts";
import { MESSAGES_PER_CONVERSATION, messageNumber } from "./message-numbers.ts";
import { columnOf, ITEM_COLUMNS, type ItemRow } from "./rows.ts";

/** @param file where the archive is, for errors */
export function putWrite(sql: Sql, file: string, write: ReadyWrite): void {
  const refuse = (why: string): never => {
    throw new ArchiveError(file, `${why} Nothing was written to ${file}.`);
  };
  const conversation = conversationRow(sql, write);
  const numbers = new Map<string, number>();
  for (const item of write.items) numbers.set(item.id, putItem(sql, item, refuse));
  const forgotten = own(sql, conversation.number, write, numbers);
  let order = conversation.next_message;
  for (const message of write.messages ?? []) {
    const item = numbers.get(message.id);
    if (item === undefined) refuse(`The message ${message.id} has no item in this write or before it.`);
    if (forgotten.has(message.id)) continue;
    if (putMessage(sql, { conversation: conversation.number, order, item: item!, message })) order++;
    if (order > MESSAGES_PER_CONVERSATION)
      refuse("The conversation has more messages than an archive can number.");
  }
  const state = write.items.findLast(({ kind }) => kind === "state");
  if (state) {
    sql("INSERT INTO checkpoints (conversation, at, item) VALUES (?, ?, ?) ON CONFLICT DO NOTHING").run(
      conversation.number,
      write.at,
      numbers.get(state.id)!,
    );
  }
  if (write.compaction) putCompaction(sql, conversation.number, write.compaction, refuse);
  sql(
    `UPDATE conversations SET first_at = min(first_at, ?), last_at = max(last_at, ?), next_message = ?,
       about = coalesce(?, about) WHERE number = ?`,
  ).run(write.at, write.at, order, write.about ?? null, conversation.number);
}

interface ConversationRow {
  readonly number: number;
  readonly next_message: number;
}

function conversationRow(sql: Sql, { conversation, at }: ReadyWrite): ConversationRow {
  const known = sql("SELECT number, next_message FROM conversations WHERE id = ?").get(conversation);
  if (known) return known as unknown as ConversationRow;
  const { lastInsertRowid } = sql(
    "INSERT INTO conversations (id, first_at, last_at, next_message) VALUES (?, ?, ?, 0)",
  ).run(conversation, at, at);
  return { number: Number(lastInsertRowid), next_message: 0 };
}

/** Gives the number of the item's row. */
function putItem(
  sql: Sql,
  { id, kind, content, masked }: ArchiveItem,
  refuse: (why: string) => never,
): number {
  const encoded = encodeText(content);
  const known = sql("SELECT number, kind, hash, forgotten_at FROM items WHERE id = ?").get(id);
  if (known && known.forgotten_at === null) {
    const isSame = known.kind === kind && Buffer.compare(known.hash as Uint8Array, encoded.hash) === 0;
    return isSame ? Number(known.number) : refuse(`The id ${id} stands for another content already.`);
  }
  const { codec, bytes, hash } = compressed(encoded);
  if (known) {
    sql(
      "UPDATE items SET kind = ?, masked = ?, forgotten_at = NULL, hash = ?, codec = ?, bytes = ? WHERE number = ?",
    ).run(kind, columnOf(masked), hash, codec, bytes, Number(known.number));
    return Number(known.number);
  }
  return Number(
    sql("INSERT INTO items (id, kind, masked, hash, codec, bytes) VALUES (?, ?, ?, ?, ?, ?)").run(
      id,
      kind,
      columnOf(masked),
      hash,
      codec,
      bytes,
    ).lastInsertRowid,
  );
}

/**
 * Everything that the write names now belongs to the conversation, with the pieces of a span or request that was written
 * elsewhere; adds the numbers of what was there before. Gives those that were forgotten and are not in the write: without its
 * piece a message would come back by halves.
 */
function own(
  sql: Sql,
  conversation: number,
  write: ReadyWrite,
  numbers: Map<string, number>,
): ReadonlySet<string> {
  const forgotten = new Set<string>();
  const named = [...idsOfWrite(write)];
  for (const id of named) {
    const earlier = numbers.has(id)
      ? undefined
      : sql(`SELECT ${ITEM_COLUMNS} FROM items WHERE id = ?`).get(id);
    if (earlier) numbers.set(id, Number(earlier.number));
    if (earlier && earlier.forgotten_at !== null) forgotten.add(id);
    const item = numbers.get(id);
    if (item === undefined) continue;
    const { changes } = sql(
      "INSERT INTO owners (conversation, item) VALUES (?, ?) ON CONFLICT DO NOTHING",
    ).run(conversation, item);
    if (earlier && changes > 0)
      for (const piece of piecesOf(earlier as unknown as ItemRow)) named.push(piece);
  }
  return forgotten;
}

/** Of what is damaged nothing can be said; verify names it. */
function piecesOf(row: ItemRow): readonly string[] {
  if (row.kind !== "span" && row.kind !== "request") return [];
  return idsOfItem({ kind: row.kind, content: unpackText(row) ?? "" });
}

interface MessageToPut {
  readonly conversation: number;
  readonly order: number;
  readonly item: number;
  readonly message: ArchivedMessage;
}

/** False when the conversation has the message in this place already. */
function putMessage(sql: Sql, { conversation, order, item, message }: MessageToPut): boolean {
  const { position, role, tools, at, text } = message;
  const known = sql("SELECT 1 FROM messages WHERE conversation = ? AND position = ? AND item = ?");
  if (known.get(conversation, position, item)) return false;
  const number = messageNumber(conversation, order);
  const { codec, bytes, hash } = packText(text);
  sql(
    "INSERT INTO messages (number, conversation, position, item, role, tools, at, hash, codec, bytes) " +
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  ).run(number, conversation, position, item, role, columnOf(tools), at, hash, codec, bytes);
  addToIndex(sql, number, text);
  return true;
}

function putCompaction(
  sql: Sql,
  conversation: number,
  record: CompactionRecord,
  refuse: (why: string) => never,
): void {
  const { codec, bytes, hash } = packText(JSON.stringify(record));
  const known = sql("SELECT hash FROM compactions WHERE id = ?").get(record.id);
  if (!known) {
    sql("INSERT INTO compactions (id, conversation, at, hash, codec, bytes) VALUES (?, ?, ?, ?, ?, ?)").run(
      record.id,
      conversation,
      record.at,
      hash,
      codec,
      bytes,
    );
  } else if (Buffer.compare(known.hash as Uint8Array, hash) !== 0) {
    refuse(`The id ${record.id} stands for another compaction already.`);
  }
}
