/** serverName: where a database is, for people, without the password. */
import type { PoolConfig } from "pg";
import { OptionsError } from "../../errors/options-error.ts";

/** `postgres://ann:secret@db.example:5433/notes` → `postgres://db.example:5433/notes`. Throws when it is no such address. */
export function serverName(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    throw new OptionsError(
      "url",
      "The address of the archive must read postgres://user:password@host:port/database.",
    );
  }
  // subtle: with an unescaped / # or ? in a password, its rest would be taken for the database and be shown.
  if (/@/.test(parsed.pathname + parsed.search + parsed.hash)) {
    throw new OptionsError(
      "url",
      "The address of the archive has an @ after its host: percent-encode the special characters of the password.",
    );
  }
  return nameOf(parsed.hostname, parsed.port, decodeURIComponent(parsed.pathname.slice(1)));
}

/** The same from the settings of a pool that the caller made. */
export function poolName({ connectionString, host, port, database }: PoolConfig): string {
  return connectionString ? serverName(connectionString) : nameOf(host, port, database);
}

function nameOf(host = "", port: string | number = "", database = ""): string {
  return `postgres://${host || "localhost"}${port ? `:${port}` : ""}/${database}`;
}
