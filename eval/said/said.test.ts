import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { saidOf } from "./said.ts";

const answer = `The port is taken. ${"It was changed to the next one. ".repeat(8)}`.trim();
const past = [
  { role: "system", content: "You are an agent, and this is a rule." },
  {
    role: "user",
    content: "<system-reminder>Nobody typed this line.</system-reminder>\nPlease change the port.\nok",
  },
  { role: "assistant", content: answer, tool_calls: [] },
  { role: "tool", tool_call_id: "1", content: "listening on the port as before" },
  { role: "user", content: "Caveat: a program wrote this message, nobody else." },
];

test("whole when everything stays, and neither tools nor programs nor short lines count", () => {
  const said = saidOf(past, past);
  expect(said.user).toEqual({ held: 23, all: 23 });
  expect(said.agent).toEqual({ held: answer.length, all: answer.length });
  expect(said.last).toEqual({ held: 1, all: 1 });
});

test("a line that is cut counts by its sentences, whatever the white space", () => {
  const said = saidOf(past, [{ role: "user", content: "It said: The port\n  is taken." }]);
  expect(said.agent).toEqual({ held: "The port is taken.".length, all: answer.length });
  expect(said.user.held).toBe(0);
  expect(said.last).toEqual({ held: 0, all: 1 });
});

test("a result of the same messages, given by a file, has the same figures as Pith's own", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pith-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const results = join(folder, "results.jsonl");
  const run = (...parameters: readonly string[]) =>
    promisify(execFile)(process.execPath, [join(import.meta.dirname, "run.ts"), "--shipped", ...parameters]);
  await run("--results", results);
  const { stdout } = await run(`again=${results}`);
  const figures = (name: string) =>
    stdout
      .split("\n")
      .flatMap((line) => (line.startsWith(`| ${name} `) ? [line.replace(/^\| \w+ +/, "")] : []));
  expect(readFileSync(results, "utf8").trim().split("\n")).toHaveLength(3);
  expect(figures("pith")).toHaveLength(3);
  expect(figures("again")).toEqual(figures("pith"));
});
