/** backupFile: a copy of one state of an archive file, made while others write; it is there whole or not at all. */
import { closeSync, fsyncSync, linkSync, openSync, rmSync } from "node:fs";
import { ArchiveError } from "../../errors/archive-error.ts";
import type { Connection } from "./connection.ts";

/** @param copy an absolute path at which there is nothing yet */
export async function backupFile(connection: Connection, copy: string): Promise<void> {
  const part = `${copy}.${process.pid}.part`;
  try {
    // Made here, and empty, as SQLite takes it: what it makes itself others may read.
    closeSync(openSync(part, "wx", 0o600));
    await connection.maintain((database) => database.prepare("VACUUM INTO ?").run(part));
    flush(part);
    // A link, unlike a new name, never takes the place of what is there.
    linkSync(part, copy);
  } catch (cause) {
    throw backupFailure(copy, cause);
  } finally {
    rmSync(part, { force: true });
  }
}

function flush(file: string): void {
  const handle = openSync(file, "r+");
  fsyncSync(handle);
  closeSync(handle);
}

function backupFailure(copy: string, cause: unknown): ArchiveError {
  const { code, message } = cause as NodeJS.ErrnoException;
  const why = WHY[code ?? ""] ?? message;
  return new ArchiveError(copy, `No backup was written to ${copy}: ${why}`, { cause });
}

const WHY: Readonly<Record<string, string>> = {
  EEXIST: "there is a file already. Give another name, or move that file away.",
  ENOENT: "its folder does not exist. Create it first.",
  EACCES: "its folder may not be written. Give another one.",
  EROFS: "its folder may not be written. Give another one.",
  ENOSPC: "the disk is full. Make room, or give a file on another disk.",
};
