/** The inspector over an archive on a real PostgreSQL server: looked at, changed and taken back, also by a second program. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { partOfArchive } from "../src/archive/part-of-archive.ts";
import { postgresArchive } from "../src/archive/postgres.ts";
import { createCompactor } from "../src/compactor.ts";
import { createInspector } from "../src/inspect/inspector.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

const sample = readFileSync(join(import.meta.dirname, "../examples/coding-session.json"), "utf8");
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

test("a compaction is shown, another applied, and both are taken back for every program that looks", async () => {
  const url = await server.createDatabase("inspect");
  const [archive, elsewhere] = [postgresArchive({ url }), postgresArchive({ url })];
  const { report } = await createCompactor({ target: "50%", archive }).compact(sample, {
    target: "50%",
    conversationId: "ann/1",
  });
  expect(report.error).toBeUndefined();
  let now = Date.now();
  const inspector = createInspector({ archive, title: "", version: "", readOnly: false, clock: () => ++now });
  const part = partOfArchive(elsewhere, (name) => name.startsWith("ann/"));
  const other = createInspector({ archive: part, title: "", version: "", readOnly: true });

  const first = await inspector.compaction(report.compaction!);
  expect(first).toMatchObject({ undone: false, newest: true, tokensAfter: report.tokensAfter });
  const wish = { conversation: "ann/1", target: "60%" };
  const { tokensBefore } = await inspector.preview(wish);
  const second = await inspector.apply({ ...wish, expects: tokensBefore });
  const seen = await other.compaction(second.compaction);
  expect(seen).toMatchObject({ newest: true, undoes: [second.compaction] });
  const cut = seen.rows.find(({ originalId }) => originalId !== undefined)!;
  expect((await other.item(cut.originalId!, { from: 0, count: 5, raw: false })).total).toBeGreaterThan(0);
  expect((await other.search({ query: "release workflow", limit: 3 })).results.length).toBeGreaterThan(0);

  const undone = await inspector.undo(report.compaction!);
  expect(undone).toMatchObject({ compactions: [second.compaction, report.compaction], messages: 95 });
  const [row] = await other.conversations();
  expect(row).toMatchObject({ id: "ann/1", compactions: 2, tokens: undone.tokens });
  await archive.close!();
  await elsewhere.close!();
});
