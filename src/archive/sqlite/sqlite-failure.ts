/** sqliteFailure: an error of SQLite or the file system as an ArchiveError that says what to do. */

import { ArchiveError } from "../../errors/archive-error.ts";
import { reasonOf } from "../../errors/reason-of.ts";

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;

/** SQLite says so in an answer, not by an error. */
export class LockedError extends Error {
  readonly errcode = SQLITE_BUSY;
}

/**
 * @param file where the archive is
 * @param consequence what follows from it, said last
 */
export function sqliteFailure(file: string, error: unknown, consequence: string): ArchiveError {
  if (error instanceof ArchiveError) return error;
  if (reasonOf(error).includes("no such module: fts5")) return newerNodeNeeded(file, error);
  return new ArchiveError(file, adviceFor(file, error) + consequence, { cause: error });
}

/** Node has SQLite since 22.13, and the module that searches texts since 22.16. */
export function newerNodeNeeded(file: string, cause?: unknown): ArchiveError {
  return new ArchiveError(
    file,
    `The archive ${file} needs the SQLite of Node 22.16 or newer, this is ${process.version}. ` +
      "Install a newer Node, or give postgres://….",
    { cause },
  );
}

/** Another connection has the lock: waiting helps. */
export function isBusy(error: unknown): boolean {
  return [SQLITE_BUSY, SQLITE_LOCKED].includes(resultCode(error) ?? 0);
}

function adviceFor(file: string, error: unknown): string {
  const said = reasonOf(error);
  const code = resultCode(error);
  if (code !== undefined) return ADVICE[code]?.(file) ?? `SQLite could not use the archive ${file}: ${said}.`;
  const { code: name } = error as NodeJS.ErrnoException;
  if (name === undefined) return `The archive ${file} failed: ${said}.`;
  return `The archive ${file} could not be opened (${name}): give the path of a file that may be written.`;
}

/** By SQLite's primary result codes. */
const ADVICE: Readonly<Record<number, (file: string) => string>> = {
  [SQLITE_BUSY]: (file) =>
    `The archive ${file} is locked by another process: end or wait for it, or give a longer timeoutMs.`,
  [SQLITE_LOCKED]: (file) => `The archive ${file} is locked within this process: wait for the other call.`,
  8: (file) => `The archive ${file} is read-only: give it and its folder write permission, or another path.`,
  10: (file) => `The disk failed under the archive ${file}: check the disk, then run verify.`,
  11: (file) => `The archive ${file} is damaged: keep a copy, and restore it from a backup.`,
  13: (file) =>
    `The archive ${file} cannot grow: the disk is full, or its limit is reached. Make room and try again.`,
  14: (file) =>
    `The archive ${file} could not be opened: give the path of a file, in a folder that may be written.`,
  26: (file) =>
    `${file} is not an archive: it holds something else than an SQLite database. Give another path.`,
};

function resultCode(error: unknown): number | undefined {
  const code = (error as { readonly errcode?: unknown } | undefined)?.errcode;
  return typeof code === "number" ? code & 0xff : undefined;
}
