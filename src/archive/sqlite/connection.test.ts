import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { ArchiveError } from "../../errors/archive-error.ts";
import { compactionWrite, textWrite } from "../../testing/archive-writes.ts";
import { archiveItem } from "../item-id.ts";
import { sqliteArchive } from "../sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "pith-connection-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const newFile = (): string => join(folder, `${files++}`, "archive.sqlite");

/** The error of a call that must fail: ours, with its code and the name of the file. */
async function failureOf(work: Promise<unknown>, file: string): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ArchiveError);
  const { code, message } = error as ArchiveError;
  expect(code).toBe("ARCHIVE_FAILED");
  expect(message).toContain(file);
  return message;
}

/** Another process's hand on the file. */
function lock(file: string): DatabaseSync {
  const holder = new DatabaseSync(file);
  holder.exec("BEGIN IMMEDIATE");
  return holder;
}

test("a lock that is held too long is told, reading goes on, and the same write succeeds afterwards", async () => {
  const file = newFile();
  const archive = sqliteArchive({ file, timeoutMs: 100 });
  const before = textWrite("a", ["before"]);
  await archive.put(before);
  const holder = lock(file);
  const write = compactionWrite("b", 1);
  expect(await failureOf(archive.put(write), file)).toMatch(/locked by another process.*Nothing was changed/);
  expect(await archive.get(before.items[0]!.id)).toEqual(before.items[0]);
  expect(await archive.get(write.items[0]!.id)).toBe(undefined);
  holder.close();
  await archive.put(write);
  expect(await archive.compaction!(write.compaction!.id)).toEqual(write.compaction);
  await archive.close!();
});

test("waits for a lock without stopping the process", async () => {
  const file = newFile();
  const archive = sqliteArchive({ file });
  await archive.put(textWrite("a", ["before"]));
  const holder = lock(file);
  const writing = archive.put(textWrite("a", ["after"], 1));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await archive.messages!("a")).toHaveLength(1);
  holder.close();
  await writing;
  expect(await archive.messages!("a")).toHaveLength(2);
  await archive.close!();
});

test("opened only to look, it reads, writes nothing, and makes no file", async () => {
  const file = newFile();
  const missing = sqliteArchive({ file, readOnly: true });
  expect(await failureOf(missing.get("pith:000000000000"), file)).toContain(
    `There is no archive at ${file} yet`,
  );
  expect(existsSync(dirname(file))).toBe(false);
  mkdirSync(dirname(file));
  writeFileSync(file, "");
  expect(await failureOf(missing.get("pith:000000000000"), file)).toContain(
    `There is no archive at ${file} yet`,
  );
  const writer = sqliteArchive({ file });
  const write = textWrite("a", ["hello"]);
  await writer.put(write);
  expect(await missing.get(write.items[0]!.id)).toEqual(write.items[0]);
  expect(await failureOf(missing.put(textWrite("a", ["more"], 1)), file)).toContain("is read-only");
  expect((await missing.verify!()).faults).toEqual([]);
  await missing.close!();
  await writer.close!();
});

test("a file without write permission refuses a write, and takes it once it has it", async () => {
  const file = newFile();
  const first = sqliteArchive({ file });
  await first.put(textWrite("a", ["hello"]));
  await first.close!();
  const write = textWrite("a", ["more"], 1);
  const archive = sqliteArchive({ file });
  const permit = (mode: "w" | "r"): void => {
    for (const path of [folder, dirname(file)]) chmodSync(path, mode === "w" ? 0o777 : 0o555);
    chmodSync(file, mode === "w" ? 0o666 : 0o444);
  };
  permit("r");
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid!(65534);
  try {
    expect(await failureOf(archive.put(write), file)).toMatch(/read-only|could not be opened/);
  } finally {
    if (isRoot) process.seteuid!(0);
    permit("w");
  }
  await archive.put(write);
  expect(await archive.messages!("a")).toHaveLength(2);
  await archive.close!();
});

test("a file that may not grow refuses what is too much, keeps the rest, and takes it with more room", async () => {
  const file = newFile();
  const tight = sqliteArchive({ file, maxFileBytes: 400_000 });
  const small = compactionWrite("a", 1);
  await tight.put(small);
  const random = Array.from({ length: 40_000 }, (_, index) => archiveItem("text", `${index}`).id).join(" ");
  const large = {
    ...compactionWrite("b", 2),
    items: [...compactionWrite("b", 2).items, archiveItem("text", random)],
  };
  expect(await failureOf(tight.put(large), file)).toMatch(
    /cannot grow: the disk is full.*Nothing was changed/,
  );
  expect(await tight.get(large.items[0]!.id)).toBe(undefined);
  expect((await tight.conversations!()).map(({ id }) => id)).toEqual(["a"]);
  await tight.put({ ...textWrite("a", ["still works"], 3), at: 3 });
  expect((await tight.verify!()).faults).toEqual([]);
  await tight.close!();
  const roomy = sqliteArchive({ file });
  await roomy.put(large);
  expect((await roomy.verify!()).faults).toEqual([]);
  await roomy.close!();
});

test("goes on in a new file when someone removed the old one, so that nothing is written to nowhere", async () => {
  const file = newFile();
  const [one, other] = [sqliteArchive({ file }), sqliteArchive({ file })];
  await one.put(textWrite("a", ["removed"]));
  expect(await other.messages!("a")).toHaveLength(1);
  rmSync(dirname(file), { recursive: true });
  await one.put(textWrite("a", ["after"], 1));
  await other.put(textWrite("a", ["by the other"], 2));
  await Promise.all([one.close!(), other.close!()]);
  const archive = sqliteArchive({ file, readOnly: true });
  expect((await archive.messages!("a")).map(({ text }) => text)).toEqual(["after", "by the other"]);
  await archive.close!();
});
