/** checkArchive: refuses what is no Archive when it is given; at the first compaction it would be too late. */
import type { Archive } from "../archive/archive.ts";
import { isPostgres } from "../archive/is-postgres.ts";
import { OptionsError } from "../errors/options-error.ts";

/** Throws OptionsError. Only what looks like the name of a file is repeated: anything else may hold a password. */
export function checkArchive(archive: unknown): void {
  if (archive === undefined || archive === null || isArchive(archive)) return;
  throw new OptionsError("archive", typeof archive === "string" ? forText(archive) : NO_ARCHIVE);
}

const NO_ARCHIVE =
  "archive has no put and no get; give an Archive, such as sqliteArchive() of pith/archive/sqlite.";

function isArchive(given: unknown): boolean {
  const { put, get } = Object(given) as Partial<Archive>;
  return typeof put === "function" && typeof get === "function";
}

function forText(where: string): string {
  if (where === "none") return 'archive is "none"; leave it out if there is to be none.';
  if (isPostgres(where))
    return "archive is an address; give postgresArchive({ url }) of pith/archive/postgres.";
  const file = JSON.stringify(where);
  if (FILE_NAME.test(where))
    return `archive is ${file}; give sqliteArchive({ file: ${file} }) of pith/archive/sqlite.`;
  return "archive is a text; give sqliteArchive({ file }) of pith/archive/sqlite for the file of that name, or postgresArchive({ url }) of pith/archive/postgres.";
}

/**
 * A name with an ending, behind a path or not. What else there may be is part of an address or of settings:
 * `host=x password=y`, `//me:secret@host`, `a.db?key=z`.
 */
const FILE_NAME = /^(?:[A-Za-z]:)?[^:=@?&;%\s]*\.[A-Za-z]\w{0,7}$/;
