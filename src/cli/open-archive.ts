/** Opens the archive that --archive names; the code of each kind is loaded only when it is used. */
import type { Archive } from "../archive/archive.ts";
import { OptionsError } from "../errors/options-error.ts";

/** Where the originals go when nothing else is said: a file in the folder that the program runs in. */
export const defaultArchive = ".pith/archive.sqlite";

/** @param where a file, `postgres://…`, or `none` */
export async function openArchive(where: string, { readOnly = false } = {}): Promise<Archive | undefined> {
  if (where === "none") return undefined;
  if (/^postgres(?:ql)?:\/\//.test(where)) {
    const { postgresArchive } = await import("../archive/postgres.ts");
    return postgresArchive({ url: where });
  }
  const { sqliteArchive } = await import("../archive/sqlite.ts");
  return sqliteArchive({ file: where, readOnly });
}

/** Opens it, does the work and closes it, whatever comes of the work. */
export async function withArchive<Value>(
  where: string,
  work: (archive: Archive | undefined) => Promise<Value>,
): Promise<Value> {
  const archive = await openArchive(where);
  try {
    return await work(archive);
  } finally {
    await archive?.close?.();
  }
}

/** The same for commands that are about an archive: none is no answer, and one that is not there is not made. */
export async function withGivenArchive<Value>(
  where: string,
  work: (archive: Archive) => Promise<Value>,
  { readOnly = true } = {},
): Promise<Value> {
  const archive = await openArchive(where, { readOnly });
  if (!archive)
    throw new OptionsError(
      "--archive",
      "--archive none: this command needs an archive. Name a file or postgres://….",
    );
  try {
    return await work(archive);
  } finally {
    await archive.close?.();
  }
}
