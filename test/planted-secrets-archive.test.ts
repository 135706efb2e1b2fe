/** Planted secrets go through the SQLite archive: no byte of any of its files, and nothing it gives back, holds one. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Archive, ArchiveWrite, ReadyWrite } from "../src/archive/archive.ts";
import { archiveItem, itemId } from "../src/archive/item-id.ts";
import { inTransaction } from "../src/archive/sqlite/in-transaction.ts";
import { putWrite } from "../src/archive/sqlite/put-write.ts";
import { sqliteArchive } from "../src/archive/sqlite.ts";
import { type Masked, maskText } from "../src/redact/mask-json.ts";
import { redactSecrets } from "../src/redact/redact-secrets.ts";
import { saidAs } from "../src/testing/archive-writes.ts";
import { plantedSecrets } from "./planted-secrets.ts";
import { places, traces } from "./planted-secrets-places.ts";

const planted = plantedSecrets("archive");
const sources = places.flatMap((place) =>
  planted.map((secret) => ({ place, secret, source: place.plant(secret) })),
);
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pith-planted-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

type Stored = Pick<Masked, "masked"> & { readonly text: string };

/** Every source as a message with its searchable text, and as a whole text. */
function writeOf(
  maskWith: (source: string, mask: (source: string) => Masked) => Stored,
  itemOf = archiveItem,
): ArchiveWrite {
  const masked = sources.map(({ place, source }) => maskWith(source, place.mask));
  const messages = masked.map((one) => itemOf("message", one.text, one.masked));
  const texts = sources.map(({ source }) => maskWith(source, maskText));
  return {
    conversation: "planted",
    at: 1,
    items: [...messages, ...texts.map((one) => itemOf("text", one.text, one.masked))],
    messages: messages.map((item, position) => saidAs(item, { position, text: texts[position]!.text })),
  };
}

/** One that somebody made by hand. */
const plainItem: typeof archiveItem = (kind, content) => ({
  id: itemId(kind, content),
  kind,
  content,
  masked: [],
});

/** All bytes of all files, the write-ahead log among them, and all that the archive gives back. */
async function everythingStored(archive: Archive, { items }: ArchiveWrite): Promise<string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  expect(files.map(({ name }) => name)).toContain("archive.sqlite-wal");
  const bytes = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name)).toString("latin1"));
  const contents = await archive.getMany!(items.map(({ id }) => id));
  const messages = await archive.messages!("planted");
  return [...bytes, ...contents.map((item) => item!.content), ...messages.map(({ text }) => text)].join("\n");
}

function foundIn(stored: string): readonly string[] {
  return planted.filter((secret) => traces(secret, stored).length > 0).map(({ kind }) => kind);
}

test("[R46] of the planted secrets none is in the archive, its log or its index", async () => {
  expect(planted.length).toBeGreaterThanOrEqual(30);
  const archive = sqliteArchive({ file: join(folder, "archive.sqlite") });
  const write = writeOf((source, mask) => mask(source));
  await archive.put(write);
  expect(foundIn(await everythingStored(archive, write))).toEqual([]);
  expect((await archive.get(write.items[0]!.id))!.masked.length).toBeGreaterThan(0);
  await archive.close!();
});

const unmasked = (): ArchiveWrite => writeOf((source) => ({ text: source, masked: [] }), plainItem);

test("[R46] whoever hands it over unmasked, the archive stores it masked, under the ids that were given", async () => {
  const archive = sqliteArchive({ file: join(folder, "archive.sqlite") });
  const write = unmasked();
  await archive.put(write);
  await archive.put(write);
  expect(foundIn(await everythingStored(archive, write))).toEqual([]);
  expect((await archive.verify!()).faults).toEqual([]);
  await archive.close!();
});

test("the same search finds every one of them when nothing is masked", async () => {
  const file = join(folder, "archive.sqlite");
  const archive = sqliteArchive({ file });
  const write = unmasked();
  await archive.conversations!();
  const database = new DatabaseSync(file);
  inTransaction(database, "write", () => putWrite((sql) => database.prepare(sql), file, write as ReadyWrite));
  expect(foundIn(await everythingStored(archive, write))).toEqual(planted.map(({ kind }) => kind));
  database.close();
  await archive.close!();
});

test("[R46] of the planted secrets none is in a log that was redacted, whole or line by line of JSON", () => {
  const log = sources
    .map(({ source }, index) => `2026-01-01T00:00:0${index % 10} error: ${source}`)
    .join("\n\n");
  expect(foundIn(log).length).toBe(planted.length);
  expect(foundIn(redactSecrets(log).text)).toEqual([]);
});
