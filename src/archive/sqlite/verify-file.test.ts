import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { ArchiveError } from "../../errors/archive-error.ts";
import { compactionWrite, textWrite } from "../../testing/archive-writes.ts";
import { sqliteArchive } from "../sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "pith-verify-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const newFile = (): string => join(folder, `${files++}`, "archive.sqlite");

test("names each damaged piece, message, compaction and index row, and gives none of them out", async () => {
  const file = newFile();
  const archive = sqliteArchive({ file });
  const [write, other] = [compactionWrite("a", 1), compactionWrite("b", 2)];
  await archive.put(write);
  await archive.put(other);
  const [piece, message] = [write.items[3]!, write.messages![1]!];
  const database = new DatabaseSync(file);
  database.prepare("UPDATE items SET bytes = x'7b7d' WHERE id = ?").run(piece.id);
  database
    .prepare("UPDATE messages SET bytes = x'00' WHERE item = (SELECT number FROM items WHERE id = ?)")
    .run(message.id);
  database.prepare("UPDATE compactions SET bytes = x'00' WHERE id = ?").run(write.compaction!.id);
  database
    .prepare(
      "INSERT INTO words (words, rowid, text) SELECT 'delete', number, ? FROM messages WHERE conversation = 2 AND position = 0",
    )
    .run(other.messages![0]!.text);
  database.close();
  const { faults } = await archive.verify!();
  expect(faults).toEqual([
    { id: piece.id, problem: "Its content is damaged: the hash differs." },
    { id: write.compaction!.id, problem: "Its content is damaged: the hash differs." },
    { id: message.id, problem: "The searchable text of the message is damaged: its hash differs." },
    { id: other.messages![0]!.id, problem: "The message is not in the index." },
  ]);
  await expect(archive.get(piece.id)).rejects.toThrow(new RegExp(`${piece.id} is damaged: its hash differs`));
  await expect(archive.messages!("a")).rejects.toThrow(ArchiveError);
  await expect(archive.compaction!(write.compaction!.id)).rejects.toThrow(ArchiveError);
  expect(await archive.get(other.items[3]!.id)).toEqual(other.items[3]);
  await archive.close!();
});

test("names rows that lead nowhere", async () => {
  const file = newFile();
  const archive = sqliteArchive({ file });
  const write = compactionWrite("a", 1);
  await archive.put(write);
  const database = new DatabaseSync(file);
  database.exec("PRAGMA foreign_keys = OFF");
  database.prepare("DELETE FROM items WHERE id = ?").run(write.compaction!.markers[0]!);
  database.exec("DELETE FROM messages WHERE position = 2");
  database.close();
  const { faults } = await archive.verify!();
  expect(faults).toContainEqual({
    id: write.compaction!.markers[0]!,
    problem: `The compaction ${write.compaction!.id} names it, but the archive does not have it.`,
  });
  expect(faults.map(({ problem }) => problem)).toContain("A row of owners refers to no row.");
  expect(faults.some(({ problem }) => /^Row \d+ of the index leads to no message/.test(problem))).toBe(true);
  await archive.close!();
});

test("tells of a file with overwritten pages, and goes on with a good copy", async () => {
  const file = newFile();
  const texts = Array.from({ length: 300 }, (_, index) => `message number ${index} `.repeat(10));
  const archive = sqliteArchive({ file });
  await archive.put(textWrite("a", texts));
  await archive.close!();
  execFileSync("cp", [file, `${file}.good`]);
  const handle = openSync(file, "r+");
  for (let at = 4096 * 4; at < statSync(file).size; at += 4096 * 2)
    writeSync(handle, Buffer.alloc(4096, 0xa5), 0, 4096, at);
  closeSync(handle);
  const damaged = sqliteArchive({ file });
  const answer = await damaged.verify!().catch((reason: unknown) => reason);
  if (answer instanceof Error) expect((answer as ArchiveError).message).toMatch(/is damaged.*backup/);
  else expect((answer as { faults: unknown[] }).faults).not.toEqual([]);
  await damaged.close!();
  execFileSync("cp", [`${file}.good`, file]);
  const good = sqliteArchive({ file });
  expect((await good.verify!()).faults).toEqual([]);
  expect(await good.messages!("a")).toHaveLength(300);
  await good.close!();
});
