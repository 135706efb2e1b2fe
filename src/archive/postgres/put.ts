/** put: everything of a write in one transaction, in batches, so that writing it again changes nothing. */
import { ArchiveError } from "../../errors/archive-error.ts";
import type { ArchivedMessage, ArchiveItem, CompactionRecord, ReadyWrite } from "../archive.ts";
import { type PackedText, packText } from "../packed-text.ts";
import { batches } from "./batches.ts";
import type { Query } from "./connection.ts";
import { digestOf } from "./digest.ts";
import { hold } from "./hold.ts";
import { indexColumns } from "./index-messages.ts";
import { lockForWriting } from "./locks.ts";
import type { Tables } from "./schema.ts";
import { storableText } from "./storable-text.ts";

/**
 * subtle: every table gets its rows in the order of their keys. Two writers that share items then wait for each other
 * in the same order, and never in a circle.
 */
export async function put(archive: string, tables: Tables, query: Query, write: ReadyWrite): Promise<void> {
  const items = distinctItems(archive, write.items).map((item) => ({ ...item, ...packText(item.content) }));
  await lockForWriting(tables, query);
  const conversation = await putConversation(tables, query, write);
  await putBlobs(tables, query, items);
  await putItems(tables, query, items);
  await refuseOtherContent(archive, tables, query, items);
  await refuseMissingItems(archive, tables, query, write.messages ?? []);
  await hold(tables, query, conversation, write);
  await putMessages(tables, query, conversation, write.messages ?? []);
  if (write.compaction) await putCompaction(archive, tables, query, conversation, write.compaction);
  await putState(tables, query, conversation, write);
}

type PackedItem = ArchiveItem & PackedText;

/** Sorted by id, each once. */
function distinctItems(archive: string, items: readonly ArchiveItem[]): readonly ArchiveItem[] {
  const byId = new Map<string, ArchiveItem>();
  for (const item of items) {
    const known = byId.get(item.id);
    if (known && (known.kind !== item.kind || known.content !== item.content))
      throw otherContent(archive, item.id);
    byId.set(item.id, item);
  }
  return [...byId.values()].sort((one, other) => compare(one.id, other.id));
}

function otherContent(archive: string, id: string): ArchiveError {
  return refusal(archive, `The id ${id} stands for another content already.`);
}

