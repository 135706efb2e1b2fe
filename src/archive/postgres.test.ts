import { afterAll, beforeAll, expect, test } from "vitest";
import { type PostgresServer, startPostgres } from "../../test/postgres-server.ts";
import { testArchive } from "../testing/test-archive.ts";
import { postgresArchive } from "./postgres.ts";

let server: PostgresServer;
let schemas = 0;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.stop());

/** A new archive in a schema of its own. */
const create = () => postgresArchive({ url: server.urlOf("postgres"), schema: `archive_${schemas++}` });

testArchive("postgres", { create }, { test, expect });
