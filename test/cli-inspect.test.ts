/** `pith inspect` as a person starts it: the address it prints, the page it writes, and what it says when it cannot. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ConversationRow, ConversationView, CostView, ExportedAnswers } from "../src/inspect/views.ts";
import { buildPage } from "./inspector/built-page.ts";
import { program, runPith } from "./run-pith.ts";

const folder = mkdtempSync(join(tmpdir(), "pith-cli-inspect-"));
const sample = join(import.meta.dirname, "../examples/coding-session.json");
beforeAll(buildPage, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the inspector, lets `look` in by the printed link, and stops it. */
async function inspecting(
  parameters: readonly string[],
  look: (get: (path: string) => Promise<Response>) => Promise<void>,
): Promise<void> {
  const child = spawn(process.execPath, [
    program,
    "inspect",
    "--no-open",
    "--port",
    "0",
    "--json",
    ...parameters,
  ]);
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const said = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString()));
    child.stderr.once("data", (chunk: Buffer) => reject(new Error(chunk.toString())));
  });
  const url = new URL((JSON.parse(said) as { url: string }).url);
  expect(url.hostname).toBe("127.0.0.1");
  const entered = await fetch(url, { redirect: "manual" });
  const cookie = entered.headers.get("set-cookie")!.split(";")[0]!;
  await look((path) => fetch(new URL(path, url), { headers: { cookie } }));
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
}

test("a session file is read into memory and shown, its compaction too where one was asked for", async () => {
  await inspecting([sample, "--target", "30%", "--window", "128000"], async (get) => {
    expect(await (await get("/")).text()).toContain('<div id="app">');
    const session = await (await get("api/session")).json();
    expect(session).toMatchObject({ conversation: "coding-session.json", readOnly: false, live: false });
    const view = (await (await get("api/conversations/coding-session.json")).json()) as ConversationView;
    expect(view).toMatchObject({ messages: 95, window: 128_000 });
    expect(view.compactions).toMatchObject([{ position: 95, undone: false }]);
  });
}, 60_000);

test("an archive is shown as it is, and with --read-only opened so", async () => {
  const archive = join(folder, "archive.sqlite");
  const done = await runPith(["compact", sample, "--target", "30%", "--archive", archive]);
  expect(done.exitCode).toBe(0);
  await inspecting(["--archive", archive, "--read-only"], async (get) => {
    const rows = (await (await get("api/conversations")).json()) as readonly ConversationRow[];
    expect(rows).toMatchObject([{ messages: 95, compactions: 1 }]);
    expect(rows[0]!.tokens).toBeGreaterThan(1_000);
    expect(await (await get("api/session")).json()).toMatchObject({ readOnly: true, live: true });
  });
}, 60_000);

test("what it costs is found in the background, with and without, and the same answer comes at once again", async () => {
  await inspecting([sample, "--window", "20000"], async (get) => {
    const ask = async () => (await (await get("api/cost/coding-session.json")).json()) as CostView;
    let view = await ask();
    while (view.state === "running") {
      await new Promise((resolve) => setTimeout(resolve, 200));
      view = await ask();
    }
    expect(view).toMatchObject({ state: "done", window: 20_000 });
    expect(view.strategies.map(({ name }) => name)).toEqual(["nothing", "balanced", "keep-recent"]);
    const [without, own] = view.strategies;
    expect(without!.failed).toBeGreaterThan(0);
    expect(own).toMatchObject({ failed: 0 });
    for (const table of view.tables) {
      const { request, cost } = own!.points;
      expect(cost[table]).toHaveLength(request.length);
      expect(cost[table]!.at(-1)).toBeCloseTo(own!.cost[table]!);
    }
  });
}, 90_000);

test("an exported page holds all that it shows, redacted, and nothing in it can run but its own script", async () => {
  const secret = `ghp_${"Ab3".repeat(12)}`;
  const hostile = `</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> ${secret}`;
  const messages = Array.from({ length: 30 }, (_, at) => [
    { role: "user", content: `Message ${at} ${hostile} $& $' \u2028` },
    { role: "assistant", content: `Answer ${at} ${"word ".repeat(60)}` },
  ]).flat();
  const [input, output] = [join(folder, "hostile.json"), join(folder, "page.html")];
  writeFileSync(input, JSON.stringify({ model: "gpt-4o", messages }));
  const done = await runPith(["inspect", input, "--target", "40%", "--export", output, "--json"]);
  expect([done.exitCode, done.stderr]).toEqual([0, ""]);
  const html = readFileSync(output, "utf8");
  expect(JSON.parse(done.stdout)).toEqual({ file: output, bytes: Buffer.byteLength(html) });

  const scripts = [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
  expect(scripts.map(([, attributes]) => attributes!.trim())).toEqual([
    'type="application/json" id="pith-data"',
    'type="module"',
  ]);
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)![1]!;
  const hash = createHash("sha256").update(scripts[1]![2]!).digest("base64");
  expect(policy).toContain(`script-src 'sha256-${hash}'`);
  expect(policy).not.toMatch(/unsafe|'self'|http|\*/);
  expect(html).not.toMatch(/<script[^>]*\bsrc=|<link[^>]*stylesheet|<img/);
  expect(html).not.toContain(secret);

  const answers = JSON.parse(scripts[0]![2]!) as ExportedAnswers;
  expect(answers["api/session"]).toMatchObject({ exported: true, readOnly: true });
  const view = answers["api/conversations/hostile.json"] as ConversationView;
  const compaction = answers[`api/compactions/${encodeURIComponent(view.compactions[0]!.id)}`];
  expect(JSON.stringify(compaction)).toContain("</script><script>alert(1)");
  expect(Object.keys(answers).filter((key) => key.startsWith("api/items/")).length).toBeGreaterThanOrEqual(
    60,
  );
  expect(answers["api/cost/hostile.json"]).toMatchObject({ state: "done" });
}, 60_000);

test.each([
  [["nowhere.json"], 2, "there is no such file"],
  [[sample, "--port", "many"], 2, "--port many"],
  [[sample, "--preset", "nothing-like-it"], 2, "nothing-like-it"],
  [[sample, "--target", "1"], 3, "target"],
  [["--archive", "none"], 2, "needs an archive"],
  [["--archive", join(folder, "absent.sqlite")], 4, "absent.sqlite"],
  [["--target", "30%", "--archive", "x.sqlite"], 2, "--target"],
])("pith inspect %j ends with %i and says why", async (parameters, exitCode, words) => {
  const done = await runPith(["inspect", "--no-open", ...parameters], { folder });
  expect([done.exitCode, done.stdout]).toEqual([exitCode, ""]);
  expect(done.stderr).toContain(words);
});
