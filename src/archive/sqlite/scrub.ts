/** Scrubbing: what was erased leaves copies in free pages and in the log; both are written anew, or it is no erasing. */
import type { DatabaseSync } from "node:sqlite";
import type { Connection, Sql } from "./connection.ts";
import { LockedError } from "./sqlite-failure.ts";

/** Part of the transaction that erases: a process that dies before it has scrubbed leaves it to the next. */
export function demandScrub(sql: Sql): void {
  sql("INSERT INTO chores (name) VALUES ('scrub') ON CONFLICT DO NOTHING").run();
}

export function isScrubDemanded(sql: Sql): boolean {
  return sql("SELECT 1 FROM chores WHERE name = 'scrub'").get() !== undefined;
}

/** Waits for others who still read an older state. */
export async function scrub({ maintain }: Connection): Promise<void> {
  await maintain(rewritePages);
  await maintain(emptyLog);
}

/** What another process left undone, when the file is opened. */
export function finishScrub(database: DatabaseSync): void {
  if (database.prepare("SELECT 1 FROM chores WHERE name = 'scrub'").get() === undefined) return;
  try {
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
