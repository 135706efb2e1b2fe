/** `pith compact --jsonl`: one answer per job, in order, whatever the lines hold. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inTemporaryFolder, runPith } from "./run-pith.ts";

const messages = JSON.parse(
  readFileSync(join(import.meta.dirname, "../examples/coding-session.json"), "utf8"),
);

interface Answer {
  readonly id: unknown;
  readonly messages?: readonly unknown[];
  readonly report?: { readonly tokensAfter: number; readonly targetTokens?: number; readonly preset: string };
  readonly error?: { readonly code: string; readonly message: string };
}

async function answersTo(
  lines: readonly string[],
  parameters: readonly string[] = [],
): Promise<readonly Answer[]> {
  const { exitCode, stdout } = await runPith(["compact", "--jsonl", ...parameters], {
    input: lines.join("\n"),
  });
  expect(exitCode).toBe(0);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test.concurrent("answers every job in order, each at its own target and preset", async () => {
  const answers = await answersTo([
    JSON.stringify({ id: "a", messages, targetTokens: 9000 }),
    JSON.stringify({ id: 2, messages, targetTokens: 3000, preset: "hermes", tools: [] }),
    JSON.stringify({ id: "c", messages: messages.slice(0, 2), window: 100_000, preset: null }),
  ]);
  expect(answers.map(({ id }) => id)).toEqual(["a", 2, "c"]);
  expect(answers[0]!.report!.tokensAfter).toBeLessThanOrEqual(9000);
  expect(answers[1]!.report!.tokensAfter).toBeLessThanOrEqual(3000);
  expect(answers[1]!.report!.preset).toBe("hermes");
  expect(answers[2]!.messages).toEqual(messages.slice(0, 2));
});

test.concurrent("answers bad lines with their number and goes on", async () => {
  const small = [{ role: "user", content: "hi" }];
  const answers = await answersTo([
    '{"id":"cut","messages":[{"role":"us',
    "not json",
    "",
    JSON.stringify(["a list"]),
    JSON.stringify({ id: "no messages" }),
    JSON.stringify({ id: "wrong type", messages: "hello", targetTokens: 100 }),
    JSON.stringify({ id: "bad target", messages: small, targetTokens: "many" }),
    JSON.stringify({ id: "bad window", messages: small, window: -4 }),
    JSON.stringify({ messages: small, targetTokens: 100 }),
    JSON.stringify({ id: "bad preset", messages: small, targetTokens: 100, preset: "nobody" }),
    JSON.stringify({ id: "no window", messages: small }),
    JSON.stringify({ id: "unreachable", messages, targetTokens: 3 }),
    JSON.stringify({ id: "fine", messages: small, targetTokens: 100 }),
    JSON.stringify({ id: "unknown key", messages: small, target: "30%" }),
    JSON.stringify({ id: "mistyped key", messages: small, windw: 9_000 }),
  ]);
  expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
    [null, "INVALID_INPUT"],
    [null, "INVALID_INPUT"],
    [null, "INVALID_INPUT"],
    ["no messages", "INVALID_INPUT"],
    ["wrong type", "INVALID_INPUT"],
    ["bad target", "INVALID_INPUT"],
    ["bad window", "INVALID_INPUT"],
    [null, "INVALID_INPUT"],
    ["bad preset", "INVALID_OPTIONS"],
    ["no window", "UNKNOWN_WINDOW"],
    ["unreachable", "TARGET_UNREACHABLE"],
    ["fine", undefined],
    ["unknown key", "INVALID_INPUT"],
    ["mistyped key", "INVALID_INPUT"],
  ]);
  expect(answers[0]!.error!.message).toMatch(/^Line 1\b/);
  expect(answers[1]!.error!.message).toMatch(/^Line 2\b/);
  expect(answers[2]!.error!.message).toMatch(/^Line 4\b/);
  expect(answers[2]!.error!.message).toBe(
    "Line 4 is not a job: give an object with id, messages, window, targetTokens, preset, tools.",
  );
  expect(answers[5]!.error!.message).toBe("Line 7 is not a job: targetTokens must be a number.");
  expect(answers[7]!.error!.message).toBe("Line 9 is not a job: id is missing.");
  expect(answers[12]!.error!.message).toContain('there is no "target" here (did you mean "targetTokens"?)');
  expect(answers[13]!.error!.message).toContain('there is no "windw" here (did you mean "window"?)');
});

test.concurrent("messages that stay come out as the very characters that came in", async () => {
  const line =
    '{"id":1,"window":100000,"messages":[ {"role":"user", "content":"h\\u0069","n":12345678901234567890} ]}';
  const { stdout } = await runPith(["compact", "--jsonl"], { input: `${line}\r\n` });
  expect(stdout).toContain('{"role":"user", "content":"h\\u0069","n":12345678901234567890}');
  expect(stdout.split("\n")).toHaveLength(2);
});

test.concurrent("keys that are near to none of a job's are let through and named once on stderr", async () => {
  const line = (id: number) =>
    JSON.stringify({ id, messages, targetTokens: 9000, model: "m", metadata: {}, system: "x", expected: [] });
  const { stdout, stderr } = await runPith(["compact", "--jsonl"], { input: `${line(1)}\n${line(2)}` });
  expect(
    stdout
      .trimEnd()
      .split("\n")
      .map((answer) => JSON.parse(answer).error),
  ).toEqual([undefined, undefined]);
  expect(stderr.match(/"model", "metadata", "system", "expected"/g)).toHaveLength(1);
});

test.concurrent("a text for a list of messages is taken as it is without --jsonl", async () => {
  const [text, number] = await answersTo([
    '{"id":1,"window":100000,"input":"Hi."}',
    '{"id":2,"window":100000,"input":5}',
  ]);
  expect(text).toMatchObject({ id: 1, messages: [{ role: "user", content: "Hi." }] });
  expect(number!.error!.message).toContain("but `input` is a number");
});

test.concurrent("flags are the defaults of every job", async () => {
  const job = JSON.stringify({ id: 1, messages });
  const [answer] = await answersTo([job], ["--target", "20%", "--preset", "gptme"]);
  expect(answer!.report!.preset).toBe("gptme");
  expect(answer!.report!.tokensAfter).toBeGreaterThan(0);
});

test.concurrent("reads a file and writes a file whole, and appends to the session log", async () => {
  await inTemporaryFolder(async (folder) => {
    const jobs = [1, 2, 3].map((id) => JSON.stringify({ id, messages, targetTokens: 6000 }));
    writeFileSync(join(folder, "jobs.jsonl"), jobs.join("\n"));
    const { exitCode, stdout } = await runPith(
      ["compact", "--jsonl", "jobs.jsonl", "-o", "answers.jsonl", "--session-log", "log.md"],
      { folder },
    );
    expect(exitCode).toBe(0);
    expect(stdout).toBe("");
    const answers = readFileSync(join(folder, "answers.jsonl"), "utf8").trimEnd().split("\n");
    expect(answers.map((line) => JSON.parse(line).id)).toEqual([1, 2, 3]);
    expect(readFileSync(join(folder, "log.md"), "utf8").match(/^Summarized/gm)).toHaveLength(3);
    expect(readdirSync(folder).sort()).toEqual(["answers.jsonl", "jobs.jsonl", "log.md"]);
    const over = await runPith(["compact", "--jsonl", "jobs.jsonl", "-o", "jobs.jsonl"], { folder });
    expect(over.exitCode).toBe(2);
  });
});
