/** Appending to the archive against the same rows into the same tables and indexes, without hashes and compression. */
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Archive, ArchiveWrite } from "../src/archive/archive.ts";
import { itemId } from "../src/archive/item-id.ts";
import { writeTo } from "../src/archive/ready-write.ts";
import { sqliteArchive } from "../src/archive/sqlite.ts";
import { writeOf } from "./archive-corpus.ts";
import { type Bar, bar } from "./bar.ts";
import { longConversation } from "./corpus.ts";
import { plainInsert } from "./plain-insert.ts";

const ROUNDS = 9;
const MESSAGES = 4_000;
const PER_WRITE = 100;

/**
 * Recorded messages, a hundred a transaction, into files that neither side has seen; the sides take turns, write by write.
 * The best round of each write counts: every one waits for the disk, and whatever else the machine does only adds to it.
 */
export async function appendBar(folder: string): Promise<Bar> {
  const writes = await recordedWrites();
  const ours = writes.map(() => Infinity);
  const plain = writes.map(() => Infinity);
  let sizes = "";
  for (let round = 0; round < ROUNDS; round++) {
    const files = [join(folder, `ours-${round}.sqlite`), join(folder, `plain-${round}.sqlite`)] as const;
    const archive = sqliteArchive({ file: files[0] });
    await archive.get("pith:000000000000");
    const { insert, close } = plainInsert(files[1]);
    for (const [index, write] of writes.entries()) {
      const insertPlain = async (): Promise<void> => insert(write);
      if ((index + round) % 2 === 0) plain[index] = Math.min(plain[index]!, await elapsed(insertPlain));
      ours[index] = Math.min(ours[index]!, await elapsed(() => putWithIds(archive, write)));
      if ((index + round) % 2 === 1) plain[index] = Math.min(plain[index]!, await elapsed(insertPlain));
    }
    close();
    await archive.close!();
    sizes = files.map((file) => `${(statSync(file).size / 1e6).toFixed(1)} MB`).join(" against ");
    for (const file of files) rmSync(file);
  }
  const [own, other] = [ours, plain].map((times) => times.reduce((sum, ms) => sum + ms, 0)) as [
    number,
    number,
  ];
  const rate = (ms: number): string => `${Math.round((MESSAGES / ms) * 1000)} a second`;
  const detail = `${MESSAGES} messages: ${rate(own)} against ${rate(other)}, ${((100 * other) / own).toFixed(0)} %; ${sizes}`;
  return bar("archive: appending / plain inserts, time", own / other, 1 / 0.6, detail);
}

/** With the making of the ids, since they are hashes. */
function putWithIds(archive: Archive, { items, ...write }: ArchiveWrite): Promise<void> {
  return writeTo(archive, {
    ...write,
    items: items.map((item) => ({ ...item, id: itemId(item.kind, item.content) })),
  });
}

async function elapsed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function recordedWrites(): Promise<readonly ArchiveWrite[]> {
  const recorded = await longConversation((messages) => messages.length >= MESSAGES);
  const texts = recorded.map(({ content }) =>
    typeof content === "string" ? content : JSON.stringify(content ?? ""),
  );
  return Array.from({ length: MESSAGES / PER_WRITE }, (_, order) => {
    const first = order * PER_WRITE;
    const own = texts.slice(first, first + PER_WRITE).map((text, index) => `${first + index} ${text}`);
    return writeOf("recorded", own, first);
  });
}
