/** Session files of agent programs on the command line. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { hasAllRecordings, recordingsFolder, recordsOf } from "./recordings.ts";
import { inTemporaryFolder, runPith } from "./run-pith.ts";

/** A session of gptme: a message a line. */
const session = Array.from({ length: 40 }, (_, at) => [
  { role: "user", content: `Look at module ${at}.`, timestamp: "2026-01-01T00:00:00" },
  {
    role: "assistant",
    content: `Module ${at} has the values ${at * 31} and ${at * 37}. `.repeat(6).trim(),
    timestamp: "2026-01-01T00:00:01",
  },
])
  .flat()
  .map((message) => JSON.stringify(message));
const text = `${session.join("\n")}\n`;

test("a session file comes back smaller, as a file of the same program, with its odd lines kept and named", () =>
  inTemporaryFolder(async (folder) => {
    writeFileSync(
      join(folder, "conversation.jsonl"),
      `${session.slice(0, 4).join("\n")}\n{torn\n${session.slice(4).join("\n")}\n`,
    );
    const run = await runPith(["compact", "conversation.jsonl", "--target", "30%", "-o", "smaller.jsonl"], {
      folder,
    });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain("line 5:");
    const smaller = readFileSync(join(folder, "smaller.jsonl"), "utf8");
    expect(smaller.length).toBeLessThan(text.length / 2);
    const lines = smaller
      .trimEnd()
      .split("\n")
      .filter((line) => line !== "{torn");
    const messages = lines.map((line) => JSON.parse(line));
    expect(messages.at(-1)).toEqual(JSON.parse(session.at(-1)!));
    expect(JSON.stringify(messages)).toContain("[Pith hand-off]");
    const whole = await runPith(["compact", "conversation.jsonl", "--target", "100%"], { folder });
    expect(whole.stdout).toBe(readFileSync(join(folder, "conversation.jsonl"), "utf8"));
    const json = await runPith(["compact", "conversation.jsonl", "--target", "30%", "--json"], { folder });
    expect(JSON.parse(json.stdout).transcript).toBe(smaller);
  }));

test("a session is planned, and converted to a request of any wire format", () =>
  inTemporaryFolder(async (folder) => {
    writeFileSync(join(folder, "conversation.jsonl"), text);
    const plan = await runPith(["plan", "conversation.jsonl", "--target", "30%", "--json"], { folder });
    expect(JSON.parse(plan.stdout).steps.length).toBeGreaterThan(0);
    const chat = await runPith(["convert", "conversation.jsonl", "--to", "openai"], { folder });
    expect(JSON.parse(chat.stdout).messages).toHaveLength(80);
    await runPith(["convert", "conversation.jsonl", "--to", "responses", "-o", "items.json"], { folder });
    expect(JSON.parse(readFileSync(join(folder, "items.json"), "utf8")).input).toHaveLength(80);
    const again = await runPith(["convert", "items.json", "--to", "anthropic"], { folder });
    expect(JSON.parse(again.stdout).messages).toHaveLength(80);
    const wrong = await runPith(["convert", "conversation.jsonl", "--to", "word"], { folder });
    expect(wrong).toMatchObject({ exitCode: 2, stdout: "" });
    const unknown = await runPith(["compact", "conversation.jsonl", "--format", "word"], { folder });
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toContain("claude-code");
  }));

/** A file as the program wrote it, or one put together again from its lines. */
async function sessionOfClaudeCode(): Promise<Buffer | string> {
  if (hasAllRecordings)
    return gunzipSync(readFileSync(join(recordingsFolder, "native/claude-code/37f83ec9.jsonl.gz")));
  const recorded = recordsOf(join(recordingsFolder, "claude-code-oh-my-posh.jsonl.gz"));
  const { messages: lines } = (await recorded.next()).value!;
  return lines.map((line: unknown) => `${JSON.stringify(line)}\n`).join("");
}

test("a real session of Claude Code is compacted into one that it can open", () =>
  inTemporaryFolder(async (folder) => {
    writeFileSync(join(folder, "session.jsonl"), await sessionOfClaudeCode());
    const run = await runPith(["compact", "session.jsonl", "--target", "20%", "-o", "smaller.jsonl"], {
      folder,
    });
    expect(run.exitCode).toBe(0);
    const lines = readFileSync(join(folder, "smaller.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.some(({ isCompactSummary }) => isCompactSummary)).toBe(true);
    const ids = new Set(lines.map(({ uuid }) => uuid));
    const orphans = lines.filter(({ parentUuid }) => parentUuid && !ids.has(parentUuid));
    expect(orphans).toEqual([]);
  }));

test("validate says where a request is wrong, and takes a session for the request that it would be", () =>
  inTemporaryFolder(async (folder) => {
    writeFileSync(join(folder, "conversation.jsonl"), text);
    const fine = await runPith(["validate", "conversation.jsonl"], { folder });
    expect(fine).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^A valid request \(anthropic-messages, as Pith reads this \S+ file\)/),
    });
    const input = JSON.stringify([
      { role: "user", content: "hi" },
      { role: "tool", tool_call_id: "x", content: "y" },
    ]);
    const wrong = await runPith(["validate"], { folder, input });
    expect(wrong).toMatchObject({ exitCode: 4, stdout: expect.stringContaining("messages[1]  pairing:") });
    const json = await runPith(["validate", "--json"], { folder, input });
    expect(JSON.parse(json.stdout)).toMatchObject({ valid: false, faults: [{ rule: "pairing" }] });
  }));
