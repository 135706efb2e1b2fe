import { inspect } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PostgresServer, startPostgres } from "../../../test/postgres-server.ts";
import { ArchiveError } from "../../errors/archive-error.ts";
import { OptionsError } from "../../errors/options-error.ts";
import { compactionWrite, textWrite } from "../../testing/archive-writes.ts";
import type { Archive } from "../archive.ts";
import { postgresArchive } from "../postgres.ts";
import { writeTo } from "../ready-write.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.stop());

const archiveIn = (schema: string) => postgresArchive({ url: server.urlOf("postgres"), schema });
const admin = (text: string, values?: readonly unknown[]) => server.query("postgres", text, values);

/** The error of a call that must fail, checked to be ours, to name the server, and to keep the password. */
async function failureOf(work: Promise<unknown>, password = server.password): Promise<ArchiveError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ArchiveError);
  const said = inspect(error, { depth: 20, showHidden: true }) + JSON.stringify(error);
  expect(said).not.toContain(password);
  expect(said).not.toContain(encodeURIComponent(password));
  expect((error as ArchiveError).message).toContain((error as ArchiveError).archive);
  return error as ArchiveError;
}

/** Waits until a statement of the archive hangs on a lock, and gives its backend. */
async function hangingBackend(): Promise<number> {
  for (;;) {
    const [row] = await admin(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'pith' AND wait_event_type = 'Lock'",
    );
    if (row) return row.pid as number;
  }
}

/** A session of its own that holds a table until it is told to let go. */
async function holdTable(table: string): Promise<pg.Client> {
  const holder = new pg.Client({ connectionString: server.urlOf("postgres") });
  await holder.connect();
  await holder.query("SET deadlock_timeout = '1min'");
  await holder.query("BEGIN");
  await holder.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  return holder;
}

async function endConnections(): Promise<void> {
  await admin("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pith'");
}

test("names the server and never the password", async () => {
  const archive = archiveIn("named");
  expect(archive.name).toBe(`postgres://127.0.0.1:${server.port}/postgres`);
  await archive.get("pith:000000000000");
  expect(inspect(archive, { depth: 20, showHidden: true })).not.toContain("secret");
  await archive.close!();
});

test("goes on with a new connection when the server ended the old one between two calls", async () => {
  const archive = archiveIn("between");
  await archive.put(textWrite("a", ["before"]));
  await endConnections();
  await archive.put(textWrite("a", ["after"], 1));
  await endConnections();
  expect((await archive.messages!("a")).map(({ text }) => text)).toEqual(["before", "after"]);
  await archive.close!();
});

test("stores nothing of a write whose connection was lost on the way, and the next one succeeds", async () => {
  const archive = archiveIn("lost");
  await archive.put(textWrite("a", ["before"]));
  const write = compactionWrite("b", 1);
  const holder = await holdTable("lost.messages");
  const failing = failureOf(archive.put(write));
  await admin("SELECT pg_terminate_backend($1)", [await hangingBackend()]);
  const { message } = await failing;
  expect(message).toMatch(
    /^postgres:.* storing failed: the server ended the connection\. Nothing of it was stored/,
  );
  await holder.end();
  expect(await archive.getMany!(write.items.map(({ id }) => id))).toEqual(write.items.map(() => undefined));
  expect((await archive.conversations!()).map(({ id }) => id)).toEqual(["a"]);
  await archive.put(write);
  expect(await archive.compaction!(write.compaction!.id)).toEqual(write.compaction);
  await archive.close!();
});

test("reads again when the connection is lost while it reads", async () => {
  const archive = archiveIn("reading");
  await archive.put(textWrite("a", ["still here"]));
  const holder = await holdTable("reading.messages");
  const reading = archive.messages!("a");
  await admin("SELECT pg_terminate_backend($1)", [await hangingBackend()]);
  await holder.end();
  expect((await reading).map(({ text }) => text)).toEqual(["still here"]);
  await archive.close!();
});

test("begins a write again when the server undid it to solve a deadlock", async () => {
  const archive = archiveIn("deadlock");
  await archive.put(textWrite("a", ["before"]));
  const holder = await holdTable("deadlock.messages");
  const writing = archive.put(textWrite("a", ["after"], 1));
  await hangingBackend();
  // The write holds its conversation and waits for the table: with this statement both wait for each other.
  await holder.query("UPDATE deadlock.conversations SET last_at = last_at");
  await holder.query("COMMIT");
  await holder.end();
  await writing;
  expect((await archive.messages!("a")).map(({ text }) => text)).toEqual(["before", "after"]);
  await archive.close!();
});

