/** forget and retain: content, index and rows are erased for good; an item leaves a note that it was there. */
import type { Forget, Removed, RetentionLimits } from "../archive.ts";
import { type HeldText, heldTogether } from "../held-together.ts";
import { namesOfTenant } from "../tenant.ts";
import type { Connection, Query } from "./connection.ts";
import { digestOf } from "./digest.ts";
import { lockForErasing } from "./locks.ts";
import { ITEM_COLUMNS, type ItemRow, itemOf } from "./read.ts";
import type { Tables } from "./schema.ts";
import { originalText } from "./storable-text.ts";

export function forget(tables: Tables, query: Query, what: Forget, now: number): Promise<Removed> {
  if ("conversation" in what) return forgetConversation(tables, query, what.conversation, now);
  return "tenant" in what
    ? forgetTenant(tables, query, what.tenant, now)
    : forgetItems(tables, query, what.ids, now);
}

/** With all that is about it. */
async function forgetConversation(
  tables: Tables,
  query: Query,
  conversation: string,
  now: number,
): Promise<Removed> {
  await lockForErasing(tables, query);
  const { conversations, items } = await eraseWithAbout(tables, query, digestOf(conversation), now);
  return { conversations, items };
}

/** With all that is about them; that names the tenant, too, where the conversation was never stored. */
async function forgetTenant(tables: Tables, query: Query, tenant: string, now: number): Promise<Removed> {
  await lockForErasing(tables, query);
  const rows = await query<{ key: string; isOwn: boolean }>(
    `WITH own AS (
       SELECT key, digest FROM ${tables.conversations} WHERE starts_with(name, $1) OR starts_with(name, $2)
     )
     SELECT key, about IS NULL AS "isOwn" FROM ${tables.conversations}
     WHERE key IN (SELECT key FROM own) OR about IN (SELECT digest FROM own)`,
    [...namesOfTenant(tenant)],
  );
  const { items } = await eraseConversations(tables, query, keysOf(rows), now);
  return { conversations: rows.filter(({ isOwn }) => isOwn).length, items };
}

/** Items, the messages that hold them, and the pieces that hold the same text. */
async function forgetItems(
  tables: Tables,
  query: Query,
  ids: readonly string[],
  now: number,
): Promise<Removed> {
  await lockForErasing(tables, query);
  const known = ids.filter((id) => !id.includes("\0"));
  const [messages, pieces] = [
    await textsBeside(tables, query, known),
    await piecesBeside(tables, query, known),
  ];
  const erased = [...heldTogether(known, { messages, pieces })];
  await query(`DELETE FROM ${tables.messages} WHERE item = ANY($1)`, [erased]);
  const beside = await query<{ key: string }>(
    `SELECT key FROM ${tables.conversations} WHERE about IN (
       SELECT digest FROM ${tables.conversations} WHERE key IN (${holdersOf(tables)}))`,
    [known],
  );
  const quoting = await eraseConversations(tables, query, keysOf(beside), now);
  return { conversations: 0, items: quoting.items + (await eraseItems(tables, query, erased, now)).items };
}

/** One conversation a transaction, so that writers need not wait for all of them. */
export async function retain(
  connection: Connection,
  tables: Tables,
  { before = -Infinity, maxBytes = Infinity }: RetentionLimits,
  now: () => number,
): Promise<Removed> {
  let bytes =
    maxBytes === Infinity
      ? 0
      : await connection.read("measuring its size", (query) => storedBytes(tables, query));
  let removed = NOTHING;
  for (;;) {
    const lastWritten = bytes > maxBytes ? Infinity : before;
    const erased = await connection.transaction("removing what is old", async (query) => {
      await lockForErasing(tables, query);
      const [oldest] = await query<{ digest: Buffer }>(
        `SELECT digest FROM ${tables.conversations} WHERE last_at < $1 ORDER BY last_at, key LIMIT 1`,
        [lastWritten],
      );
      if (oldest) await countErasure(tables, query);
      return oldest && (await eraseWithAbout(tables, query, oldest.digest, now()));
    });
    if (!erased) return removed;
    bytes -= erased.bytes;
    removed = {
      conversations: removed.conversations + erased.conversations,
      items: removed.items + erased.items,
    };
  }
}

/** In the transaction that erases, which is the only one at a time. */
export async function countErasure(tables: Tables, query: Query): Promise<void> {
  await query(`UPDATE ${tables.erasures} SET count = count + 1`);
}

export async function erasures(tables: Tables, query: Query): Promise<number> {
  const [row] = await query<{ count: string }>(`SELECT count FROM ${tables.erasures}`);
  return Number(row!.count);
}

const NOTHING: Removed = { conversations: 0, items: 0 };

interface Erased {
  readonly items: number;
  readonly bytes: number;
}

