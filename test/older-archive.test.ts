/** An archive in which an earlier version left secrets in clear: a gateway that starts with it masks them, once, and says so. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Archive, ArchiveItem, ArchiveWrite, ItemKind, ReadyWrite } from "../src/archive/archive.ts";
import { itemId } from "../src/archive/item-id.ts";
import { unpackText } from "../src/archive/packed-text.ts";
import { put } from "../src/archive/postgres/put.ts";
import { migrations, tablesIn } from "../src/archive/postgres/schema.ts";
import { postgresArchive } from "../src/archive/postgres.ts";
import { writeTo } from "../src/archive/ready-write.ts";
import { inTransaction } from "../src/archive/sqlite/in-transaction.ts";
import { putWrite } from "../src/archive/sqlite/put-write.ts";
import { APPLICATION_ID, MIGRATIONS } from "../src/archive/sqlite/schema.ts";
import { sqliteArchive } from "../src/archive/sqlite.ts";
import { unlisted } from "../src/archive/unlisted.ts";
import { emptyLedger } from "../src/ledger/ledger.ts";
import { initialState } from "../src/state/compaction-state.ts";
import { compactionWrite, saidAs, textWrite } from "../src/testing/archive-writes.ts";
import { eventsOf, gatewayTo } from "./gateway-world.ts";
import { plantedSecrets } from "./planted-secrets.ts";
import { foundIn } from "./planted-secrets-places.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

const planted = plantedSecrets("older");
const lines = planted.map(({ line, secret }) => line(secret));
const NAME = "local/reset-password";
const LINK = "4f".repeat(32);
const ID = "V1StGXR8Z5jdHi6BmyTV1StGXR8Z5jdHi6Bx";

/** As it was made before: nothing was masked. */
function plainItem(kind: ItemKind, content: string): ArchiveItem {
  return { id: itemId(kind, content), kind, content, masked: [] };
}

const said = lines.map((line) => plainItem("message", JSON.stringify({ role: "user", content: line })));
const text = plainItem("text", lines.join("\n\n"));
const span = plainItem("span", said.map(({ id }) => id).join("\n"));
const call = {
  id: ID,
  type: "function",
  function: { name: "bash", arguments: JSON.stringify({ command: lines[0] }) },
};
const known = {
  recipe: {
    covers: 9,
    entries: [0, JSON.stringify({ role: "assistant", content: null, tool_calls: [call] }), 8],
    noted: false,
  },
  state: {
    ...initialState,
    conversation: NAME,
    ledger: {
      ...emptyLedger,
      constraints: lines.map((line, at) => ({ text: line, role: "user", at })),
      commands: lines.map((line, at) => ({
        command: `deploy ${line}`,
        runs: 1,
        outcome: "failed",
        line,
        at,
      })),
    },
  },
  name: NAME,
  conversation: NAME,
  snapshot: LINK,
};
const before = compactionWrite(NAME, 1);
const writes: readonly ArchiveWrite[] = [
  {
    ...before,
    compaction: { ...before.compaction!, markers: [...before.compaction!.markers, text.id, span.id] },
  },
  {
    conversation: NAME,
    at: 2,
    items: [...said, text, span],
    messages: said.map((item, position) => saidAs(item, { position: position + 10, text: lines[position]! })),
  },
  {
    conversation: unlisted(`local/${LINK}`),
    about: NAME,
    at: 3,
    items: [plainItem("state", JSON.stringify(known))],
  },
];
/** The messages, their searchable texts, one long text and the state. */
const HELD = 2 * lines.length + 2;

