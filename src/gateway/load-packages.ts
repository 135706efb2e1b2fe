/** loadPackages: a gateway that lacks a package does not start, instead of failing at every request. */
import { isPostgres } from "../archive/is-postgres.ts";
import { loadDriver } from "../archive/postgres/driver.ts";
import type { GatewaySettings } from "./settings.ts";
import { loadBoss } from "./summaries/postgres-queue.ts";

/** Throws MissingPackageError. */
export async function loadPackages({
  archive,
  summarizer = [],
}: Pick<GatewaySettings, "archive" | "summarizer">): Promise<void> {
  if (!isPostgres(archive)) return;
  await loadDriver();
  // What a client's own model writes never waits in PostgreSQL.
  if (summarizer.length > 0 && !summarizer.includes("same")) await loadBoss();
}