test("says so while the server is down, and works again when it is back", async () => {
  const archive = archiveIn("restart");
  const write = textWrite("a", ["before"]);
  await archive.put(write);
  await server.down();
  const { message } = await failureOf(archive.put(textWrite("a", ["never stored"], 1)));
  expect(message).toContain("nothing listens there");
  await failureOf(archive.get(write.items[0]!.id));
  await server.up();
  expect(await archive.get(write.items[0]!.id)).toEqual(write.items[0]);
  expect(await archive.messages!("a")).toHaveLength(1);
  await archive.close!();
});

test("says so when the server falls silent, and works again when it answers", async () => {
  const pool = new pg.Pool({ connectionString: server.urlOf("postgres"), query_timeout: 300 });
  pool.on("error", () => {});
  const archive = postgresArchive({ pool, schema: "silent" });
  await archive.put(textWrite("a", ["before"]));
  const holder = await holdTable("silent.messages");
  const { message } = await failureOf(archive.put(textWrite("a", ["after"], 1)));
  expect(message).toContain("the server did not answer in time");
  await holder.end();
  await archive.put(textWrite("a", ["after"], 1));
  expect((await archive.messages!("a")).map(({ text }) => text)).toEqual(["before", "after"]);
  await archive.close!();
  await pool.end();
});

test("tells what is wrong with an address", async () => {
  const said = async (url: string, password: string) => {
    const archive = postgresArchive({ url });
    const { message } = await failureOf(archive.get("pith:000000000000"), password);
    await archive.close!();
    return message;
  };
  const at = `127.0.0.1:${server.port}`;
  expect(await said(`postgres://postgres:wrongpass@${at}/postgres`, "wrongpass")).toContain(
    "refused the user or the password",
  );
  expect(await said(server.urlOf("absent"), server.password)).toContain("there is no such database");
  expect(await said("postgres://a:hidden@host.invalid/x", "hidden")).toMatch(/host is not known|looked up/);
  expect(await said("postgres://a:hidden@127.0.0.1:1/x", "hidden")).toContain("nothing listens there");
});

test("tells when a right is missing, and works in a schema that exists already", async () => {
  await admin("CREATE ROLE guest LOGIN PASSWORD 'guestpass'");
  await admin("REVOKE CREATE ON DATABASE postgres FROM PUBLIC");
  const url = `postgres://guest:guestpass@127.0.0.1:${server.port}/postgres`;
  const refused = postgresArchive({ url, schema: "not_there" });
  expect((await failureOf(refused.put(textWrite("a", ["x"])), "guestpass")).message).toContain(
    "needs CREATE on the database",
  );
  await refused.close!();
  await admin("CREATE SCHEMA given AUTHORIZATION guest");
  const archive = postgresArchive({ url, schema: "given" });
  await archive.put(textWrite("a", ["welcome"]));
  expect(await archive.messages!("a")).toHaveLength(1);
  await archive.close!();
});

test("uses a pool of the caller and leaves it open", async () => {
  const pool = new pg.Pool({ connectionString: server.urlOf("postgres"), max: 2 });
  pool.on("error", () => {});
  const archives: Archive[] = [
    postgresArchive({ pool, schema: "pooled" }),
    postgresArchive({ pool, schema: "pooled" }),
  ];
  expect(archives[0]!.name).toBe(`postgres://127.0.0.1:${server.port}/postgres`);
  await Promise.all(
    archives.map((archive, index) => writeTo(archive, textWrite("a", [`by ${index}`], index))),
  );
  await archives[0]!.close!();
  await failureOf(archives[0]!.get("pith:000000000000"));
  expect(await archives[1]!.messages!("a")).toHaveLength(2);
  await archives[1]!.close!();
  expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  expect(pool.listenerCount("error")).toBe(1);
  await pool.end();
});

test("needs an address or a pool, and a schema that is a plain name", () => {
  expect(() => postgresArchive({})).toThrow(OptionsError);
  expect(() => postgresArchive({ url: "postgres://h/x", pool: new pg.Pool() })).toThrow(OptionsError);
  expect(() => postgresArchive({ url: "postgres://h/x", schema: 'x"; DROP TABLE y; --' })).toThrow(/schema/);
});
