/** The commands about archives, in processes of their own. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sqliteArchive } from "../src/archive/sqlite.ts";
import { createCompactor } from "../src/index.ts";
import { assistant, call, rawConversation, result, system, user } from "../src/testing/builders.ts";
import { signs } from "./planner-signs.ts";
import { inTemporaryFolder, runPith } from "./run-pith.ts";

const log = (at: number) =>
  Array.from(
    { length: 60 },
    (_, line) => `10:0${at}:${line} INFO job ${at}-${line} took ${line * 7} ms`,
  ).join("\n");
const session = rawConversation(
  system("You are an agent."),
  ...Array.from({ length: 12 }, (_, at) => [
    user(`Read log ${at}, please.`),
    assistant("", call("Bash", { command: `cat logs/${at}.log` }, `c${at}`)),
    result(log(at), { id: `c${at}` }),
    assistant(`Log ${at} shows nothing odd.`),
  ]).flat(),
);
const ticketSession = rawConversation(
  user("Go through the tickets."),
  ...Array.from({ length: 30 }, (_, at) => [
    assistant("", call("get_ticket", { number: at }, `t${at}`)),
    result(`Ticket ${at} belongs to agent-${7000 + at}.\n${"Nothing else.\n".repeat(20)}`, { id: `t${at}` }),
  ]).flat(),
);

test(
  "[F19] archive lessons shows what was learned, also for a compactor to start from, and --reset forgets it",
  () =>
    inTemporaryFolder(async (folder) => {
      const archive = sqliteArchive({ file: join(folder, "a.sqlite") });
      const compactor = createCompactor({ target: "50%", archive, adaptive: true });
      await compactor.compact(ticketSession, { target: "10%", conversationId: "tickets" });
      await archive.close?.();
      const lessons = async (...flags: string[]) =>
        runPith(["archive", "lessons", "--archive", "a.sqlite", ...flags], { folder });
      const shown = await lessons();
      expect(shown).toMatchObject({ exitCode: 0 });
      expect(shown.stdout).toMatch(/^trait +dropped +expected +needed +weight\n/);
      expect(shown.stdout).toMatch(/tool:get_ticket +\d+ +[\d.]+ +0 +× 1.00/);
      const learned = JSON.parse((await lessons("--json", "--conversation", "tickets")).stdout);
      expect(() => createCompactor({ target: "50%", adaptive: learned })).not.toThrow();
      expect((await lessons("--reset")).stderr).toContain("1 of 1 conversations");
      expect((await lessons()).stdout).toBe("");
      const verified = await runPith(["verify", "--archive", "a.sqlite"], { folder });
      expect(verified.exitCode).toBe(0);
    }),
  60_000,
);

const handoffText = (messages: readonly { content?: unknown }[]) =>
  messages.map(({ content }) => String(content)).find((text) => text.includes("[End of hand-off]"))!;
const markersIn = (text: string) => [...new Set(text.match(/pith:[0-9a-z]{8,}/g))];
/** The archive that a person gets who says nothing about one. */
const byDefault = { PITH_ARCHIVE: ".pith/archive.sqlite" };

test(
  "what compact leaves out is in .pith/archive.sqlite, and recall --expand gives it back raw",
  () =>
    inTemporaryFolder(async (folder) => {
      writeFileSync(join(folder, "in.json"), JSON.stringify(session));
      const options = { folder, environment: byDefault };
      for (const target of ["25%", "70%"]) {
        const run = await runPith(["compact", "in.json", "--target", target], options);
        expect(run.exitCode).toBe(0);
        const ids = markersIn(run.stdout);
        expect(ids.length).toBeGreaterThan(0);
        for (const id of ids) {
          const { exitCode, stdout } = await runPith(["recall", "--expand", id], options);
          expect(exitCode).toBe(0);
          const known = stdout.startsWith("[{") ? JSON.parse(stdout) : [{ content: stdout }];
          for (const { content } of known) expect(session.map((each) => each.content)).toContain(content);
        }
      }
      expect(statSync(join(folder, ".pith/archive.sqlite")).mode & 0o777).toBe(0o600);
      const verified = await runPith(["verify", "--json"], options);
      expect(verified.exitCode).toBe(0);
      expect(JSON.parse(verified.stdout)).toMatchObject({ faults: [], requests: 3 });
    }),
  60_000,
);

