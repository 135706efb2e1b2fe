import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { ArchiveError } from "../../errors/archive-error.ts";
import { compactionWrite, textWrite } from "../../testing/archive-writes.ts";
import { sqliteArchive } from "../sqlite.ts";
import { APPLICATION_ID, MIGRATIONS } from "./schema.ts";

const folder = mkdtempSync(join(tmpdir(), "pith-open-"));
afterAll(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test("only the owner may read the file, what SQLite adds beside it, and the folder", async () => {
  const inside = join(folder, "made", "for it");
  const archive = sqliteArchive({ file: join(inside, "archive.sqlite") });
  await archive.put(textWrite("a", ["hello"]));
  expect(Object.fromEntries(readdirSync(inside).map((name) => [name, modeOf(join(inside, name))]))).toEqual({
    "archive.sqlite": "600",
    "archive.sqlite-shm": "600",
    "archive.sqlite-wal": "600",
  });
  expect([modeOf(inside), modeOf(join(folder, "made"))]).toEqual(["700", "700"]);
  await archive.close!();
});

test("takes a path for nothing but a path, and no name of a conversation for one", async () => {
  const inside = join(folder, "paths");
  for (const name of [":memory:", "file:x?mode=memory", "odd ' \" ; -- name"]) {
    const archive = sqliteArchive({ file: join(inside, name) });
    await archive.put(textWrite("../../escaped", ["hello"]));
    await archive.close!();
  }
  expect(readdirSync(inside).toSorted()).toEqual([":memory:", "file:x?mode=memory", "odd ' \" ; -- name"]);
  expect(readdirSync(folder)).not.toContain("escaped");
});

test("refuses what is no archive, says so, and leaves it as it is", async () => {
  const files = {
    "notes.txt": /not an archive/,
    "other.sqlite": /database of another program/,
    "newer.sqlite": /written by a newer Pith \(version 99/,
  };
  writeFileSync(join(folder, "notes.txt"), "The quick brown fox. ".repeat(100));
  const other = new DatabaseSync(join(folder, "other.sqlite"));
  other.exec("CREATE TABLE theirs (x)");
  other.close();
  const newer = new DatabaseSync(join(folder, "newer.sqlite"));
  newer.exec(`CREATE TABLE x (y); PRAGMA user_version = 99; PRAGMA application_id = ${APPLICATION_ID}`);
  newer.close();
  for (const [name, problem] of Object.entries(files)) {
    const file = join(folder, name);
    const before = readFileSync(file);
    const archive = sqliteArchive({ file });
    const error = await archive.put(textWrite("a", ["x"])).catch((reason: unknown) => reason);
    await archive.close!();
    expect(error).toBeInstanceOf(ArchiveError);
    expect((error as ArchiveError).message).toMatch(problem);
    expect(readFileSync(file)).toEqual(before);
  }
});

test("says what to do about a path that cannot be a file", async () => {
  const inTheWay = join(folder, "a folder");
  mkdirSync(inTheWay);
  writeFileSync(join(folder, "a file"), "");
  for (const file of [inTheWay, join(folder, "a file", "archive.sqlite"), join(folder, "nul \0 inside")]) {
    const error = await sqliteArchive({ file })
      .put(textWrite("a", ["x"]))
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ArchiveError);
    expect((error as ArchiveError).message).toContain("give the path of a file");
  }
});

test("brings a file of the first version up to date and keeps all that is in it", async () => {
  const file = join(folder, "version-1.sqlite");
  const write = compactionWrite("a", 1);
  const first = sqliteArchive({ file });
  await first.put(write);
  await first.close!();
  makeVersion1(file);
  const archive = sqliteArchive({ file });
  expect(await archive.getMany!(write.items.map(({ id }) => id))).toEqual(write.items);
  expect(await archive.compaction!(write.compaction!.id)).toEqual(write.compaction);
  expect(await archive.candidates!({ words: ["parser"], limit: 5 })).toHaveLength(1);
  expect((await archive.verify!()).faults).toEqual([]);
  expect((await archive.forget!({ conversation: "a" })).conversations).toBe(1);
  await archive.close!();
  const database = new DatabaseSync(file);
  expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: MIGRATIONS.length });
  database.close();
});

test("reads, measures and copies a file of the first version without changing it", async () => {
  const file = join(folder, "read.sqlite");
  const write = compactionWrite("a", 1);
  const first = sqliteArchive({ file });
  await first.put(write);
  await first.close!();
  makeVersion1(file);
  const archive = sqliteArchive({ file, readOnly: true });
  const copy = join(folder, "read-copy.sqlite");
  expect(await archive.conversations!()).toHaveLength(1);
  expect([...(await archive.stat!()).bytesOf.keys()]).toEqual(["a"]);
  expect(await archive.erasures!()).toBe(0);
  expect((await archive.verify!()).faults).toEqual([]);
  await archive.backup!(copy);
  await archive.close!();
  for (const each of [file, copy]) {
    const database = new DatabaseSync(each, { readOnly: true });
    expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: 1 });
    database.close();
  }
});

test("leaves a file of the first version as it is when a later step fails", async () => {
  const file = join(folder, "stuck.sqlite");
  const first = sqliteArchive({ file });
  await first.put(textWrite("a", ["kept"]));
  await first.close!();
  makeVersion1(file);
  const inTheWay = new DatabaseSync(file);
  inTheWay.exec("CREATE VIEW chores AS SELECT 1");
  inTheWay.close();
  const archive = sqliteArchive({ file });
  await expect(archive.get("pith:000000000000")).rejects.toThrow(ArchiveError);
  const removed = new DatabaseSync(file);
  expect(removed.prepare("PRAGMA user_version").get()).toEqual({ user_version: 1 });
  removed.exec("DROP VIEW chores");
  removed.close();
  expect(await archive.messages!("a")).toHaveLength(1);
  await archive.close!();
});

/** Takes everything away again that later versions added. */
function makeVersion1(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`
    DROP INDEX conversations_by_about;
    ALTER TABLE conversations DROP COLUMN about;
    DROP TABLE chores;
    DROP TABLE erasures;
    PRAGMA user_version = 1`);
  const made = new DatabaseSync(":memory:");
  made.exec(MIGRATIONS[0]!);
  const schemaOf = (of: DatabaseSync) =>
    of.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all();
  expect(schemaOf(database)).toEqual(schemaOf(made));
  database.close();
  made.close();
}
