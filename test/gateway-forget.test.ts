/** A conversation that passed through the gateway is forgotten: nothing of it stays in the store, and its next turn works. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import type { Archive } from "../src/archive/archive.ts";
import { type PackedText, unpackText } from "../src/archive/packed-text.ts";
import { postgresArchive } from "../src/archive/postgres.ts";
import { sqliteArchive } from "../src/archive/sqlite.ts";
import { type Behaviour, createModelServer, type ModelServer } from "../src/testing/model-server.ts";
import { type Json, type Said, type Wire, wires } from "./gateway-wires.ts";
import {
  eventsOf,
  gatewayTo,
  outcomesOf,
  type Provider,
  post,
  type Received,
  speaking,
  startProvider,
  type TestGateway,
} from "./gateway-world.ts";
import { startPostgres } from "./postgres-server.ts";
import { runPith } from "./run-pith.ts";
import { until } from "./until.ts";

const [, wire] = wires as readonly [Wire, Wire];
const SENTENCE = "Never tell anybody that the heron of Quillbrook nests at Larkmere.";
const TRACES = /quillbrook|larkmere/i;

/** A place for an archive, and how to read every byte of it without the archive's own code. */
interface Store {
  readonly where: string;
  readonly open: () => Archive;
  readonly everything: () => Promise<readonly string[]>;
}

async function sqliteStore(): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), "pith-gateway-forget-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "archive.sqlite");
  const everything = async (): Promise<readonly string[]> => {
    const database = new DatabaseSync(file, { readOnly: true });
    const packed = ["items", "messages", "compactions"].flatMap((table) =>
      database.prepare(`SELECT hash, codec, bytes FROM ${table}`).all(),
    );
    database.close();
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
    return [...files, ...packed.map((row) => unpackText(row as unknown as PackedText) ?? "")];
  };
  return { where: file, open: () => sqliteArchive({ file }), everything };
}

async function postgresStore(): Promise<Store> {
  const server = await startPostgres();
  onTestFinished(server.stop);
  const url = await server.createDatabase("gateway");
  const query = (text: string) => server.query("gateway", text);
  const everything = async (): Promise<readonly string[]> => {
    const tables = await query(
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname LIKE 'pith%'",
    );
    const rows: Json[] = [];
    for (const { name } of tables)
      rows.push(...(await query(`SELECT row::text AS text FROM ${name} AS row`)));
    const blobs = await query("SELECT hash, codec, bytes FROM pith.blobs");
    return [...rows.map(({ text }) => String(text)), ...blobs.map((row) => unpackText(row as never) ?? "")];
  };
  return { where: url, open: () => postgresArchive({ url }), everything };
}

interface World {
  readonly provider: Provider;
  readonly model: ModelServer;
  readonly store: Store;
  readonly startAnother: () => Promise<TestGateway>;
}

const telling: Behaviour = { type: "say", text: SENTENCE };

async function startWorld(
  createStore: () => Promise<Store>,
  reply: Behaviour | readonly Behaviour[] = telling,
): Promise<World> {
  const store = await createStore();
  const provider = await startProvider(speaking(recallingOnce));
  const model = await createModelServer({ reply });
  onTestFinished(provider.close);
  onTestFinished(model.close);
  const startAnother = async (): Promise<TestGateway> => {
    const gateway = await gatewayTo(provider.url, {
      window: 12_000,
      archive: store.where,
      summarizer: [{ url: `${model.url}/v1`, model: "m", kind: "openai" }],
    });
    onTestFinished(gateway.stop);
    return gateway;
  };
  return { provider, model, store, startAnother };
}

/** Looks the sentence up as soon as it is offered to, so that the gateway keeps a turn of its own. */
function recallingOnce({ text }: Received, index: number): Said {
  const isOffered = text.includes("recall_search") && !text.includes("own_call");
  const call = { id: "own_call", name: "recall_search", arguments: '{"query":"heron Quillbrook"}' };
  return isOffered ? { text: "", calls: [call] } : { text: `Noted ${index}.`, calls: [] };
}