test("git does not see .pith; a folder of another name is its owner's", () =>
  inTemporaryFolder(async (folder) => {
    execFileSync("git", ["init", "--quiet"], { cwd: folder });
    const input = JSON.stringify(session);
    for (const archive of [".pith/archive.sqlite", ".pith/archive.sqlite", "data/archive.sqlite"]) {
      const run = await runPith(["compact", "--target", "25%", "--archive", archive], { folder, input });
      expect(run.exitCode).toBe(0);
    }
    expect(existsSync(join(folder, ".pith/archive.sqlite"))).toBe(true);
    const seen = execFileSync("git", ["status", "--porcelain"], { cwd: folder, encoding: "utf8" });
    expect(seen).toBe("?? data/\n");
    expect(readdirSync(join(folder, "data"))).not.toContain(".gitignore");
  }));

test("with --archive none nothing is written and no text names an id", () =>
  inTemporaryFolder(async (folder) => {
    const run = await runPith(["compact", "-", "--target", "25%", "--archive", "none"], {
      folder,
      input: JSON.stringify(session),
      environment: byDefault,
    });
    expect(run.exitCode).toBe(0);
    expect(markersIn(run.stdout)).toEqual([]);
    expect(run.stderr).not.toContain(".pith");
    expect(existsSync(join(folder, ".pith"))).toBe(false);
  }));

test("a plan and a dry run archive nothing", () =>
  inTemporaryFolder(async (folder) => {
    const options = { folder, input: JSON.stringify(session), environment: byDefault };
    const plan = await runPith(["plan", "-", "--target", "25%", "--json"], options);
    const dry = await runPith(["compact", "-", "--target", "25%", "--dry-run"], options);
    expect([plan.exitCode, dry.exitCode]).toEqual([0, 0]);
    expect(markersIn(plan.stdout).length).toBeGreaterThan(0);
    expect(existsSync(join(folder, ".pith"))).toBe(false);
  }));

test("jobs are archived under their ids, and the same job gives the same answer twice", () =>
  inTemporaryFolder(async (folder) => {
    const input = `${JSON.stringify({ id: "one", messages: session, targetTokens: 2500 })}\n`;
    const options = { folder, input, environment: byDefault };
    const first = await runPith(["compact", "--jsonl"], options);
    const second = await runPith(["compact", "--jsonl"], options);
    const messagesOf = (text: string) => JSON.parse(text).messages;
    expect(messagesOf(second.stdout)).toEqual(messagesOf(first.stdout));
    expect(JSON.parse(first.stdout).report).toMatchObject({
      compacted: true,
      archive: ".pith/archive.sqlite",
    });
    expect((await runPith(["verify"], options)).exitCode).toBe(0);
  }));

test("conversations are imported line by line; a broken line is answered by its number and stops nothing", () =>
  inTemporaryFolder(async (folder) => {
    const lines = [
      JSON.stringify({ id: "a", messages: session }),
      "{nope",
      JSON.stringify({ id: 7, messages: session.slice(0, 3) }),
    ];
    writeFileSync(join(folder, "in.jsonl"), lines.join("\n"));
    const run = await runPith(["archive", "import", "--jsonl", "in.jsonl", "--archive", "a.sqlite"], {
      folder,
    });
    expect(run.exitCode).toBe(0);
    const answers = run.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers[0]).toEqual({ id: "a", messages: session.length, new: session.length });
    expect(answers[1]).toMatchObject({ id: null, error: { code: "INVALID_INPUT", line: 2 } });
    expect(answers[2]).toEqual({ id: 7, messages: 3, new: 3 });
    expect(run.stderr).toContain("2 conversations imported");
    writeFileSync(join(folder, "one.json"), JSON.stringify(session));
    const one = await runPith(["archive", "import", "one.json", "--archive", "a.sqlite"], { folder });
    const file = join(folder, "one.json");
    expect(JSON.parse(one.stdout)).toEqual({ id: file, messages: session.length, new: session.length, file });
  }));