let folder: string;
let postgres: PostgresServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "pith-older-"));
  postgres = await startPostgres();
});
afterAll(async () => {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a gateway with it, and stops it again; gives what it said of masking. */
async function start(archive: string): Promise<readonly unknown[]> {
  const gateway = await gatewayTo("http://127.0.0.1:9", { archive });
  await gateway.stop();
  return ["archive-masked", "archive-not-masked"].flatMap((event) => eventsOf(gateway, event));
}

/** Whatever was named still leads somewhere, and the conversation can go on. */
async function expectWhole(archive: Archive): Promise<void> {
  expect((await archive.verify!()).faults).toEqual([]);
  const stored = await archive.getMany!([text.id, span.id, ...said.map(({ id }) => id)]);
  expect(stored.every((item) => item?.forgotten === undefined && item!.content.length > 0)).toBe(true);
  expect(stored[0]!.masked.length).toBeGreaterThanOrEqual(lines.length);
  expect(stored[1]!.content).toBe(span.content);
  const { state } = (await archive.checkpoint!(unlisted(`local/${LINK}`)))!;
  const { recipe, state: kept, ...names } = JSON.parse(state) as typeof known;
  expect(names).toEqual({ name: NAME, conversation: NAME, snapshot: LINK });
  expect(recipe.entries[1]).toContain(`"id":"${ID}"`);
  expect(kept.ledger.constraints).toHaveLength(lines.length);
  const fragments = planted.map(({ secret }) => secret.split("\n").at(1) ?? secret);
  expect(await archive.candidates!({ words: [], fragments, limit: 100 })).toEqual([]);
  expect((await archive.candidates!({ words: ["redacted"], limit: 100 })).length).toBeGreaterThan(20);
  await writeTo(archive, textWrite(NAME, ["It goes on."], 90));
  await archive.close!();
}

test("[R46] a start with an older SQLite archive masks what is in it, once, and says so", async () => {
  const file = join(folder, "archive.sqlite");
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = WAL");
  for (const step of MIGRATIONS.slice(0, 3)) database.exec(step);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = 3`);
  // Each statement once: hundreds that are thrown away are finalized at any time, also after the file is closed.
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  inTransaction(database, "write", () => {
    for (const write of writes) putWrite(prepared, file, write as ReadyWrite);
  });
  database.close();
  const bytes = (): string =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name)).toString("latin1"))
      .join("\n");
  expect(foundIn(bytes(), planted)).toHaveLength(planted.length);

  expect(await start(file)).toEqual([expect.objectContaining({ archive: file, masked: HELD })]);
  expect(foundIn(bytes(), planted)).toEqual([]);
  const after = new DatabaseSync(file, { readOnly: true });
  for (const table of ["items", "messages", "compactions"]) {
    const rows = after.prepare(`SELECT hash, codec, bytes FROM ${table}`).all();
    expect(foundIn(rows.map((row) => unpackText(row as never)).join("\n"), planted)).toEqual([]);
  }
  after.close();
  await expectWhole(sqliteArchive({ file }));
  expect(await start(file)).toEqual([]);
}, 60_000);

test("[R46] a start with an older PostgreSQL archive masks what is in it, once, and says so", async () => {
  const url = await postgres.createDatabase("older");
  const tables = tablesIn("pith");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const query = async (sql: string, values: readonly unknown[] = []) =>
    (await client.query(sql, [...values])).rows as never;
  await query("CREATE SCHEMA pith; CREATE TABLE pith.version AS SELECT 2 AS version");
  for (const step of migrations) await query(step(tables));
  for (const write of writes) await put("older", tables, query, write as ReadyWrite);
  // Without what came after the second version, as one of that version is.
  await query("DROP TABLE pith.chores, pith.erasures; DROP INDEX pith.messages_by_writing");
  await query("ALTER TABLE pith.messages DROP COLUMN own");
  const held = async (): Promise<string> => {
    const blobs: readonly Record<string, unknown>[] = await query("SELECT * FROM pith.blobs");
    const messages = await query("SELECT text, terms FROM pith.messages");
    return JSON.stringify([blobs.map((blob) => unpackText(blob as never)), messages]);
  };
  expect(foundIn(await held(), planted)).toHaveLength(planted.length);

  expect(await start(url)).toEqual([expect.objectContaining({ masked: HELD })]);
  expect(foundIn(await held(), planted)).toEqual([]);
  await client.end();
  await expectWhole(postgresArchive({ url }));
  expect(await start(url)).toEqual([]);
}, 60_000);