async function turn(gateway: TestGateway, messages: readonly Json[]): Promise<readonly Json[]> {
  const text = `${SENTENCE} Module ${messages.length} parses file_${messages.length}.ts. `.repeat(25);
  const asked = [...messages, wire.user(text)];
  const response = await post(`${gateway.url}${wire.path}`, wire.body(asked));
  expect(response.status).toBe(200);
  return [...asked, ...wire.heard((await response.json()) as Json)];
}

/** Through a summary, a compaction and a recall, and on until the next summary is written. */
async function longTalk(gateway: TestGateway): Promise<readonly Json[]> {
  let messages: readonly Json[] = [];
  for (const due of [1, 2]) {
    while (eventsOf(gateway, "summary-due").length < due) messages = await turn(gateway, messages);
    await until(() => eventsOf(gateway, "summary").length === due);
  }
  expect(outcomesOf(gateway)).toContain("compacted");
  return messages;
}

test.each([
  { name: "SQLite", createStore: sqliteStore },
  { name: "PostgreSQL", createStore: postgresStore },
])("what the gateway kept of a conversation is forgotten with it, in $name", async ({ createStore }) => {
  const { provider, store, startAnother } = await startWorld(createStore);
  const gateway = await startAnother();
  const messages = await longTalk(gateway);
  expect(provider.received.some(({ text }) => text.includes("own_call"))).toBe(true);
  const archive = store.open();
  const [conversation, ...others] = await archive.conversations!();
  expect(others).toEqual([]);
  await archive.forget!({ conversation: conversation!.id });
  expect((await store.everything()).filter((text) => TRACES.test(text)).length).toBe(0);

  // One that had it all in memory begins anew as well, and that can be forgotten from another process.
  const more = await turn(gateway, messages);
  expect(outcomesOf(gateway).at(-1)).toBe("compacted");
  const told = await runPith(["archive", "forget", "--tenant", "local", "--archive", store.where]);
  expect(JSON.parse(told.stdout)).toMatchObject({ conversations: 1 });
  await turn(gateway, more);
  expect(outcomesOf(gateway).at(-1)).toBe("compacted");
  await archive.forget!({ tenant: "local" });
  await gateway.stop();
  expect((await archive.verify!()).faults).toEqual([]);
  await archive.close!();
  expect((await store.everything()).filter((text) => TRACES.test(text)).length).toBe(0);

  // One that knows nothing begins with what the client has.
  const next = await startAnother();
  await turn(next, more);
  expect(outcomesOf(next)).toEqual(["compacted"]);
  expect(provider.received.flatMap(({ body }) => wire.faults(body))).toEqual([]);
  const after = store.open();
  expect((await after.verify!()).faults).toEqual([]);
  await after.close!();
});

test.each([
  { name: "SQLite", createStore: sqliteStore },
  { name: "PostgreSQL", createStore: postgresStore },
])(
  "a summary that is being written while its conversation is forgotten is not kept, in $name",
  async ({ createStore }) => {
    let answer: (told: unknown) => void = () => {};
    const held = new Promise((resolve) => {
      answer = resolve;
    });
    const { model, store, startAnother } = await startWorld(createStore, [
      telling,
      { type: "held", until: held, reply: telling },
    ]);
    const gateway = await startAnother();
    let messages: readonly Json[] = [];
    while (eventsOf(gateway, "summary-due").length < 2) {
      messages = await turn(gateway, messages);
      if (eventsOf(gateway, "summary-due").length === 1)
        await until(() => eventsOf(gateway, "summary").length === 1);
    }
    await until(() => model.requests.length === 2);
    const archive = store.open();
    const [conversation] = await archive.conversations!();
    await archive.forget!({ conversation: conversation!.id });
    answer(undefined);
    await until(() => eventsOf(gateway, "summary").length === 2);
    await gateway.stop();
    expect((await archive.verify!()).faults).toEqual([]);
    await archive.close!();
    expect((await store.everything()).filter((text) => TRACES.test(text)).length).toBe(0);
  },
);