test("a turn of a hand-off is printed raw, or as a model reads it, page by page", () =>
  inTemporaryFolder(async (folder) => {
    writeFileSync(join(folder, "session.json"), JSON.stringify(session));
    const compact = ["compact", "session.json", "--target", "500", "--archive", "a.sqlite"];
    const { stdout } = await runPith(compact, { folder });
    const id = signs.opened(handoffText(JSON.parse(stdout)));
    const expand = (name: string, ...flags: readonly string[]) =>
      runPith(["recall", "--expand", name, "--archive", "a.sqlite", ...flags], { folder });
    const { number, from, to, printed } = signs.numbered(3);
    const raw = JSON.parse((await expand(`${id}#${number}`)).stdout);
    expect(raw).toEqual(session.slice(9, 13).slice(from, to));
    const whole = await expand(id!, "--max-tokens", "400");
    expect(whole.stdout).toMatch(/^#1 Read log 0, please\.\n/);
    expect(whole.stdout).toContain(`\n#${signs.numbered(2).asked} Read log 1, please.\n`);
    const page = await expand(`${id}#${printed}`, "--max-tokens", "0.3k");
    const next = /give offset (\d+)\]\n$/.exec(page.stdout)![1]!;
    const second = await expand(`${id}#${printed}`, "--max-tokens", "300", "--offset", next);
    expect(second.stdout).toMatch(/^10:02:\d+ INFO job 2-/);
    const unknown = await expand(`${id}#77`);
    expect(unknown).toMatchObject({ exitCode: 4, stdout: "" });
    expect(unknown.stderr).toMatch(/#77: its turns are 1 to \d+\.\n$/);
    expect(await expand(id!, "--max-tokens", "few")).toMatchObject({ exitCode: 2 });
    expect(await expand(id!, "--max-tokens", "90", "--offset", "-")).toMatchObject({ exitCode: 2 });
  }));

test("an unknown id, a missing archive, a damaged one and none are told apart, with exit codes", () =>
  inTemporaryFolder(async (folder) => {
    const input = JSON.stringify({ id: "a", messages: session });
    await runPith(["archive", "import", "--jsonl", "-", "--archive", "a.sqlite"], { folder, input });
    const unknown = await runPith(["recall", "--expand", "pith:zzzzzzzzzzzz", "--archive", "a.sqlite"], {
      folder,
    });
    expect(unknown).toMatchObject({ exitCode: 4, stdout: "" });
    expect(unknown.stderr).toContain("a.sqlite: Nothing is archived under pith:zzzzzzzzzzzz");
    const missing = await runPith(["verify", "--archive", "b.sqlite"], { folder });
    expect(missing.exitCode).toBe(4);
    expect(missing.stderr).not.toMatch(/\n\s+at /);
    expect(existsSync(join(folder, "b.sqlite"))).toBe(false);
    const none = await runPith(["verify"], { folder });
    expect(none.exitCode).toBe(2);
    expect(none.stderr).toContain("needs an archive");
    const bytes = readFileSync(join(folder, "a.sqlite"));
    bytes.fill(0x41, 0, 100);
    writeFileSync(join(folder, "c.sqlite"), bytes);
    expect((await runPith(["verify", "--archive", "c.sqlite"], { folder })).exitCode).toBe(4);
  }));

const remembered = rawConversation(
  user("Which port should the staging server listen on?"),
  assistant("It listens on 48213, since 8080 is taken by the proxy."),
  user("And the password rotation?"),
  assistant("Credentials are rotated every ninety days by the vault job."),
);

test("archive forget erases a conversation or an original, and says when there is no such thing", () =>
  inTemporaryFolder(async (folder) => {
    const options = { folder, environment: { PITH_ARCHIVE: "a.sqlite" } };
    const forget = (...what: readonly string[]) => runPith(["archive", "forget", ...what], options);
    expect((await forget("--conversation", "ops")).exitCode).toBe(4);
    expect(existsSync(join(folder, "a.sqlite"))).toBe(false);
    const lines = ["ops", "other"].map((id) => JSON.stringify({ id, messages: [...remembered, user(id)] }));
    await runPith(["archive", "import", "--jsonl", "-"], { ...options, input: lines.join("\n") });
    const found = await runPith(["recall", "staging port", "--json", "--limit", "1"], options);
    const [{ id }] = JSON.parse(found.stdout).results;

    const one = await forget(id);
    expect(one).toMatchObject({ exitCode: 0, stdout: '{"conversations":0,"items":1}\n' });
    expect((await runPith(["recall", "--expand", id], options)).stderr).toContain("erased");
    expect((await forget("--conversation", "ops")).stdout).toBe('{"conversations":1,"items":1}\n');
    expect((await forget("--conversation", "other")).stdout).toBe('{"conversations":1,"items":4}\n');
    expect(readFileSync(join(folder, "a.sqlite")).includes("48213")).toBe(false);
    expect((await runPith(["verify"], options)).exitCode).toBe(0);

    const unknown = await forget("--conversation", "ops");
    expect(unknown).toMatchObject({ exitCode: 4, stdout: "" });
    expect(unknown.stderr).toContain("a.sqlite has nothing under ops");
    for (const wrong of [[], [id, "--conversation", "ops"]])
      expect((await forget(...wrong)).exitCode).toBe(2);
  }));

test("recall finds an answer by a question in other words, for people, as JSON and line by line", () =>
  inTemporaryFolder(async (folder) => {
    const input = [
      JSON.stringify({ id: "ops", messages: remembered }),
      JSON.stringify({ id: "logs", messages: session }),
    ].join("\n");
    const options = { folder, environment: { PITH_ARCHIVE: "a.sqlite" } };
    await runPith(["archive", "import", "--jsonl", "-"], { ...options, input });
    const people = await runPith(["recall", "what port does staging listen to"], options);
    expect(people.exitCode).toBe(0);
    expect(people.stdout).toContain("48213");
    expect(people.stdout).toMatch(/\[showing \d+ of \d+ results\]/);
    const json = await runPith(
      ["recall", "how often are credentials rotated", "--json", "--limit", "1"],
      options,
    );
    const { results } = JSON.parse(json.stdout);
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({
      conversationId: "ops",
      conversation: "ops",
      message: 3,
      id: expect.stringMatching(/^pith:/),
    });
    const questions = [
      JSON.stringify({ id: 1, query: "staging port", limit: 2 }),
      JSON.stringify({ id: 2, query: "staging port", conversation: "logs" }),
      "not json",
      JSON.stringify({ id: 4 }),
      JSON.stringify({ id: 5, query: "staging port", conversationId: "logs" }),
    ].join("\n");
    const lines = await runPith(["recall", "--jsonl", "-"], { ...options, input: questions });
    expect(lines.exitCode).toBe(0);
    const answers = lines.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers[0].id).toBe(1);
    expect(answers[0].results[0]).toMatchObject({
      conversation: "ops",
      snippet: expect.stringContaining("port"),
    });
    expect(answers[1].results.every((each: { conversation: string }) => each.conversation === "logs")).toBe(
      true,
    );
    expect(answers[4].results).toEqual(answers[1].results);
    expect(answers[2]).toMatchObject({ error: { code: "INVALID_INPUT", line: 3 } });
    expect(answers[3]).toMatchObject({ id: 4, error: { code: "INVALID_INPUT" } });
    const nothing = await runPith(["recall", "xylophone"], options);
    expect(nothing).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: expect.stringContaining("nothing found"),
    });
    const nowhere = ["recall", "xylophone", "--conversation", "tpyo"];
    const stderr = expect.stringContaining("has no conversation tpyo");
    expect(await runPith(nowhere, options)).toMatchObject({ exitCode: 2, stdout: "", stderr });
    const empty = '{"results":[],"found":0}\n';
    expect(await runPith([...nowhere, "--json"], options)).toMatchObject({
      exitCode: 0,
      stdout: empty,
      stderr,
    });
    const wrong = await runPith(["recall"], options);
    expect(wrong).toMatchObject({ exitCode: 2, stdout: "" });
    expect((await runPith(["recall", "x", "--limit", "0"], options)).exitCode).toBe(2);
  }));
