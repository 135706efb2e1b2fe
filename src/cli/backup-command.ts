/** `pith archive backup`: a consistent copy of an archive file while others use it. */
import { statSync } from "node:fs";
import { isPostgres } from "../archive/is-postgres.ts";
import { OptionsError } from "../errors/options-error.ts";
import { exitDone } from "./exit-codes.ts";
import { withGivenArchive } from "./open-archive.ts";
import { printedBytes } from "./quantities.ts";
import { archiveName } from "./settings.ts";
import { writeStderr } from "./stderr.ts";
import { writeStdout } from "./stdout.ts";

export interface BackupFlags {
  readonly archive: string;
}

export async function backupCommand(file: string, { archive }: BackupFlags): Promise<number> {
  const where = archiveName(archive);
  if (isPostgres(where)) throw new OptionsError("--archive", POSTGRES_ADVICE);
  return withGivenArchive(where, async (open) => {
    await open.backup!(file);
    const { size } = statSync(file);
    writeStderr(`${open.name} copied to ${file}, ${printedBytes(size)}\n`);
    await writeStdout(`${JSON.stringify({ archive: open.name, file, bytes: size })}\n`);
    return exitDone;
  });
}

/** Without the address: a password in it would be on the screen. */
const POSTGRES_ADVICE = `pith archive backup copies SQLite files. Back up an archive on PostgreSQL with its own tools, while gateways run:
  pg_dump --format=custom --no-owner --file=pith.dump "$PITH_ARCHIVE"
and restore it into an empty database:
  pg_restore --no-owner --exit-on-error --dbname="$PITH_ARCHIVE" pith.dump
pg_dump must be at least as new as the server.`;
