/** The two locks of an archive; the server gives them back when the transaction ends, however it ends. */
import type { Query } from "./connection.ts";
import type { Tables } from "./schema.ts";

const MIGRATING = 0x70697468;
const ERASING = MIGRATING + 1;

/** One process at a time looks after the tables. */
export async function lockForMigrating(tables: Tables, query: Query): Promise<void> {
  await query("SELECT pg_advisory_xact_lock($1, hashtext($2))", [MIGRATING, tables.schema]);
}

/** Any number of writers at once, but none while something is erased: a blob cannot go between its check and its use. */
export async function lockForWriting(tables: Tables, query: Query): Promise<void> {
  await query("SELECT pg_advisory_xact_lock_shared($1, hashtext($2))", [ERASING, tables.schema]);
}

export async function lockForErasing(tables: Tables, query: Query): Promise<void> {
  await query("SELECT pg_advisory_xact_lock($1, hashtext($2))", [ERASING, tables.schema]);
}
