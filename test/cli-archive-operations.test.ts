/** What whoever runs an archive does with it, in processes of their own: list, stat, retain, backup. */
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Archive } from "../src/archive/archive.ts";
import { openArchive } from "../src/archive/open-archive.ts";
import { writeTo } from "../src/archive/ready-write.ts";
import { sqliteArchive } from "../src/archive/sqlite.ts";
import { compactionWrite, textWrite } from "../src/testing/archive-writes.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";
import { inTemporaryFolder, runPith } from "./run-pith.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const daysAgo = (days: number): number => Date.now() - days * DAY_MS;

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
}, 120_000);
afterAll(() => postgres.stop());

/** Three conversations: two of tenants, one of nobody. */
async function fill(archive: Archive): Promise<void> {
  await writeTo(archive, { ...textWrite("acme/old", ["Where is the invoice?"]), at: daysAgo(200) });
  await writeTo(archive, {
    ...textWrite("unlisted:acme/link", ["a recipe"]),
    at: daysAgo(200),
    about: "acme/old",
  });
  const compaction = compactionWrite("notes", 1);
  const at = daysAgo(100);
  await writeTo(archive, { ...compaction, at, compaction: { ...compaction.compaction!, at } });
  await writeTo(archive, {
    ...textWrite("globex/new", ["x".repeat(2_000), "And the second one."]),
    at: daysAgo(1),
  });
  await archive.close!();
}

const linesOf = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe.each(["SQLite", "PostgreSQL"])("on %s", (kind) => {
  let databases = 0;
  const withFilled = (work: (run: (...flags: string[]) => ReturnType<typeof runPith>) => Promise<void>) =>
    inTemporaryFolder(async (folder) => {
      const where =
        kind === "SQLite"
          ? join(folder, "a.sqlite")
          : await postgres.createDatabase(`operations_${databases++}`);
      await fill((await openArchive(where))!);
      await work((...flags) =>
        runPith(["archive", ...flags], { folder, environment: { PITH_ARCHIVE: where } }),
      );
    });

  test("list names the conversations, newest first, with their tenants; no recipe is among them", () =>
    withFilled(async (run) => {
      const people = await run("list");
      expect(people).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("3 conversations in ") });
      expect(people.stdout).toMatch(
        /^last written +messages +compactions +tenant +conversation\n.* 2 +0 +globex +globex\/new\n.* 1 +notes\n.* 1 +0 +acme +acme\/old\n$/,
      );
      const lines = linesOf((await run("list", "--json")).stdout);
      expect(lines.map(({ conversationId, tenant }) => [conversationId, tenant])).toEqual([
        ["globex/new", "globex"],
        ["notes", undefined],
        ["acme/old", "acme"],
      ]);
      expect(lines[0]).toMatchObject({ messages: 2, compactions: 0, first: lines[0].last });
      const [only, ...others] = linesOf((await run("list", "--json", "--tenant", "acme")).stdout);
      expect([only.conversationId, others]).toEqual(["acme/old", []]);
      const newest = await run("list", "--json", "--limit", "1");
      expect(linesOf(newest.stdout)).toHaveLength(1);
      expect(newest.stderr).toContain("1 of 3 conversations in ");
      const nobody = await run("list", "--tenant", "nope");
      expect(nobody.stderr).toMatch(/^0 conversations of the tenant nope in .*, which has 3\n$/);
      expect(await run("list", "--limit", "few")).toMatchObject({ exitCode: 2, stdout: "" });
    }));

  test("stat says how much there is, in all and by tenant", () =>
    withFilled(async (run) => {
      const told = JSON.parse((await run("stat", "--json")).stdout);
      const { tenants } = told;
      expect(told).toMatchObject({ conversations: 3, compactions: 1, forgotten: 0 });
      expect(told.items).toBeGreaterThan(4);
      expect(tenants.acme).toMatchObject({ conversations: 1, messages: 1, compactions: 0 });
      expect(tenants.globex).toMatchObject({ conversations: 1, messages: 2, newest: told.newest });
      expect(Object.keys(tenants)).toHaveLength(2);
      expect(tenants.acme.contentBytes).toBeGreaterThan("Where is the invoice?a recipe".length);
      expect(told.contentBytes).toBeGreaterThan(tenants.acme.contentBytes + tenants.globex.contentBytes);
      expect(told.storedBytes).toBeGreaterThan(told.contentBytes);
      expect(told.oldest < told.newest).toBe(true);
      const { exitCode, stdout } = await run("stat");
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/^conversations +3\nmessages +\d+\ncompactions +1\nitems +\d+\ncontent +\d/m);
      expect(stdout).toMatch(/^acme +1 +1 +0 +\d+ bytes +\d{4}-\d\d-\d\d \d\d:\d\d$/m);
    }));

  test("retain erases by age and by size, says what, and with --dry-run only says", () =>
    withFilled(async (run) => {
      const dry = await run("retain", "--before", "150d", "--dry-run");
      expect(dry).toMatchObject({ exitCode: 0, stdout: '{"conversations":1}\n' });
      expect(dry.stderr).toContain('"acme/old"\n1 conversation would be erased; nothing was changed');
      expect(linesOf((await run("list", "--json")).stdout)).toHaveLength(3);

      const byAge = await run("retain", "--before", "150d");
      expect(byAge).toMatchObject({ exitCode: 0, stdout: '{"conversations":1,"items":2}\n' });
      expect(byAge.stderr).toMatch(/^ {2}"acme\/old"\n1 conversation with 2 items erased from .*; 2 with /);
      const date = new Date(daysAgo(2)).toISOString().slice(0, 10);
      expect(linesOf((await run("retain", "--before", date)).stdout)[0].conversations).toBe(1);
      const largeEnough = await run("retain", "--max-size", "1MB");
      expect(largeEnough.stdout).toBe('{"conversations":0,"items":0}\n');
      expect((await run("retain", "--max-size", "10", "--dry-run")).stderr).toContain("about 1 conversation");
      expect(linesOf((await run("retain", "--max-size", "10")).stdout)[0].conversations).toBe(1);
      expect(await run("list")).toMatchObject({ exitCode: 0, stdout: "" });
    }));

  test.each([[[]], [["--before", "soon"]], [["--before", "2999-01-01"]], [["--max-size", "5 apples"]]])(
    "retain %j is refused before anything is opened",
    async (flags) => {
      const run = await runPith(["archive", "retain", ...flags, "--archive", "none"]);
      expect(run).toMatchObject({ exitCode: 2, stdout: "" });
      expect(run.stderr).toMatch(/--before|--max-size/);
    },
  );
});

