/** The archive's bars: appending against plain inserts, searching against raw FTS5, a million messages against ten thousand. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Archive, ArchiveWrite } from "../src/archive/archive.ts";
import { matchAnyWord } from "../src/archive/sqlite/match.ts";
import { messageNumbers } from "../src/archive/sqlite/message-numbers.ts";
import { sqliteArchive } from "../src/archive/sqlite.ts";
import { MESSAGES_PER_WRITE, numbers, shortWrite, word, writeOf } from "./archive-corpus.ts";
import { type Bar, bar, median } from "./bar.ts";
import { longConversation } from "./corpus.ts";
import { plainInsert } from "./plain-insert.ts";

export async function benchArchive({ messages = 1_000_000 } = {}): Promise<Bar[]> {
  const folder = mkdtempSync(join(tmpdir(), "pith-bench-archive-"));
  try {
    const small = await filled(join(folder, "small.sqlite"), 10_000);
    const large = await filled(join(folder, "large.sqlite"), messages);
    return [
      await appendBar(folder),
      await searchBar(large, "search, all conversations", {}),
      await searchBar(large, "search, one conversation", { conversation: 7 }),
      await searchBar(large, "search with a path", { withPath: true }),
      await expandBar(small, large),
      await processesBar(folder),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Filled {
  readonly file: string;
  readonly messages: number;
  readonly seconds: number;
}

async function filled(file: string, messages: number): Promise<Filled> {
  const start = performance.now();
  const archive = sqliteArchive({ file });
  for (let order = 0; order < messages / MESSAGES_PER_WRITE; order++) await archive.put(shortWrite(order));
  await archive.close!();
  return { file, messages, seconds: (performance.now() - start) / 1000 };
}

const ROUNDS = 5;
const APPENDED = 4_000;

/** Messages of recorded sessions, a hundred a write; files that neither side has seen. */
async function appendBar(folder: string): Promise<Bar> {
  const recorded = await longConversation((messages) => messages.length >= APPENDED);
  const texts = recorded.map(({ content }) =>
    typeof content === "string" ? content : JSON.stringify(content ?? ""),
  );
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  const writes: readonly ArchiveWrite[] = Array.from({ length: Math.floor(texts.length / 100) }, (_, order) =>
    writeOf(
      "recorded",
      texts.slice(order * 100, order * 100 + 100).map((text, index) => `${order}.${index} ${text}`),
      order * 100,
    ),
  );
  const ours: number[] = [];
  const plain: number[] = [];
  let sizes = "";
  for (let round = 0; round < ROUNDS; round++) {
    const files = [join(folder, `ours-${round}.sqlite`), join(folder, `plain-${round}.sqlite`)] as const;
    const inserting = plainInsert(files[1]);
    const start = performance.now();
    for (const write of writes) inserting.insert(write);
    plain.push(performance.now() - start);
    inserting.close();
    const archive = sqliteArchive({ file: files[0] });
    await archive.get("pith:000000000000");
    const ownStart = performance.now();
    for (const write of writes) await archive.put(write);
    ours.push(performance.now() - ownStart);
    await archive.close!();
    sizes = files.map((file) => `${(statSync(file).size / 1e6).toFixed(1)} MB`).join(" against ");
    for (const file of files) rmSync(file);
  }
  const ratio = median(ours) / median(plain);
  const count = writes.length * 100;
  const rate = (ms: number): string => `${Math.round((count / ms) * 1000)} a second`;
  return bar(
    "append (time against plain)",
    ratio,
    1 / 0.6,
    `${count} messages, ${(characters / 1e6).toFixed(1)} M characters: ${rate(median(ours))} against ${rate(median(plain))}, ` +
      `${((100 * median(plain)) / median(ours)).toFixed(0)} % of plain; ${sizes}`,
  );
}

interface SearchKind {
  readonly conversation?: number;
  readonly withPath?: boolean;
}

const QUERIES = 150;
const LIMIT = 50;