function refusal(archive: string, why: string): ArchiveError {
  return new ArchiveError(archive, `${why} Nothing was written to ${archive}.`);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

async function putConversation(
  tables: Tables,
  query: Query,
  { conversation, about, at }: ReadyWrite,
): Promise<string> {
  const [row] = await query<{ key: string }>(
    `INSERT INTO ${tables.conversations} AS known (digest, name, about, first_at, last_at) VALUES ($1, $2, $3, $4, $4)
     ON CONFLICT (digest) DO UPDATE SET
       about = coalesce(excluded.about, known.about),
       first_at = least(known.first_at, excluded.first_at),
       last_at = greatest(known.last_at, excluded.last_at)
     RETURNING key`,
    [digestOf(conversation), conversation, about === undefined ? null : digestOf(about), at],
  );
  return row!.key;
}

/** Those that are there stay. */
export async function putBlobs(tables: Tables, query: Query, items: readonly PackedText[]): Promise<void> {
  const byHash = new Map(items.map((item) => [Buffer.from(item.hash).toString("hex"), item]));
  const sorted = [...byHash].sort(([one], [other]) => compare(one, other)).map(([, item]) => item);
  for (const batch of batches(sorted, (item) => item.bytes.length)) {
    await query(
      `INSERT INTO ${tables.blobs} (hash, codec, bytes)
       SELECT * FROM unnest($1::bytea[], $2::smallint[], $3::bytea[])
       ON CONFLICT (hash) DO NOTHING`,
      [batch.map(({ hash }) => hash), batch.map(({ codec }) => codec), batch.map(({ bytes }) => bytes)],
    );
  }
}

/** An item that was forgotten comes back when it is written again. */
async function putItems(tables: Tables, query: Query, items: readonly PackedItem[]): Promise<void> {
  for (const batch of batches(items)) {
    await query(
      `INSERT INTO ${tables.items} AS known (id, kind, hash, masked)
       SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::jsonb[])
       ON CONFLICT (id) DO UPDATE SET
         kind = excluded.kind, hash = excluded.hash, masked = excluded.masked, forgotten = NULL
       WHERE known.forgotten IS NOT NULL`,
      [
        batch.map(({ id }) => id),
        batch.map(({ kind }) => kind),
        batch.map(({ hash }) => hash),
        batch.map(({ masked }) => JSON.stringify(masked.map(storableText))),
      ],
    );
  }
}

async function refuseOtherContent(
  archive: string,
  tables: Tables,
  query: Query,
  items: readonly PackedItem[],
): Promise<void> {
  for (const batch of batches(items)) {
    const [other] = await query<{ id: string }>(
      `SELECT id FROM unnest($1::text[], $2::text[], $3::bytea[]) AS given (id, kind, hash)
       JOIN ${tables.items} AS known USING (id)
       WHERE known.hash <> given.hash OR known.kind <> given.kind LIMIT 1`,
      [batch.map(({ id }) => id), batch.map(({ kind }) => kind), batch.map(({ hash }) => hash)],
    );
    if (other) throw otherContent(archive, other.id);
  }
}

async function refuseMissingItems(
  archive: string,
  tables: Tables,
  query: Query,
  messages: readonly ArchivedMessage[],
): Promise<void> {
  for (const batch of batches(messages)) {
    const [missing] = await query<{ id: string }>(
      `SELECT given.id FROM unnest($1::text[]) AS given (id)
       LEFT JOIN ${tables.items} AS known USING (id) WHERE known.id IS NULL LIMIT 1`,
      [batch.map(({ id }) => id)],
    );
    if (missing) throw refusal(archive, `The message ${missing.id} has no item in this write or before it.`);
  }
}

/** Without its piece a message would come back by halves: what was forgotten stays forgotten. */
async function putMessages(
  tables: Tables,
  query: Query,
  conversation: string,
  messages: readonly ArchivedMessage[],
): Promise<void> {
  const sorted = [...messages].sort(
    (one, other) => one.position - other.position || compare(one.id, other.id),
  );
  for (const batch of batches(sorted, (message) => 2 * message.text.length)) {
    const indexed = batch.map(indexColumns);
    await query(
      `INSERT INTO ${tables.messages} (conversation, position, item, role, tools, text, at, length, terms, own)
       SELECT $1, given.* FROM unnest($2::bigint[], $3::text[], $4::text[], $5::jsonb[], $6::text[], $7::float8[],
           $8::integer[], $9::tsvector[], $10::boolean[])
         AS given (position, item, role, tools, text, at, length, terms, own)
       WHERE EXISTS (SELECT FROM ${tables.items} AS items WHERE items.id = given.item AND forgotten IS NULL)
       ON CONFLICT DO NOTHING`,
      [
        conversation,
        batch.map(({ position }) => position),
        batch.map(({ id }) => id),
        batch.map(({ role }) => role),
        batch.map(({ tools }) => JSON.stringify(tools.map(storableText))),
        batch.map(({ text }) => storableText(text)),
        batch.map(({ at }) => at),
        indexed.map(({ length }) => length),
        indexed.map(({ terms }) => terms),
        indexed.map(({ own }) => own),
      ],
    );
  }
}

async function putCompaction(
  archive: string,
  tables: Tables,
  query: Query,
  conversation: string,
  record: CompactionRecord,
): Promise<void> {
  const values = [record.id, conversation, record.at, JSON.stringify(record)];
  await query(
    `INSERT INTO ${tables.compactions} (id, conversation, at, record) VALUES ($1, $2, $3, $4)
     ON CONFLICT (id) DO NOTHING`,
    values,
  );
  const [known] = await query<{ record: string }>(`SELECT record FROM ${tables.compactions} WHERE id = $1`, [
    record.id,
  ]);
  if (known?.record !== values[3])
    throw refusal(archive, `The id ${record.id} stands for another compaction already.`);
}

/** The last state that a write carries is what the conversation goes on from. */
async function putState(
  tables: Tables,
  query: Query,
  conversation: string,
  write: ReadyWrite,
): Promise<void> {
  const state = write.items.findLast(({ kind }) => kind === "state");
  if (!state) return;
  await query(
    `INSERT INTO ${tables.states} (conversation, at, item) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
    [conversation, write.at, state.id],
  );
}