test("an archive that is not there is not made by any of them, and none is refused", () =>
  inTemporaryFolder(async (folder) => {
    for (const command of [["list"], ["stat"], ["retain", "--before", "1d"], ["backup", "copy.sqlite"]]) {
      const missing = await runPith(["archive", ...command, "--archive", "b.sqlite"], { folder });
      expect(missing).toMatchObject({ exitCode: 4, stdout: "" });
      expect(missing.stderr).toMatch(/b\.sqlite/);
      expect(missing.stderr).not.toMatch(/\n\s+at /);
      expect((await runPith(["archive", ...command], { folder })).exitCode).toBe(2);
    }
    expect(readdirSync(folder)).toEqual([]);
  }));

test("backup copies one state of the file while another process writes, for its owner alone", () =>
  inTemporaryFolder(async (folder) => {
    const options = { folder, environment: { PITH_ARCHIVE: "a.sqlite" } };
    const lines = Array.from({ length: 300 }, (_, at) =>
      JSON.stringify({ id: `c${at}`, messages: [{ role: "user", content: `message ${at} `.repeat(50) }] }),
    );
    await runPith(["archive", "import", "--jsonl", "-"], { ...options, input: lines[0]! });
    let isWriting = true;
    const writing = runPith(["archive", "import", "--jsonl", "-"], {
      ...options,
      input: lines.join("\n"),
    }).finally(() => {
      isWriting = false;
    });
    const counts: number[] = [];
    for (let at = 0; at === 0 || (isWriting && at < 20); at++) {
      const copy = `copy${at}.sqlite`;
      const run = await runPith(["archive", "backup", copy], options);
      expect(run).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`copied to ${copy}`) });
      const file = join(folder, copy);
      expect(JSON.parse(run.stdout)).toEqual({
        archive: "a.sqlite",
        file: copy,
        bytes: statSync(file).size,
      });
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const archive = sqliteArchive({ file, readOnly: true });
      expect((await archive.verify!()).faults).toEqual([]);
      counts.push((await archive.conversations!()).length);
      await archive.close!();
    }
    expect((await writing).exitCode).toBe(0);
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
    await runPith(["archive", "backup", "last.sqlite"], options);
    const restored = sqliteArchive({ file: join(folder, "last.sqlite") });
    expect(await restored.conversations!()).toHaveLength(lines.length);
    await restored.put(textWrite("later", ["It goes on."]));
    await restored.close!();
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  }));

test("backup never takes the place of a file, and says what to do about each fault", () =>
  inTemporaryFolder(async (folder) => {
    const archive = sqliteArchive({ file: join(folder, "a.sqlite") });
    await archive.put(textWrite("a", ["said"]));
    await archive.close!();
    writeFileSync(join(folder, "taken"), "mine");
    const backup = (file: string, where = "a.sqlite") =>
      runPith(["archive", "backup", file, "--archive", where], { folder });
    const taken = await backup("taken");
    expect(taken).toMatchObject({ exitCode: 4, stdout: "" });
    expect(taken.stderr).toContain("there is a file already");
    expect(statSync(join(folder, "taken")).size).toBe(4);
    expect((await backup("a.sqlite")).stderr).toContain("there is a file already");
    const missing = await backup("no/such/folder");
    expect(missing.stderr).toContain("its folder does not exist. Create it first.");
    expect(existsSync(join(folder, "no"))).toBe(false);
    const server = await backup("copy", "postgres://pith:secret@127.0.0.1:1/pith");
    expect(server).toMatchObject({ exitCode: 2, stdout: "" });
    expect(server.stderr).toContain("pg_dump --format=custom --no-owner");
    expect(server.stderr).not.toContain("secret");
    expect(readdirSync(folder).filter((name) => !/^a\.sqlite/.test(name))).toEqual(["taken"]);
  }));