async function searchBar({ file, messages, seconds }: Filled, name: string, kind: SearchKind): Promise<Bar> {
  const archive = sqliteArchive({ file });
  const raw = new DatabaseSync(file, { readOnly: true });
  raw.exec("PRAGMA cache_size = -16000");
  const inScope = kind.conversation === undefined ? "" : " AND rowid BETWEEN ? AND ?";
  const statement = raw.prepare(
    `SELECT rowid, rank FROM words WHERE words MATCH ?${inScope} ORDER BY rank LIMIT ?`,
  );
  const range = kind.conversation === undefined ? [] : messageNumbers(kind.conversation);
  const scope =
    kind.conversation === undefined
      ? {}
      : { scope: { conversation: `conversation-${kind.conversation - 1}` } };
  const random = numbers(99);
  const [ours, plain]: [number[], number[]] = [[], []];
  for (let query = 0; query < QUERIES; query++) {
    const words = Array.from({ length: 2 + (query % 4) }, () => word(random));
    const order = Math.floor(random() * (messages / MESSAGES_PER_WRITE));
    const fragments = kind.withPath ? [`file-${order}-${query % MESSAGES_PER_WRITE}.ts`] : [];
    const rawSearch = async (): Promise<unknown> => statement.all(matchAnyWord(words)!, ...range, LIMIT);
    const ownSearch = (): Promise<unknown> =>
      archive.candidates!({ words, fragments, limit: LIMIT, ...scope });
    // Whoever comes second finds the pages in memory: both come first half of the time.
    if (query % 2 === 0) plain.push(await elapsed(rawSearch));
    ours.push(await elapsed(ownSearch));
    if (query % 2 === 1) plain.push(await elapsed(rawSearch));
  }
  raw.close();
  await archive.close!();
  const [own, other] = [p95(ours), p95(plain)];
  const built = `${messages} messages built in ${seconds.toFixed(0)} s, ${(statSync(file).size / 1e6).toFixed(0)} MB`;
  return bar(name, own / other, 3, `p95 ${own.toFixed(1)} ms against ${other.toFixed(1)} ms raw; ${built}`);
}

const EXPANDED = 3_000;

/** Takes turns between the two files, so that what else the machine does meets both alike. */
async function expandBar(small: Filled, large: Filled): Promise<Bar> {
  const sides = [small, large].map(({ file, messages }) => ({
    archive: sqliteArchive({ file }),
    times: [] as number[],
    random: numbers(7),
    writes: messages / MESSAGES_PER_WRITE,
  }));
  const ids = sides.map(({ random, writes }) =>
    Array.from({ length: 60 }, () => shortWrite(Math.floor(random() * writes)).items.map(({ id }) => id)),
  );
  for (let round = 0; round < EXPANDED; round++) {
    for (const [side, { archive, times, random }] of sides.entries()) {
      const id = ids[side]![Math.floor(random() * 60)]![Math.floor(random() * MESSAGES_PER_WRITE)]!;
      times.push(await elapsed(() => expanded(archive, id)));
    }
  }
  for (const { archive } of sides) await archive.close!();
  const [own, other] = [p95(sides[1]!.times), p95(sides[0]!.times)];
  const detail = `p95 ${(own * 1000).toFixed(0)} µs at ${large.messages}, ${(other * 1000).toFixed(0)} µs at ${small.messages}`;
  return bar("expand by id", own / other, 1.5, detail);
}

async function expanded(archive: Archive, id: string): Promise<void> {
  if ((await archive.get(id)) === undefined) throw new Error(`${id} is not in the archive.`);
}

const PROCESSES = 8;

/** Each writes a conversation of its own; the bar is the number of those that failed. */
async function processesBar(folder: string): Promise<Bar> {
  const file = join(folder, "shared.sqlite");
  const writer = join(import.meta.dirname, "archive-writer.ts");
  const start = performance.now();
  const codes = await Promise.all(
    Array.from(
      { length: PROCESSES },
      (_, order) =>
        new Promise<number | null>((done) => {
          spawn(process.execPath, [writer, file, String(order)], {
            stdio: ["ignore", "ignore", "inherit"],
          }).on("exit", done);
        }),
    ),
  );
  const archive = sqliteArchive({ file });
  const counts = (await archive.conversations!()).map(({ messages }) => messages);
  await archive.close!();
  const missing = PROCESSES - counts.filter((count) => count === MESSAGES_PER_WRITE).length;
  const failed = Math.max(missing, codes.filter((code) => code !== 0).length);
  const detail = `${counts.reduce((sum, count) => sum + count, 0)} messages by ${PROCESSES} processes in ${((performance.now() - start) / 1000).toFixed(1)} s`;
  return bar("processes that failed", failed, 0, detail);
}

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function p95(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length * 0.95)]!;
}
