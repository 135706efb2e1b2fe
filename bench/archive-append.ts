/** Appending to the archive against the same rows into the same tables and indexes, without hashes and compression. */
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ArchiveWrite } from "../src/archive/archive.ts";
import { itemId } from "../src/archive/item-id.ts";
import { sqliteArchive } from "../src/archive/sqlite.ts";
import { writeOf } from "./archive-corpus.ts";
import { type Bar, bar } from "./bar.ts";
import { longConversation } from "./corpus.ts";
import { plainInsert } from "./plain-insert.ts";

const ROUNDS = 9;
const MESSAGES = 4_000;
const PER_WRITE = 100;

/**
 * Recorded messages, a hundred a transaction, into files that neither side has seen; the sides take turns to come first.
 * The best round of each counts: every write waits for the disk, and whatever else the machine does only adds to it.
 */
export async function appendBar(folder: string): Promise<Bar> {
  const writes = await recordedWrites();
  const [ours, plain]: [number[], number[]] = [[], []];
  let sizes = "";
  for (let round = 0; round < ROUNDS; round++) {
    const files = [join(folder, `ours-${round}.sqlite`), join(folder, `plain-${round}.sqlite`)] as const;
    if (round % 2 === 0) plain.push(appendPlain(files[1], writes));
    ours.push(await appendOurs(files[0], writes));
    if (round % 2 === 1) plain.push(appendPlain(files[1], writes));
    sizes = files.map((file) => `${(statSync(file).size / 1e6).toFixed(1)} MB`).join(" against ");
    for (const file of files) rmSync(file);
  }
  const [own, other] = [Math.min(...ours), Math.min(...plain)];
  const rate = (ms: number): string => `${Math.round((MESSAGES / ms) * 1000)} a second`;
  const detail = `${MESSAGES} messages: ${rate(own)} against ${rate(other)}, ${((100 * other) / own).toFixed(0)} %; ${sizes}`;
  return bar("archive: appending / plain inserts, time", own / other, 1 / 0.6, detail);
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

/** With the making of the ids, since they are hashes. */
async function appendOurs(file: string, writes: readonly ArchiveWrite[]): Promise<number> {
  const archive = sqliteArchive({ file });
  await archive.get("pith:000000000000");
  const start = performance.now();
  for (const { items, ...write } of writes) {
    await archive.put({
      ...write,
      items: items.map((item) => ({ ...item, id: itemId(item.kind, item.content) })),
    });
  }
  const elapsed = performance.now() - start;
  await archive.close!();
  return elapsed;
}

function appendPlain(file: string, writes: readonly ArchiveWrite[]): number {
  const { insert, close } = plainInsert(file);
  const start = performance.now();
  for (const write of writes) insert(write);
  const elapsed = performance.now() - start;
  close();
  return elapsed;
}
