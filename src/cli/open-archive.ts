/** Opens the archive that --archive names for as long as a command works with it. */
import type { Archive } from "../archive/archive.ts";
import { openArchive } from "../archive/open-archive.ts";
import { OptionsError } from "../errors/options-error.ts";

/** Where the originals go when nothing else is said: a file in the folder that the program runs in. */
export const defaultArchive = ".pith/archive.sqlite";

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
