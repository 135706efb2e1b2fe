/** The process behind `pith mcp`: what it writes where, and how it begins and ends. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillArchive } from "./mcp-session.ts";
import { program, runPith } from "./run-pith.ts";

const folder = mkdtempSync(join(tmpdir(), "pith-test-"));
const file = join(folder, "a.sqlite");

beforeAll(() => fillArchive(file));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const startMcp = (archive = file): ChildProcessWithoutNullStreams =>
  spawn(process.execPath, [program, "mcp", "--archive", archive]);

const lineOf = (message: Record<string, unknown>): string =>
  `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;

test("stdout carries the protocol alone, whatever comes in, and the end of stdin is a clean end", async () => {
  const child = startMcp(join(folder, "missing.sqlite"));
  let stdout = "";
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const clientInfo = { name: "raw", version: "1" };
  const handshake = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const search = { name: "recall_search", arguments: { query: "bucket" } };
  child.stdin.write(lineOf({ id: 1, method: "initialize", params: handshake }));
  child.stdin.write('this is no JSON\n{"jsonrpc":"2.0"}\n[]\n\n');
  child.stdin.write(lineOf({ id: 2, method: "no/such/method" }));
  child.stdin.write(lineOf({ id: 3, method: "tools/call", params: search }));
  while (stdout.split("\n").length <= 3) stdout += String((await once(child.stdout, "data"))[0]);
  child.stdin.end();
  expect(await once(child, "close")).toEqual([0, null]);
  const answers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .toSorted((one, other) => one.id - other.id);
  expect(answers.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(answers[1].error.code).toBe(-32601);
  expect(answers[2].result.isError).toBe(true);
  expect(stderr).toContain("missing.sqlite");
  expect(existsSync(join(folder, "missing.sqlite"))).toBe(false);
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`${signal} ends it with exit code 0, stdin still open`, async () => {
    const child = startMcp();
    child.stdin.write(lineOf({ id: 1, method: "ping" }));
    await once(child.stdout, "data");
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([0, null]);
  });
}

test("a message larger than the server reads ends the connection, and the process with it", async () => {
  const run = await runPith(["mcp", "--archive", file], { input: `"${"x".repeat(11 << 20)}"` });
  expect(run.exitCode).toBe(0);
  expect(run.stdout).toBe("");
  expect(run.stderr).toMatch(/buffer|size/i);
});

test("flags that do not go together, and no archive at all, are usage errors", async () => {
  const wrong = [
    ["--port", "80"],
    ["--http", "--port", "70000"],
    ["--archive", "none"],
  ];
  for (const parameters of wrong) {
    const run = await runPith(["mcp", ...parameters], { environment: { PITH_ARCHIVE: file } });
    expect([parameters, run.exitCode]).toEqual([parameters, 2]);
    expect(run.stdout).toBe("");
    expect(run.stderr).toContain(parameters.at(-2));
  }
});
