import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { ArchiveError } from "../../errors/archive-error.ts";
import { compactionWrite, messageItem, textWrite } from "../../testing/archive-writes.ts";
import { sqliteArchive } from "../sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "pith-forget-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const newFile = (): string => join(folder, `${files++}`, "archive.sqlite");

/** The bytes of the file and of all that SQLite has beside it. Copied first: closing the file itself would end our locks. */
function bytesOf(file: string): Buffer {
  const copies = join(folder, `copies of ${files++}`);
  mkdirSync(copies);
  const names = readdirSync(dirname(file));
  expect(names.length).toBeGreaterThan(1);
  for (const name of names) execFileSync("cp", [join(dirname(file), name), copies]);
  return Buffer.concat(names.map((name) => readFileSync(join(copies, name))));
}

/** Every term that an index still has. */
function termsOf(file: string, index: "words" | "fragments"): readonly string[] {
  const database = new DatabaseSync(file);
  database.exec(`CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, ${index}, row)`);
  const terms = database.prepare("SELECT term FROM temp.terms").all();
  database.close();
  return terms.map(({ term }) => String(term));
}

const chatter = (from: number): readonly string[] =>
  Array.from({ length: 400 }, (_, index) => `message ${from + index} about harmless things, ${index * 7}`);
const SECRET = "the password of zorbulax is Xyzzyqwv";

test("what was forgotten is in no byte of any file and in no index, with much written before and after it", async () => {
  const file = newFile();
  const archive = sqliteArchive({ file });
  await archive.put(textWrite("a", chatter(0)));
  await archive.put(textWrite("a", [SECRET, "kept"], 400));
  await archive.put(textWrite("gone", [`${SECRET} again`]));
  for (let round = 1; round < 5; round++)
    await archive.put(textWrite(`later ${round}`, chatter(round * 1000)));
  expect(bytesOf(file).includes("Xyzzyqwv")).toBe(true);
  expect(termsOf(file, "words")).toContain("zorbulax");
  expect(termsOf(file, "fragments")).toContain("zyq");
  await archive.forget!({ ids: [messageItem(SECRET).id] });
  expect(bytesOf(file).includes("Xyzzyqwv")).toBe(true);
  await archive.forget!({ conversation: "gone" });
  for (const part of ["Xyzzyqwv", "xyzzyqwv", "zorbulax", "zzyq"])
    expect(bytesOf(file).includes(part)).toBe(false);
  expect(termsOf(file, "words").filter((term) => /zorb|xyzz/.test(term))).toEqual([]);
  expect(termsOf(file, "fragments").filter((term) => /zyq|orb|bul/.test(term))).toEqual([]);
  expect((await archive.verify!()).faults).toEqual([]);
  expect(await archive.candidates!({ words: ["kept"], fragments: ["kept"], limit: 5 })).toHaveLength(1);
  await archive.close!();
});

test("copies that a reader kept from going are told, and go when the file is next opened", async () => {
  const file = newFile();
  const archive = sqliteArchive({ file, timeoutMs: 100 });
  await archive.put(textWrite("a", [SECRET, "kept"]));
  const reader = new DatabaseSync(file);
  reader.exec("BEGIN; SELECT count(*) FROM items");
  reader.prepare("SELECT count(*) FROM items").get();
  const error = await archive.forget!({ ids: [messageItem(SECRET).id] }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ArchiveError);
  expect((error as ArchiveError).message).toMatch(/It is erased .* copies are still in .*next opened/);
  expect((await archive.get(messageItem(SECRET).id))?.content).toBe("");
  expect(bytesOf(file).includes("Xyzzyqwv")).toBe(true);
  reader.close();
  const next = sqliteArchive({ file });
  expect(await next.messages!("a")).toHaveLength(1);
  expect(bytesOf(file).includes("Xyzzyqwv")).toBe(false);
  await next.close!();
  await archive.close!();
});

test("forgetting again finishes what a reader kept from going", async () => {
  const file = newFile();
  const archive = sqliteArchive({ file, timeoutMs: 100 });
  await archive.put(textWrite("a", [SECRET, "kept"]));
  const reader = new DatabaseSync(file);
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM items").get();
  const forget = () => archive.forget!({ ids: [messageItem(SECRET).id] });
  await expect(forget()).rejects.toThrow(ArchiveError);
  reader.close();
  expect(await forget()).toEqual({ conversations: 0, items: 0 });
  expect(bytesOf(file).includes("Xyzzyqwv")).toBe(false);
  await archive.close!();
});

test("what is damaged can be forgotten as well, and leaves nothing in the index", async () => {
  const file = newFile();
  const archive = sqliteArchive({ file });
  await archive.put(textWrite("a", [SECRET]));
  await archive.put(compactionWrite("b", 1));
  damage(file, "UPDATE messages SET bytes = x'00' WHERE conversation = 1");
  damage(file, "UPDATE items SET bytes = x'00' WHERE number = 1");
  expect(await archive.forget!({ ids: [messageItem(SECRET).id] })).toEqual({ conversations: 0, items: 1 });
  expect(termsOf(file, "words")).not.toContain("zorbulax");
  expect(await archive.candidates!({ words: ["parser"], limit: 5 })).toHaveLength(1);
  expect((await archive.verify!()).faults).toEqual([]);
  await archive.close!();
});

function damage(file: string, statement: string): void {
  const database = new DatabaseSync(file);
  database.exec(statement);
  database.close();
}
