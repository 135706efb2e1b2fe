/** migrate: brings the tables of an archive to the version that this code knows, one process at a time. */
import { ArchiveError } from "../../errors/archive-error.ts";
import type { Query } from "./connection.ts";
import { indexOlderMessages } from "./index-messages.ts";
import { lockForMigrating } from "./locks.ts";
import { migrations, type Tables } from "./schema.ts";

/** Everything happens in the caller's transaction: a migration that fails leaves the tables as they were. */
export async function migrate(archive: string, tables: Tables, query: Query): Promise<void> {
  await lockForMigrating(tables, query);
  await checkEncoding(archive, query);
  const found = await versionOf(tables, query);
  if (found > migrations.length) {
    throw new ArchiveError(
      archive,
      `${archive}: the tables in schema ${tables.schema} have version ${found}, and this release of Pith knows versions ` +
        `up to ${migrations.length}. Use a newer release, or another schema.`,
    );
  }
  if (found === 0) await createVersionTable(tables, query);
  for (const migration of migrations.slice(found)) await query(migration(tables));
  if (found < migrations.length)
    await query(`UPDATE ${tables.version} SET version = $1`, [migrations.length]);
  await indexOlderMessages(tables, query);
  await indexTrigrams(tables, query);
}

async function checkEncoding(archive: string, query: Query): Promise<void> {
  const [row] = await query<{ server_encoding: string }>("SHOW server_encoding");
  if (row!.server_encoding === "UTF8") return;
  throw new ArchiveError(
    archive,
    `${archive}: the database has the encoding ${row!.server_encoding}. Create one with ENCODING 'UTF8' for the archive.`,
  );
}

/** 0 when there is none. Looks before it creates: a user who may not create anything can use what is there. */
async function versionOf(tables: Tables, query: Query): Promise<number> {
  const [{ exists } = { exists: false }] = await query<{ exists: boolean }>(
    "SELECT to_regclass($1) IS NOT NULL AS exists",
    [tables.version],
  );
  if (!exists) return 0;
  const [row] = await query<{ version: number }>(`SELECT version FROM ${tables.version}`);
  return row!.version;
}

async function createVersionTable(tables: Tables, query: Query): Promise<void> {
  const [{ exists } = { exists: false }] = await query<{ exists: boolean }>(
    "SELECT to_regnamespace($1) IS NOT NULL AS exists",
    [tables.schema],
  );
  if (!exists) await query(`CREATE SCHEMA ${tables.schema}`);
  await query(`CREATE TABLE ${tables.version} (version integer NOT NULL)`);
  await query(`INSERT INTO ${tables.version} VALUES (0)`);
}

/**
 * Fragments are found by ILIKE, which pg_trgm makes fast where the server has it and lets us use it. Looked at on every
 * start, so that an extension which was installed later is put to use.
 */
async function indexTrigrams(tables: Tables, query: Query): Promise<void> {
  const [index] = await query("SELECT 1 WHERE to_regclass($1) IS NOT NULL", [
    `${tables.schema}.messages_by_trigram`,
  ]);
  if (index) return;
  await query("SAVEPOINT trigrams");
  try {
    const schema = (await trigramSchema(query)) ?? (await createTrigrams(query));
    await query(
      `CREATE INDEX messages_by_trigram ON ${tables.messages} USING gin (text ${schema}.gin_trgm_ops)`,
    );
  } catch {
    // Not installed, or not ours to create: searching works without it, only slower.
    await query("ROLLBACK TO SAVEPOINT trigrams");
  }
}

async function createTrigrams(query: Query): Promise<string> {
  await query("CREATE EXTENSION pg_trgm");
  return (await trigramSchema(query))!;
}

async function trigramSchema(query: Query): Promise<string | undefined> {
  const [row] = await query<{ schema: string }>(
    "SELECT extnamespace::regnamespace::text AS schema FROM pg_extension WHERE extname = 'pg_trgm'",
  );
  return row?.schema;
}
