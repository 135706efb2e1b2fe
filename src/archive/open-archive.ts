/** Opens the archive that a name stands for; the code of each kind is loaded only when it is used. */
import type { Archive } from "./archive.ts";

export function isPostgres(where: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(where);
}

/** @param where a file, `postgres://…`, or `none` */
export async function openArchive(where: string, { readOnly = false } = {}): Promise<Archive | undefined> {
  if (where === "none") return undefined;
  if (isPostgres(where)) {
    const { postgresArchive } = await import("./postgres.ts");
    return postgresArchive({ url: where });
  }
  const { sqliteArchive } = await import("./sqlite.ts");
  return sqliteArchive({ file: where, readOnly });
}
