import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Archive } from "../src/archive/archive.ts";
import { postgresArchive } from "../src/archive/postgres.ts";
import { writeTo } from "../src/archive/ready-write.ts";
import { sqliteArchive } from "../src/archive/sqlite.ts";
import { numberedWrite, SHARED } from "./numbered-write.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";
import { until } from "./until.ts";

const folder = mkdtempSync(join(tmpdir(), "pith-processes-"));
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server?.stop();
});

/** `PITH_FULL=1` takes eight writers and more of their work. */
const full = Boolean(process.env.PITH_FULL);
const WRITERS = full ? 8 : 4;
const WRITES = full ? 150 : 12;

interface Writer {
  readonly conversation: string;
  readonly child: ChildProcess;
  /** The number of the last write that it said was durable. */
  stored: number;
  failure: string;
}

interface WriterOptions {
  readonly count?: number;
  /** Runs the program through a shell that first says this. */
  readonly shell?: string;
}

/** Starts a writer; `ended` resolves when it is gone. */
function start(where: string, conversation: string, { count = WRITES, shell }: WriterOptions = {}) {
  const command = [
    process.execPath,
    join(import.meta.dirname, "archive-writer.ts"),
    where,
    conversation,
    `${count}`,
  ];
  const [program, ...parameters] = shell ? ["sh", "-c", `${shell}; exec "$@"`, "sh", ...command] : command;
  const child = spawn(program!, parameters, { stdio: ["ignore", "pipe", "inherit"] });
  const writer: Writer = { conversation, child, stored: 0, failure: "" };
  let rest = "";
  child.stdout!.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      if (line.startsWith("stored ")) writer.stored = Number(line.slice(7));
      else writer.failure += line;
    }
  });
  return { ...writer, writer, ended: new Promise<void>((done) => child.on("close", () => done())) };
}

/** Each write of a conversation is there whole or not at all; those up to `stored` are there. Gives how many there are. */
async function countWhole(
  archive: Archive,
  conversation: string,
  { stored, count = WRITES }: { stored: number; count?: number },
) {
  let found = 0;
  for (let number = 1; number <= count; number++) {
    const { items, compaction } = numberedWrite(conversation, number);
    const own = items.filter(({ kind, content }) => kind !== "glue" && content !== SHARED);
    const there = await archive.getMany!(own.map(({ id }) => id));
    const isThere = (await archive.compaction!(compaction!.id)) !== undefined;
    expect(there).toEqual(isThere ? own : own.map(() => undefined));
    if (isThere) expect(found++).toBe(number - 1);
  }
  expect(found).toBeGreaterThanOrEqual(stored);
  return found;
}

/** Reads and searches until it is told to end; a torn state would be an error or a fault. */
async function readMeanwhile(archive: Archive, isOver: () => boolean): Promise<number> {
  let reads = 0;
  for (; !isOver() || reads === 0; reads++) {
    await setImmediate();
    const known = (await archive.conversations!())[reads % WRITERS];
    if (known) {
      const [message] = await archive.messages!(known.id, { from: 0, to: 0 });
      expect((await archive.get(message!.id))?.kind).toBe("message");
    }
    await archive.candidates!({ words: ["parser", "fixed"], fragments: ["line 3"], limit: 10 });
    expect((await archive.verify!()).faults).toEqual([]);
  }
  return reads;
}

/** Writers at once, one of them killed at work, readers meanwhile: nothing is torn and nothing that was durable is lost. */
async function checkProcesses(where: string, open: () => Archive): Promise<void> {
  const writers = Array.from({ length: WRITERS }, (_, order) => start(where, `writer ${order}`));
  const victim = start(where, "victim", { count: 100_000 });
  let isOver = false;
  const reader = open();
  const reading = readMeanwhile(reader, () => isOver).catch((error: unknown) => error);
  await until(() => victim.writer.stored >= 3 || victim.child.exitCode !== null);
  victim.child.kill("SIGKILL");
  await Promise.all([...writers.map(({ ended }) => ended), victim.ended]);
  isOver = true;
  expect(await reading).toBeGreaterThan(0);
  const { stored } = victim.writer;
  expect(writers.map(({ writer }) => writer.failure)).toEqual(writers.map(() => ""));
  for (const { conversation } of writers)
    expect(await countWhole(reader, conversation, { stored: WRITES })).toBe(WRITES);
  const whole = await countWhole(reader, "victim", { stored, count: stored + 20 });
  await writeTo(reader, numberedWrite("victim", whole + 1));
  const verification = await reader.verify!();
  expect(verification.faults).toEqual([]);
  expect(verification.requests).toBe(2 * (WRITERS * WRITES + whole + 1));
  await reader.close!();
}

test("several processes write one SQLite file while others read it and one is killed", async () => {
  const file = join(folder, "shared", "archive.sqlite");
  await checkProcesses(file, () => sqliteArchive({ file }));
});

test("several processes write one PostgreSQL database while others read it and one is killed", async () => {
  const url = await server.createDatabase("shared");
  await checkProcesses(url, () => postgresArchive({ url }));
});

test("a disk that is full while a process writes is told, and what it had said was durable is there", async () => {
  const file = join(folder, "full", "archive.sqlite");
  const limited = start(file, "limited", { count: 100_000, shell: "trap '' XFSZ; ulimit -f 1500" });
  await limited.ended;
  const { stored, failure } = limited.writer;
  expect(failure).toMatch(/^failed ARCHIVE_FAILED .*(disk is full|disk failed).*Nothing was changed/);
  expect(stored).toBeGreaterThan(3);
  const archive = sqliteArchive({ file });
  const whole = await countWhole(archive, "limited", { stored, count: stored + 5 });
  expect(whole).toBe(stored);
  await archive.put(numberedWrite("limited", stored + 1));
  expect((await archive.verify!()).faults).toEqual([]);
  await archive.close!();
});

test("a process that is killed while it erases leaves the archive whole, erased or not", async () => {
  const file = join(folder, "erasing", "archive.sqlite");
  const writer = start(file, "writer", { count: 30 });
  await writer.ended;
  for (const delay of [0, 5, 20]) {
    const script = `
      const { sqliteArchive } = await import(${JSON.stringify(join(import.meta.dirname, "../src/archive/sqlite.ts"))});
      const archive = sqliteArchive({ file: ${JSON.stringify(file)} });
      await archive.get("pith:000000000000");
      console.log("ready");
      await archive.forget({ conversation: "writer" });
      process.exit(0);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    // It may be done before it is killed.
    const ended = new Promise((resolve) => child.once("close", resolve));
    await new Promise((ready) => child.stdout.once("data", ready));
    await new Promise((resolve) => setTimeout(resolve, delay));
    child.kill("SIGKILL");
    await ended;
    const archive = sqliteArchive({ file });
    expect((await archive.verify!()).faults).toEqual([]);
    const left = await archive.conversations!();
    const { items } = numberedWrite("writer", 1);
    const [piece] = await archive.getMany!([items[0]!.id]);
    expect(piece?.forgotten === undefined).toBe(left.length === 1);
    if (left.length === 0)
      for (let number = 1; number <= 30; number++) await archive.put(numberedWrite("writer", number));
    await archive.close!();
  }
});
