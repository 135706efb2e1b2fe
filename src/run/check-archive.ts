/** checkArchive: refuses what is no Archive when it is given; at the first compaction it would be too late. */
import type { Archive } from "../archive/archive.ts";
import { isPostgres } from "../archive/is-postgres.ts";
import { OptionsError } from "../errors/options-error.ts";

/** Throws OptionsError. An address is not repeated: it may hold a password. */
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
  return `archive is ${file}; give sqliteArchive({ file: ${file} }) of pith/archive/sqlite.`;
}