async function eraseWithAbout(
  tables: Tables,
  query: Query,
  digest: Buffer,
  now: number,
): Promise<Removed & Erased> {
  const rows = await query<{ key: string; isOwn: boolean }>(
    `SELECT key, about IS NULL AS "isOwn" FROM ${tables.conversations} WHERE digest = $1 OR about = $1`,
    [digest],
  );
  const erased = await eraseConversations(tables, query, keysOf(rows), now);
  return { conversations: rows.filter(({ isOwn }) => isOwn).length, ...erased };
}

async function eraseConversations(
  tables: Tables,
  query: Query,
  keys: readonly string[],
  now: number,
): Promise<Erased> {
  const [texts] = await query<{ bytes: number }>(
    `WITH gone AS (DELETE FROM ${tables.messages} WHERE conversation = ANY($1) RETURNING pg_column_size(text) AS size)
     SELECT coalesce(sum(size), 0)::float8 AS bytes FROM gone`,
    [keys],
  );
  await query(`DELETE FROM ${tables.compactions} WHERE conversation = ANY($1)`, [keys]);
  await query(`DELETE FROM ${tables.states} WHERE conversation = ANY($1)`, [keys]);
  await query(`DELETE FROM ${tables.conversations} WHERE key = ANY($1)`, [keys]);
  const left = await query<{ item: string }>(
    `DELETE FROM ${tables.holdings} WHERE conversation = ANY($1) RETURNING item`,
    [keys],
  );
  const unheld = await query<{ item: string }>(
    `SELECT item FROM unnest($1::text[]) AS item
     WHERE NOT EXISTS (SELECT FROM ${tables.holdings} AS holdings WHERE holdings.item = item.item)`,
    [left.map(({ item }) => item)],
  );
  const erased = await eraseItems(
    tables,
    query,
    unheld.map(({ item }) => item),
    now,
  );
  return { items: erased.items, bytes: erased.bytes + texts!.bytes };
}

/** A blob goes with the last item that has its content. */
async function eraseItems(
  tables: Tables,
  query: Query,
  ids: readonly string[],
  now: number,
): Promise<Erased> {
  const live = await query<{ id: string; hash: Buffer }>(
    `SELECT id, hash FROM ${tables.items} WHERE id = ANY($1) AND forgotten IS NULL`,
    [ids],
  );
  await query(`UPDATE ${tables.items} SET hash = NULL, masked = '[]', forgotten = $2 WHERE id = ANY($1)`, [
    live.map(({ id }) => id),
    now,
  ]);
  const [blobs] = await query<{ bytes: number }>(
    `WITH gone AS (
       DELETE FROM ${tables.blobs} AS blobs WHERE hash = ANY($1::bytea[])
         AND NOT EXISTS (SELECT FROM ${tables.items} AS items WHERE items.hash = blobs.hash)
       RETURNING octet_length(bytes) AS size
     ) SELECT coalesce(sum(size), 0)::float8 AS bytes FROM gone`,
    [live.map(({ hash }) => hash)],
  );
  return { items: live.length, bytes: blobs!.bytes };
}

function keysOf(rows: readonly { readonly key: string }[]): readonly string[] {
  return rows.map(({ key }) => key);
}

/** What the contents and the searchable texts take, without indexes. */
export async function storedBytes(tables: Tables, query: Query): Promise<number> {
  const [row] = await query<{ bytes: number }>(
    `SELECT (SELECT coalesce(sum(octet_length(bytes)), 0) FROM ${tables.blobs})::float8
          + (SELECT coalesce(sum(pg_column_size(text)), 0) FROM ${tables.messages})::float8 AS bytes`,
  );
  return row!.bytes;
}

/** The conversations that hold one of the items. */
function holdersOf(tables: Tables): string {
  return `SELECT conversation FROM ${tables.holdings} WHERE item = ANY($1)`;
}

async function textsBeside(
  tables: Tables,
  query: Query,
  ids: readonly string[],
): Promise<readonly HeldText[]> {
  const rows = await query<{ id: string; text: string }>(
    `SELECT item AS id, text FROM ${tables.messages} WHERE conversation IN (${holdersOf(tables)})`,
    [ids],
  );
  return rows.map(({ id, text }) => ({ id, text: originalText(text) }));
}

async function piecesBeside(
  tables: Tables,
  query: Query,
  ids: readonly string[],
): Promise<readonly HeldText[]> {
  const rows = await query<ItemRow>(
    `SELECT ${ITEM_COLUMNS} FROM ${tables.items} AS items JOIN ${tables.blobs} USING (hash)
     WHERE kind = 'text' AND id IN (
       SELECT item FROM ${tables.holdings} WHERE conversation IN (${holdersOf(tables)}))`,
    [ids],
  );
  return rows.flatMap((row) => {
    const item = itemOf(row);
    return item ? [{ id: item.id, text: item.content }] : [];
  });
}
