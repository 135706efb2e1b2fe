/** Opens the archive that a name stands for; the code of each kind is loaded only when it is used. */
import type { Archive } from "./archive.ts";

/** @param where a file, `postgres://…`, or `none` */
export async function openArchive(where: string, { readOnly = false } = {}): Promise<Archive | undefined> {
  if (where === "none") return undefined;
  if (/^postgres(?:ql)?:\/\//.test(where)) {
    const { postgresArchive } = await import("./postgres.ts");
    return postgresArchive({ url: where });
  }
  const { sqliteArchive } = await import("./sqlite.ts");
  return sqliteArchive({ file: where, readOnly });
}
