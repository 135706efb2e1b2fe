/** Scrubbing: what was erased leaves copies in the indexes, in free pages and in the log; all are written anew, or it is no erasing. */
import type { DatabaseSync } from "node:sqlite";
import type { Connection, Sql } from "./connection.ts";
import { rewriteIndex, rewriteIndexInSteps } from "./index-text.ts";
import { LockedError } from "./sqlite-failure.ts";

/** Part of the transaction that erases: a process that dies before it has scrubbed leaves it to the next. */
export function demandScrub(sql: Sql): void {
  sql("INSERT INTO chores (name) VALUES ('scrub') ON CONFLICT DO NOTHING").run();
}

export function isScrubDemanded(sql: Sql): boolean {
  return sql("SELECT 1 FROM chores WHERE name = 'scrub'").get() !== undefined;
}

/** Waits for others who still read an older state. */
export async function scrub(connection: Connection): Promise<void> {
  await rewriteIndexInSteps(connection);
  await connection.maintain(rewritePages);
  await connection.maintain(emptyLog);
}

/** What another process left undone, when the file is opened. */
export function finishScrub(database: DatabaseSync): void {
  if (database.prepare("SELECT 1 FROM chores WHERE name = 'scrub'").get() === undefined) return;
  try {
    rewriteIndex(database);
    rewritePages(database);
    emptyLog(database);
  } catch {
    // Others are at work on the file, or the disk is full: no reason not to open it, and the demand stays.
  }
}

function rewritePages(database: DatabaseSync): void {
  database.exec("VACUUM");
}

function emptyLog(database: DatabaseSync): void {
  const { busy } = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get() as { readonly busy: number };
  if (busy !== 0) throw new LockedError();
  database.exec("DELETE FROM chores WHERE name = 'scrub'");
}
