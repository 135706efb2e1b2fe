/** Reading from a PostgreSQL archive: items, messages, conversations, compactions and checkpoints. */
import { ArchiveError } from "../../errors/archive-error.ts";
import type {
  ArchivedMessage,
  Checkpoint,
  CompactionRecord,
  ConversationInfo,
  Holder,
  ItemKind,
  MessageRange,
  StoredItem,
} from "../archive.ts";
import { unpackText } from "../packed-text.ts";
import { UNLISTED_PREFIX } from "../unlisted.ts";
import type { Query } from "./connection.ts";
import { digestOf } from "./digest.ts";
import type { Tables } from "./schema.ts";
import { ofTenant } from "./scope.ts";
import { originalText } from "./storable-text.ts";

export interface ItemRow {
  readonly id: string;
  readonly kind: ItemKind;
  readonly masked: readonly string[];
  readonly forgotten: number | null;
  readonly hash: Buffer | null;
  readonly codec: number | null;
  readonly bytes: Buffer | null;
}

/** The columns of an ItemRow, from `items` and the `blobs` beside it. */
export const ITEM_COLUMNS = "id, kind, masked, forgotten, items.hash, codec, bytes";

/** The item of a row, or undefined when its content is damaged or gone. */
export function itemOf(row: ItemRow): StoredItem | undefined {
  const { id, kind, forgotten, hash, codec, bytes } = row;
  const masked = row.masked.map(originalText);
  if (forgotten !== null) return { id, kind, content: "", masked, forgotten };
  const content = hash && bytes && codec !== null ? unpackText({ codec, bytes, hash }) : undefined;
  return content === undefined ? undefined : { id, kind, content, masked };
}

export async function getMany(
  archive: string,
  tables: Tables,
  query: Query,
  ids: readonly string[],
): Promise<readonly (StoredItem | undefined)[]> {
  const rows = await query<ItemRow>(
    `SELECT ${ITEM_COLUMNS} FROM ${tables.items} AS items LEFT JOIN ${tables.blobs} USING (hash) WHERE id = ANY($1)`,
    [ids.filter((id) => !id.includes("\0"))],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = byId.get(id);
    return row && readable(archive, row);
  });
}

function readable(archive: string, row: ItemRow): StoredItem {
  const item = itemOf(row);
  if (item) return item;
  throw new ArchiveError(
    archive,
    `The stored content of ${row.id} in ${archive} is damaged. Verify the archive.`,
  );
}

export async function held(
  tables: Tables,
  query: Query,
  holder: Holder,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const isOne = typeof holder === "string";
  const keys = isOne ? `SELECT key FROM ${tables.conversations} WHERE digest = $1` : ofTenant(tables, "$1");
  const rows = await query<{ item: string }>(
    `SELECT DISTINCT item FROM ${tables.holdings} WHERE conversation IN (${keys}) AND item = ANY($2)`,
    [isOne ? digestOf(holder) : holder.tenant, ids.filter((id) => !id.includes("\0"))],
  );
  return new Set(rows.map(({ item }) => item));
}

export interface MessageRow {
  readonly position: number;
  readonly id: string;
  readonly role: ArchivedMessage["role"];
  readonly tools: readonly string[];
  readonly text: string;
  readonly at: number;
}

/** The columns of a MessageRow. A bigint would come as text. */
export const MESSAGE_COLUMNS = "position::float8, item AS id, role, tools, text, at";

export function messageOf({ position, id, role, tools, text, at }: MessageRow): ArchivedMessage {
  return { position, id, role, tools: tools.map(originalText), text: originalText(text), at };
}

export async function messages(
  tables: Tables,
  query: Query,
  conversation: string,
  { from, to }: MessageRange = {},
): Promise<readonly ArchivedMessage[]> {
  const rows = await query<MessageRow>(
    `SELECT ${MESSAGE_COLUMNS} FROM ${tables.messages}
     WHERE conversation = (SELECT key FROM ${tables.conversations} WHERE digest = $1)
       AND position >= coalesce($2::float8, '-infinity') AND position <= coalesce($3::float8, 'infinity')
     ORDER BY messages.position, messages.key`,
    [digestOf(conversation), from ?? null, to ?? null],
  );
  return rows.map(messageOf);
}

export async function conversations(tables: Tables, query: Query): Promise<readonly ConversationInfo[]> {
  return await query<ConversationInfo & Record<string, unknown>>(
    `SELECT name AS id, first_at AS "firstAt", last_at AS "lastAt",
       (SELECT count(*)::integer FROM ${tables.messages} WHERE conversation = conversations.key) AS messages,
       (SELECT count(*)::integer FROM ${tables.compactions} WHERE conversation = conversations.key) AS compactions
     FROM ${tables.conversations} AS conversations
     WHERE NOT starts_with(name, $1) ORDER BY first_at, conversations.key`,
    [UNLISTED_PREFIX],
  );
}

export async function compactions(
  tables: Tables,
  query: Query,
  conversation: string,
): Promise<readonly CompactionRecord[]> {
  const rows = await query<{ record: string }>(
    `SELECT record FROM ${tables.compactions}
     WHERE conversation = (SELECT key FROM ${tables.conversations} WHERE digest = $1) ORDER BY at, id`,
    [digestOf(conversation)],
  );
  return rows.map(({ record }) => JSON.parse(record) as CompactionRecord);
}

export async function compaction(
  tables: Tables,
  query: Query,
  id: string,
): Promise<CompactionRecord | undefined> {
  const [row] = await query<{ record: string }>(`SELECT record FROM ${tables.compactions} WHERE id = $1`, [
    id,
  ]);
  return row && (JSON.parse(row.record) as CompactionRecord);
}

export async function checkpoints(
  archive: string,
  tables: Tables,
  query: Query,
  conversations: readonly string[],
): Promise<readonly Checkpoint[]> {
  const names = new Map(conversations.map((name) => [digestOf(name).toString("hex"), name]));
  const rows = await query<ItemRow & { at: number; digest: Buffer }>(
    `SELECT DISTINCT ON (states.conversation) conversations.digest, states.at, ${ITEM_COLUMNS}
     FROM ${tables.conversations} AS conversations
     JOIN ${tables.states} AS states ON states.conversation = conversations.key
     JOIN ${tables.items} AS items ON items.id = states.item AND forgotten IS NULL
     LEFT JOIN ${tables.blobs} USING (hash)
     WHERE conversations.digest = ANY($1)
     ORDER BY states.conversation, states.at DESC, states.key DESC`,
    [[...names.keys()].map((digest) => Buffer.from(digest, "hex"))],
  );
  return rows.map((row) => ({
    conversation: names.get(row.digest.toString("hex"))!,
    at: row.at,
    state: readable(archive, row).content,
  }));
}
