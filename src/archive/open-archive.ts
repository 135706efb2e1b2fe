/** Opens the archive that a name stands for; the code of each kind is loaded only when it is used. */
import type { Archive } from "./archive.ts";
import { isPostgres } from "./is-postgres.ts";
import type { OnMasked } from "./mask-once.ts";

interface OpenOptions {
  readonly readOnly?: boolean;
  /** @default one line on stderr */
  readonly onMasked?: OnMasked;
}

/** @param where a file, `postgres://…`, or `none` */
export async function openArchive(where: string, options: OpenOptions = {}): Promise<Archive | undefined> {
  if (where === "none") return undefined;
  const { onMasked } = options;
  if (isPostgres(where)) {
    const [{ postgresArchive }, { loadDriver }] = await Promise.all([
      import("./postgres.ts"),
      import("./postgres/driver.ts"),
    ]);
    // Asked for now: the archive itself would ask at its first use.
    await loadDriver();
    return postgresArchive({ url: where, ...(onMasked && { onMasked }) });
  }
  const { sqliteArchive } = await import("./sqlite.ts");
  return sqliteArchive({ file: where, ...options });
}
