/** stat: what a PostgreSQL archive holds, in numbers. */
import type { ArchiveStat } from "../archive.ts";
import type { Query } from "./connection.ts";
import { storedBytes } from "./forget.ts";
import type { Tables } from "./schema.ts";

export async function stat(tables: Tables, query: Query): Promise<ArchiveStat> {
  const [counts] = await query<{ items: number; forgotten: number }>(
    `SELECT (count(*) - count(forgotten))::float8 AS items, count(forgotten)::float8 AS forgotten FROM ${tables.items}`,
  );
  const [size] = await query<{ bytes: number }>(
    `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::float8 AS bytes FROM pg_class
     WHERE relkind = 'r' AND relnamespace = to_regnamespace($1)`,
    [tables.schema],
  );
  const held = await query<{ name: string; bytes: number }>(
    `SELECT coalesce(main.name, conversations.name) AS name, sum(
         (SELECT coalesce(sum(pg_column_size(text)), 0) FROM ${tables.messages} WHERE conversation = conversations.key)
       + (SELECT coalesce(sum(octet_length(bytes)), 0) FROM ${tables.holdings} AS holdings
            JOIN ${tables.items} AS items ON items.id = holdings.item JOIN ${tables.blobs} USING (hash)
            WHERE holdings.conversation = conversations.key))::float8 AS bytes
     FROM ${tables.conversations} AS conversations
     LEFT JOIN ${tables.conversations} AS main ON main.digest = conversations.about
     GROUP BY 1`,
  );
  return {
    ...counts!,
    contentBytes: await storedBytes(tables, query),
    storedBytes: size!.bytes,
    bytesOf: new Map(held.map(({ name, bytes }) => [name, bytes])),
  };
}
