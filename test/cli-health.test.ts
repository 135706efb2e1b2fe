/** `pith health`, the Report and the session log: the same judgement at every door. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCompactor } from "../src/index.ts";
import type { Health } from "../src/report/health.ts";
import { assistant, call, rawConversation, result, system, user } from "../src/testing/builders.ts";
import { inTemporaryFolder, runPith } from "./run-pith.ts";

const essay = "The parser reads a line, then another one. ".repeat(40);
const messages = rawConversation(
  system("You are terse."),
  user("Always use tabs."),
  assistant("", call("read_file", { path: "a.ts" }, "r1")),
  result("const a = 1;", { id: "r1" }),
  assistant("", call("edit_file", { path: "a.ts" }, "e1")),
  result("done", { id: "e1" }),
  ...Array.from({ length: 8 }, (_, at) => [user(`Go on, ${at}.`), assistant(`${at}: ${essay}`)]).flat(),
  user("Never use tabs."),
);
const input = JSON.stringify(messages);
const window = ["--window", "6000", "--reserve", "0"];

test.concurrent("[F40] pith health tells utilisation, messages, conflicts and what is out of date, and changes nothing", async () => {
  const { stdout, exitCode } = await runPith(["health", "-", ...window], { input });
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^WARN: summarize\n[\d.]+% of the budget, 22 messages\n/);
  expect(stdout).toContain('"Always use tabs." and "Never use tabs." conflict: ask the user.');
  expect(stdout).toContain("message 3: a.ts was changed since it was read here, in message 4");
  const { health } = createCompactor({ window: 6_000, reserve: 0 });
  const json = await runPith(["health", "-", "--json", ...window], { input });
  expect(JSON.parse(json.stdout) as Health).toEqual(health(messages));
  const full = await runPith(["health", "-", "--window", "3000", "--reserve", "0"], { input });
  expect(full.stdout).toMatch(/^CRITICAL: trim/);
  const unknown = await runPith(["health", "-"], { input });
  expect(unknown.stdout).toContain("the window is unknown, 22 messages");
});

test.concurrent("[F40] the Report of a compaction has the health of what came in, and the session log its line", async () => {
  await inTemporaryFolder(async (folder) => {
    const log = ["--session-log", "log.md"];
    await runPith(["health", "-", ...window, ...log], { folder, input });
    const run = ["compact", "-", "--preset", "factor3", ...window, ...log, "--json"];
    const { stdout, stderr } = await runPith(run, { folder, input });
    const { report } = JSON.parse(stdout) as { report: { health: Health } };
    expect(report.health).toEqual(createCompactor({ window: 6_000, reserve: 0 }).health(messages));
    expect(stderr).toContain('"Always use tabs." and "Never use tabs." conflict: ask the user');
    const logged = readFileSync(join(folder, "log.md"), "utf8");
    expect(logged).toMatch(
      /^Health check: ([\d.]+%) tokens → Summarize\n\n[\s\S]*^Health check: \1 tokens → Summarized\n## Token/m,
    );
  });
});
