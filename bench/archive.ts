/**
 * The archive's bars: appending against plain inserts, searching against raw FTS5, a million messages against ten
 * thousand, and many processes at one file. `PITH_BENCH_MESSAGES=100000` measures a smaller one.
 */
import { spawn } from "node:child_process";
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { sqliteArchive } from "../src/archive/sqlite.ts";
import { expand } from "../src/recall/expand.ts";
import { createTokenCounter } from "../src/tokens/counter.ts";
import { appendBar } from "./archive-append.ts";
import { type Filled, MESSAGES_PER_WRITE, numbers, shortWrite } from "./archive-corpus.ts";
import { searchBar } from "./archive-search.ts";
import { type Bar, bar, p95 } from "./bar.ts";

const ALL_MESSAGES = Number(process.env.PITH_BENCH_MESSAGES ?? 1_000_000);
const FEW_MESSAGES = 10_000;

/** About three minutes, half of them to fill the archive. */
export async function benchArchive({ messages = ALL_MESSAGES } = {}): Promise<Bar[]> {
  const folder = mkdtempSync(join(tmpdir(), "pith-bench-archive-"));
  try {
    const append = await appendBar(folder);
    const processes = await processesBar(folder);
    const small = await filled(join(folder, "small.sqlite"), FEW_MESSAGES);
    const large = await filled(join(folder, "large.sqlite"), messages);
    return [
      append,
      await searchBar(large, { name: "searching everywhere" }),
      await searchBar(large, { name: "searching one conversation", conversation: 6 }),
      await searchBar(large, { name: "searching with a path", withPath: true }),
      await searchBar(large, { name: "a path in one conversation", conversation: 6, withPath: true }),
      await expandBar(small, large),
      processes,
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function filled(file: string, messages: number): Promise<Filled> {
  const start = performance.now();
  const archive = sqliteArchive({ file });
  for (let order = 0; order < messages / MESSAGES_PER_WRITE; order++) await archive.put(shortWrite(order));
  await archive.close!();
  return { file, messages, seconds: (performance.now() - start) / 1000 };
}

const EXPANDED = 5_000;
const CONVERSATIONS = 60;

/**
 * Takes turns between the two files, so that what else the machine does meets both alike. Both are read once before, since a
 * page that the machine has dropped from memory tells how fast the disk is.
 */
async function expandBar(small: Filled, large: Filled): Promise<Bar> {
  for (const { file } of [small, large])
    await pipeline(createReadStream(file), createWriteStream("/dev/null"));
  const counter = createTokenCounter();
  const sides = [small, large].map(({ file, messages }) => {
    const random = numbers(7);
    const orders = Array.from({ length: CONVERSATIONS }, () =>
      Math.floor((random() * messages) / MESSAGES_PER_WRITE),
    );
    const ids = orders.map((order) => shortWrite(order).items.map(({ id }) => id));
    return { archive: sqliteArchive({ file }), ids, random, times: [] as number[] };
  });
  for (let round = 0; round < EXPANDED; round++) {
    for (const { archive, ids, random, times } of sides) {
      const id = ids[Math.floor(random() * CONVERSATIONS)]![Math.floor(random() * MESSAGES_PER_WRITE)]!;
      const start = performance.now();
      const { found } = await expand(archive, counter, { id });
      times.push(performance.now() - start);
      if (!found) throw new Error(`${id} is not in the archive.`);
    }
  }
  for (const { archive } of sides) await archive.close!();
  const [few, many] = sides.map(({ times }) => p95(times)) as [number, number];
  const detail = `${(many * 1000).toFixed(0)} µs at ${large.messages}, ${(few * 1000).toFixed(0)} µs at ${small.messages}`;
  return bar("archive: expanding by id, large / small, p95", many / few, 1.5, detail);
}

const PROCESSES = 8;

/** Each writes a conversation of its own; the bar is the number of those that failed. */
async function processesBar(folder: string): Promise<Bar> {
  const file = join(folder, "shared.sqlite");
  const start = performance.now();
  const codes = await Promise.all(Array.from({ length: PROCESSES }, (_, order) => exitOfWriter(file, order)));
  const seconds = (performance.now() - start) / 1000;
  const archive = sqliteArchive({ file });
  const counts = (await archive.conversations!()).map(({ messages }) => messages);
  const { faults } = await archive.verify!();
  await archive.close!();
  const missing = PROCESSES - counts.filter((count) => count === MESSAGES_PER_WRITE).length;
  const failed = Math.max(missing, codes.filter((code) => code !== 0).length, faults.length);
  const detail = `${PROCESSES * MESSAGES_PER_WRITE} messages in ${seconds.toFixed(1)} s`;
  return bar("archive: processes of 8 at one file that failed", failed, 0, detail);
}

function exitOfWriter(file: string, order: number): Promise<number | null> {
  const writer = join(import.meta.dirname, "archive-writer.ts");
  const child = spawn(process.execPath, [writer, file, String(order)], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((done) => child.on("exit", done));
}
