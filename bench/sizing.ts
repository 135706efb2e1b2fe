/**
 * What an archive takes on disk, `npm run bench -- sizing`: recorded conversations go through a compactor as agents send them,
 * turn after turn, into a SQLite file and into a PostgreSQL database.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Archive } from "../src/archive/archive.ts";
import { openArchive } from "../src/archive/open-archive.ts";
import { createCompactor } from "../src/compactor.ts";
import { startPostgres } from "../test/postgres-server.ts";
import { recordings } from "../test/recordings.ts";
import { type Bar, bar } from "./bar.ts";

const WINDOW = 64_000;
/** Messages between two looks at the conversation. */
const STEP = 4;
const MOST_RECORDINGS = 40;
/** A conversation below this is never compacted, so that nothing of it is stored. */
const LEAST_BYTES = 400_000;

export async function benchSizing(): Promise<readonly Bar[]> {
  const folder = mkdtempSync(join(tmpdir(), "pith-sizing-"));
  const postgres = await startPostgres();
  try {
    const database = await postgres.createDatabase("sizing");
    return [
      await sized("SQLite", join(folder, "archive.sqlite"), async () => {}),
      await sized("PostgreSQL", database, async () => void (await postgres.query("sizing", "VACUUM FULL"))),
    ];
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function sized(kind: string, where: string, tidy: () => Promise<void>): Promise<Bar> {
  const archive = (await openArchive(where))!;
  const [total, told] = [{ bytes: 0, messages: 0, conversations: 0 }, { ms: 0 }];
  for await (const { id, messages } of recordings()) {
    const bytes = Buffer.byteLength(JSON.stringify(messages));
    if (bytes < LEAST_BYTES || total.conversations >= MOST_RECORDINGS) continue;
    const began = performance.now();
    await converse(archive, id, messages);
    told.ms += performance.now() - began;
    total.bytes += bytes;
    total.messages += messages.length;
    total.conversations++;
  }
  // What is in the log of a SQLite file goes into the file itself.
  await archive.close!();
  await tidy();
  const open = (await openArchive(where))!;
  const { storedBytes, contentBytes, items } = await open.stat!();
  const stored = await open.conversations!();
  const compactions = stored.reduce((sum, each) => sum + each.compactions, 0);
  await open.close!();
  const kb = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`;
  return bar(
    `sizing, ${kind}: stored, beside what the conversations have`,
    storedBytes / total.bytes,
    3,
    `${total.conversations} conversations of ${kb(total.bytes / total.conversations)}, ${total.messages} messages, ${compactions} compactions, ` +
      `${items} items: stored ${kb(storedBytes)}, content ${kb(contentBytes)}; ${kb(storedBytes / total.messages)} a message of ` +
      `${kb(total.bytes / total.messages)}, ${kb(storedBytes / compactions)} a compaction; ${(told.ms / 1000).toFixed(0)} s`,
  );
}

/** As an agent loop does: what a compaction left is what the next messages are added to. */
async function converse(archive: Archive, id: string, messages: readonly unknown[]): Promise<void> {
  const compactor = createCompactor({ archive, window: WINDOW });
  let context: unknown[] = [];
  for (let at = 0; at < messages.length; at += STEP) {
    context = [...context, ...messages.slice(at, at + STEP)];
    const { body } = await compactor.compact({ messages: context } as never, { conversationId: id });
    context = [...(body as unknown as { messages: readonly unknown[] }).messages];
  }
}
