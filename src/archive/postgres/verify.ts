/** verify: every row of a PostgreSQL archive read back and held against its hash, as of one moment. */
import { parsedJson } from "../../json/wire-value.ts";
import type { ArchiveFault, CompactionRecord, StoredItem, Verification } from "../archive.ts";
import { verifyStore } from "../verify-store.ts";
import type { Query } from "./connection.ts";
import { ITEM_COLUMNS, type ItemRow, itemOf } from "./read.ts";
import type { Tables } from "./schema.ts";

/** Rows in memory at once. */
const PAGE_ROWS = 200;

export async function verify(tables: Tables, query: Query): Promise<Verification> {
  // Others go on writing; what they write meanwhile is not looked at.
  await query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  const verification = await verifyStore({
    items: items(tables, query),
    compactions: compactions(tables, query),
    known: async (ids) => {
      const rows = await query<{ id: string }>(`SELECT id FROM ${tables.items} WHERE id = ANY($1)`, [ids]);
      return new Set(rows.map(({ id }) => id));
    },
    ownFaults: () => looseRows(tables, query),
  });
  await query("COMMIT");
  return verification;
}

async function* items(tables: Tables, query: Query): AsyncGenerator<StoredItem | ArchiveFault> {
  const page = `SELECT ${ITEM_COLUMNS} FROM ${tables.items} AS items LEFT JOIN ${tables.blobs} USING (hash)`;
  for await (const row of pages<ItemRow>(query, page)) {
    yield itemOf(row) ?? {
      id: row.id,
      problem: row.bytes ? "Its content does not match its hash." : "Its content is missing.",
    };
  }
}

async function* compactions(tables: Tables, query: Query): AsyncGenerator<CompactionRecord | ArchiveFault> {
  const page = `SELECT id, record FROM ${tables.compactions}`;
  for await (const { id, record } of pages<{ id: string; record: string }>(query, page)) {
    yield (parsedJson(record) as CompactionRecord | undefined) ?? {
      id,
      problem: "The record of the compaction is damaged.",
    };
  }
}

/** Every row of a table that has an `id`, in its order. */
async function* pages<Row extends { readonly id: string }>(
  query: Query,
  select: string,
): AsyncGenerator<Row> {
  let after = "";
  for (;;) {
    const rows = await query<Row>(`${select} WHERE id > $1 ORDER BY id LIMIT ${PAGE_ROWS}`, [after]);
    yield* rows;
    if (rows.length < PAGE_ROWS) return;
    after = rows.at(-1)!.id;
  }
}

/** Rows that nothing holds: they could be found, or take space, although what they belong to is gone. */
async function looseRows(tables: Tables, query: Query): Promise<readonly ArchiveFault[]> {
  const messages = await query<{ id: string }>(
    `SELECT DISTINCT item AS id FROM ${tables.messages} AS messages
     WHERE NOT EXISTS (SELECT FROM ${tables.items} AS items WHERE id = item AND forgotten IS NULL)`,
  );
  const blobs = await query<{ hash: string }>(
    `SELECT encode(hash, 'hex') AS hash FROM ${tables.blobs} AS blobs
     WHERE NOT EXISTS (SELECT FROM ${tables.items} AS items WHERE items.hash = blobs.hash)`,
  );
  return [
    ...messages.map(({ id }) => ({ id, problem: "A message points at it, but its content is gone." })),
    ...blobs.map(({ hash }) => ({ id: hash, problem: "Content that no item points at." })),
  ];
}
