/** hold: which items belong to a conversation, so that they stay as long as it does. */

import type { ReadyWrite } from "../archive.ts";
import { idsOfItem, idsOfWrite } from "../named-ids.ts";
import { batches } from "./batches.ts";
import type { Query } from "./connection.ts";
import { ITEM_COLUMNS, type ItemRow, itemOf } from "./read.ts";
import type { Tables } from "./schema.ts";

/** Everything that the write names, with the pieces of a span or request that was written elsewhere. */
export async function hold(
  tables: Tables,
  query: Query,
  conversation: string,
  write: ReadyWrite,
): Promise<void> {
  const written = new Set(write.items.map(({ id }) => id));
  let ids: Iterable<string> = idsOfWrite(write);
  for (;;) {
    const added = await holdIds(tables, query, conversation, [...ids].sort());
    const elsewhere = added.filter((id) => !written.has(id));
    if (elsewhere.length === 0) return;
    ids = new Set(await piecesOf(tables, query, elsewhere));
  }
}

/** Gives those that it did not hold before. */
async function holdIds(
  tables: Tables,
  query: Query,
  conversation: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const added: string[] = [];
  for (const batch of batches(ids)) {
    const rows = await query<{ item: string }>(
      `INSERT INTO ${tables.holdings} (conversation, item) SELECT $1, id FROM unnest($2::text[]) AS id
       ON CONFLICT DO NOTHING RETURNING item`,
      [conversation, batch],
    );
    added.push(...rows.map(({ item }) => item));
  }
  return added;
}

async function piecesOf(tables: Tables, query: Query, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await query<ItemRow>(
    `SELECT ${ITEM_COLUMNS} FROM ${tables.items} AS items JOIN ${tables.blobs} USING (hash)
     WHERE id = ANY($1) AND kind IN ('span', 'request')`,
    [ids],
  );
  return rows.flatMap((row) => {
    const item = itemOf(row);
    return item ? idsOfItem(item) : [];
  });
}
