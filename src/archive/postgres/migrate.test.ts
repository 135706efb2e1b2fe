import { afterAll, beforeAll, expect, test } from "vitest";
import { type PostgresServer, startPostgres } from "../../../test/postgres-server.ts";
import { ArchiveError } from "../../errors/archive-error.ts";
import { textWrite } from "../../testing/archive-writes.ts";
import { memoryArchive } from "../memory.ts";
import { postgresArchive } from "../postgres.ts";
import { migrations } from "./schema.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.stop());

test("many processes that start at once make the tables once", async () => {
  const url = await server.createDatabase("at_once");
  const archives = Array.from({ length: 6 }, () => postgresArchive({ url }));
  await Promise.all(archives.map((archive, index) => archive.put(textWrite("a", [`by ${index}`], index))));
  expect(await archives[0]!.messages!("a")).toHaveLength(6);
  await Promise.all(archives.map((archive) => archive.close!()));
  expect(await server.query("at_once", "SELECT version FROM pith.version")).toEqual([
    { version: migrations.length },
  ]);
});

test("refuses tables that a newer release made, and touches nothing", async () => {
  const url = await server.createDatabase("newer");
  const first = postgresArchive({ url });
  await first.put(textWrite("a", ["kept"]));
  await first.close!();
  await server.query("newer", "UPDATE pith.version SET version = 99");
  const archive = postgresArchive({ url });
  const error = await archive.put(textWrite("a", ["refused"], 1)).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ArchiveError);
  expect((error as Error).message).toContain(
    `version 99, and this release of Pith knows versions up to ${migrations.length}. Use a newer`,
  );
  await server.query("newer", "UPDATE pith.version SET version = $1", [migrations.length]);
  expect(await archive.messages!("a")).toHaveLength(1);
  await archive.close!();
});

test("brings tables of the first version up to date and keeps all that is in them", async () => {
  const url = await server.createDatabase("older");
  const first = postgresArchive({ url });
  await first.put(textWrite("a", ["kept", "[SUMMARY]: what was kept"]));
  await first.close!();
  await server.query("older", "ALTER TABLE pith.conversations DROP COLUMN about");
  await server.query("older", "DROP TABLE pith.chores, pith.erasures");
  await server.query("older", "DROP INDEX pith.messages_by_writing");
  await server.query("older", "ALTER TABLE pith.messages DROP COLUMN own");
  await server.query("older", "UPDATE pith.messages SET length = 1, terms = to_tsvector('pith.words', text)");
  await server.query("older", "UPDATE pith.version SET version = 1");
  const archive = postgresArchive({ url });
  expect((await archive.messages!("a")).map(({ position }) => position)).toEqual([0, 1]);
  const found = await archive.candidates!({ words: ["keep"], fragments: ["kept"], limit: 5 });
  expect(found.map(({ text }) => text)).toEqual(["kept"]);
  const anew = memoryArchive();
  await anew.put(textWrite("a", ["kept", "[SUMMARY]: what was kept"]));
  expect(found).toEqual(await anew.candidates!({ words: ["keep"], fragments: ["kept"], limit: 5 }));
  await archive.put({ ...textWrite("beside", ["quoted"]), about: "a" });
  expect(await archive.forget!({ conversation: "a" })).toEqual({ conversations: 1, items: 3 });
  await archive.close!();
});

test("indexes what an earlier release, still at work, wrote meanwhile", async () => {
  const url = await server.createDatabase("beside");
  const first = postgresArchive({ url });
  await first.put(textWrite("a", ["the zebra"]));
  await first.close!();
  await server.query(
    "beside",
    "UPDATE pith.messages SET own = NULL, length = 2, terms = to_tsvector('pith.words', text)",
  );
  const archive = postgresArchive({ url });
  expect(await archive.candidates!({ words: ["zebras"], limit: 5 })).toHaveLength(1);
  await archive.close!();
});

test("refuses a database that cannot hold every character", async () => {
  await server.query("postgres", "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
  const archive = postgresArchive({ url: server.urlOf("latin") });
  await expect(archive.get("pith:000000000000")).rejects.toThrow(/encoding LATIN1.*UTF8/);
  await archive.close!();
});

test("finds fragments without pg_trgm, and indexes them once the extension is there", async () => {
  const owner = await server.createDatabase("plain");
  await server.query("plain", "CREATE ROLE modest LOGIN PASSWORD 'modest'");
  await server.query("plain", "CREATE SCHEMA pith AUTHORIZATION modest");
  const url = owner.replace(/\/\/[^@]*@/, "//modest:modest@");
  const found = async () => {
    const archive = postgresArchive({ url });
    await archive.put(textWrite("a", ["see src/parseConfigFile.ts", "nothing here"]));
    const candidates = await archive.candidates!({ words: [], fragments: ["seconfig"], limit: 5 });
    await archive.close!();
    return candidates.map(({ text }) => text);
  };
  const indexes = () =>
    server.query("plain", "SELECT 1 FROM pg_indexes WHERE indexname = 'messages_by_trigram'");
  expect(await found()).toEqual(["see src/parseConfigFile.ts"]);
  expect(await indexes()).toEqual([]);
  await server.query("plain", "CREATE SCHEMA extensions");
  await server.query("plain", "CREATE EXTENSION pg_trgm SCHEMA extensions");
  await server.query("plain", "GRANT USAGE ON SCHEMA extensions TO PUBLIC");
  expect(await found()).toEqual(["see src/parseConfigFile.ts"]);
  expect(await indexes()).toHaveLength(1);
});
