/** openDatabase: the archive's file, made when it is not there, with its settings made and its tables up to date. */
import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { ArchiveError } from "../../errors/archive-error.ts";
import { createFile } from "./create-file.ts";
import { inTransaction } from "./in-transaction.ts";
import { APPLICATION_ID, MIGRATIONS } from "./schema.ts";
import { finishScrub } from "./scrub.ts";
import { newerNodeNeeded } from "./sqlite-failure.ts";

export interface DatabaseOptions {
  /** An absolute path, so that SQLite takes it for nothing but a path. */
  readonly file: string;
  readonly readOnly: boolean;
  readonly maxFileBytes?: number;
}

export function openDatabase(options: DatabaseOptions): DatabaseSync {
  const { file, readOnly } = options;
  if (!readOnly) createFile(file);
  else if (statSync(file, { throwIfNoEntry: false }) === undefined) throw noArchive(file);
  const database = new (sqliteOfNode(file).DatabaseSync)(file, {
    readOnly,
    enableForeignKeyConstraints: true,
  });
  try {
    prepare(database, options);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** subtle: imported by name, the whole module would fail on a Node without it, before anybody could say why. */
function sqliteOfNode(file: string): typeof import("node:sqlite") {
  const sqlite: typeof import("node:sqlite") | undefined = process.getBuiltinModule("node:sqlite");
  if (sqlite) return sqlite;
  throw newerNodeNeeded(file);
}

/** The file may come from anywhere: nothing that its schema defines is trusted to run. */
function prepare(database: DatabaseSync, { file, readOnly, maxFileBytes }: DatabaseOptions): void {
  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA trusted_schema = OFF`);
  inTransaction(database, "read", () => refuseOthers(database, file));
  if (readOnly) {
    if (pragma(database, "user_version") === 0) {
      throw noArchive(file);
    }
    return;
  }
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -${CACHE_KIB}`);
  migrate(database, file);
  if (maxFileBytes !== undefined) {
    const pages = Math.floor(maxFileBytes / pragma(database, "page_size"));
    database.exec(`PRAGMA max_page_count = ${Math.max(1, pages)}`);
  }
  finishScrub(database);
}

/** Not there, or empty: to SQLite the first is a failure like any other. */
function noArchive(file: string): ArchiveError {
  return new ArchiveError(
    file,
    `There is no archive at ${file} yet. \`pith compact\` and \`pith archive import\` make one; ` +
      "if yours is elsewhere, give its path (--archive FILE).",
  );
}

/** SQLite itself waits so long for a lock, with the whole process; beyond it the connection waits without blocking. */
const BUSY_MS = 50;
const CACHE_KIB = 16_000;

function refuseOthers(database: DatabaseSync, file: string): void {
  const version = pragma(database, "user_version");
  const application = pragma(database, "application_id");
  const isEmpty = database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
  if (application !== APPLICATION_ID && !isEmpty) {
    throw new ArchiveError(file, `${file} is an SQLite database of another program. Give another path.`);
  }
  if (version > MIGRATIONS.length) {
    throw new ArchiveError(
      file,
      `The archive ${file} was written by a newer Pith (version ${version} of its tables; this one knows ` +
        `${MIGRATIONS.length}). Update Pith, or give another path.`,
    );
  }
}

function migrate(database: DatabaseSync, file: string): void {
  if (pragma(database, "user_version") === MIGRATIONS.length) return;
  inTransaction(database, "write", () => {
    // Another process may have been here first.
    refuseOthers(database, file);
    for (const step of MIGRATIONS.slice(pragma(database, "user_version"))) database.exec(step);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

function pragma(database: DatabaseSync, name: string): number {
  return Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0] as number;
}
