/** `pith mcp` over an archive on a real PostgreSQL server, also while that is down. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { itemId } from "../src/archive/item-id.ts";
import { postgresArchive } from "../src/archive/postgres.ts";
import { ask, fillArchive, logId, otherSession, overStdio } from "./mcp-session.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

test("the tools answer from the database, its password is told to nobody, and they come back with the server", async () => {
  const url = await server.createDatabase("mcp");
  await fillArchive(postgresArchive({ url }));
  const client = await overStdio(["--conversation", "build"], { environment: { PITH_ARCHIVE: url } });
  const other = itemId("message", JSON.stringify(otherSession[0]));
  const search = () => ask(client, "recall_search", { query: "what is the bucket called?" });

  expect((await search()).text).toContain("heron-artifacts-7");
  expect((await ask(client, "recall_expand", { id: logId, grep: "kestrel" })).text).toContain("6 of 6");
  expect((await ask(client, "recall_expand", { id: other })).isError).toBe(true);

  await server.down();
  const down = await search();
  expect(down.isError).toBe(true);
  expect(down.text).not.toContain(server.password);
  expect(down.text).not.toContain(encodeURIComponent(server.password));

  await server.up();
  expect((await search()).text).toContain("heron-artifacts-7");
  await client.close();
});
