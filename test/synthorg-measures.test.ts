/** What SynthOrg measures by, at its own threshold: the rough fill, relative retention, and the density of messages. */
import { expect, test } from "vitest";
import { createCompactor } from "../src/index.ts";
import type { Policy } from "../src/policy/policy.ts";
import { presets } from "../src/policy/presets.ts";
import { readConversation } from "../src/providers/detect.ts";
import { assistant, rawConversation, system, user, type WireMessage } from "../src/testing/builders.ts";
import { createTokenCounter } from "../src/tokens/counter.ts";
import { runPith } from "./run-pith.ts";

const wire = (output: unknown) => output as readonly WireMessage[];
/** Source 3: len(text) // 4 for the system prompt, the same and 4 for each message, 50 for each tool. */
const roughFill = (messages: readonly WireMessage[], tools: number) =>
  messages.reduce(
    (sum, { role, content }) => sum + Math.floor(String(content).length / 4) + (role === "system" ? 0 : 4),
    50 * tools,
  );
const tools = ["search", "fetch"].map((name) => ({ type: "function", function: { name } }));
const chat = (turns: number, says: (at: number) => string) =>
  rawConversation(
    system("You are careful. ".repeat(20)),
    ...Array.from({ length: turns }, (_, at) => [user(`And part ${at}?`), assistant(says(at))]).flat(),
  );
/** Letters that a tokenizer takes for many more tokens than a quarter of their number. */
const dense = (at: number) => `Q${at}xZ#7%k!${at}`.repeat(30);

test("[F59] synthorg judges the fill by characters, messages and tools: at 80 % of that it acts, not before", async () => {
  const messages = chat(12, dense);
  const fill = roughFill(messages, tools.length);
  const counted = createTokenCounter().conversation(readConversation(messages));
  expect(counted).toBeGreaterThan(1.5 * fill);
  const at = async (window: number) =>
    (await createCompactor({ preset: "synthorg", window, reserve: 0 }).compact(messages, { tools })).report;
  const due = Math.floor(fill / 0.8);
  expect(await at(due)).toMatchObject({ compacted: true, promptTokensBefore: fill });
  expect(await at(due + 2)).toMatchObject({ compacted: false, promptTokensBefore: fill });
  const agent = createCompactor({ preset: "synthorg-agent", window: Math.floor(fill / 0.5), reserve: 0 });
  expect(JSON.stringify((await agent.tools(messages, { tools })).definitions)).toContain("fill: 50%");
});

test("[F59] pith compact --preset synthorg judges the same", async () => {
  const messages = chat(12, dense);
  const input = JSON.stringify(messages);
  const due = Math.floor(roughFill(messages, 0) / 0.8);
  const run = (window: number) =>
    runPith(["compact", "--preset", "synthorg", "--window", String(window), "--reserve", "0"], { input });
  const [before, at] = await Promise.all([run(due + 2), run(due)]);
  expect(before.stdout).toBe(input);
  expect(JSON.parse(at.stdout).length).toBeLessThan(messages.length);
});

const synthorg = (more: Partial<Policy>): Policy => ({ ...presets.synthorg, ...more });
/** At the threshold of 80 %, to the token. */
const dueUnder = (policy: Policy, messages: readonly WireMessage[]) =>
  createCompactor({ preset: policy, window: Math.floor(roughFill(messages, 0) / 0.8), reserve: 0 }).compact(
    messages,
  );
const bodyOf = (output: unknown) => wire(output).map(({ content }) => String(content));

test("[F77] the larger of three turns and a share of the capacity in average turns stays", async () => {
  const messages = chat(40, (at) => `Part ${at} is done. `.repeat(6));
  const kept = async (relative?: number) => {
    const retention = { ...presets.synthorg.retention, ...(relative !== undefined && { relative }) };
    const { messages: output, report } = await dueUnder(synthorg({ retention }), messages);
    expect(report.compacted).toBe(true);
    const original = new Set(messages);
    return wire(output).filter((message) => message.role !== "system" && original.has(message)).length;
  };
  // 40 turns take 80 % of the capacity: a tenth of it is worth five of them, a fiftieth not even three.
  expect([await kept(), await kept(0.02), await kept(0.1), await kept(0.16)]).toEqual([6, 6, 10, 16]);
});

test.each(["tf-idf", "entropy"] as const)(
  "[F69 F70 F86] by %s the densest messages stay, of whoever said them",
  async (by) => {
    const plain = "the part is done and the part is fine and the part is done. ".repeat(3);
    const telling =
      "Kafka broker 7 rejects TLS 1.1; OAuth issuer https://id.example/r9; quota 4,815 req/s; SHA 9f3c2e7b; Zürich.";
    const messages = [
      ...chat(4, () => plain),
      ...rawConversation(user(telling), assistant(plain)),
      ...chat(8, () => plain).slice(1),
    ];
    const without = bodyOf((await dueUnder(synthorg({}), messages)).messages);
    expect(without).not.toContain(telling);
    const density = { by, promote: 0.1, slight: 0 };
    expect(bodyOf((await dueUnder(synthorg({ density }), messages)).messages)).toContain(telling);
  },
);

test("[F69 F86] the slightest messages are left out of the text summary, the telling ones are told", async () => {
  const filler = "so it is done and that is fine and it is done again and so it is fine";
  const messages = chat(16, (at) => (at % 2 ? filler : `Moved ledger${at}.sql to shard ${at * 37}.`));
  const summary = async (slight: number) =>
    bodyOf(
      (await dueUnder(synthorg({ density: { by: "tf-idf", promote: 0, slight } }), messages)).messages,
    ).find((text) => text.includes("Summary of prior work"))!;
  expect(await summary(0)).toContain(filler);
  expect(await summary(0.5)).not.toContain(filler);
  expect(await summary(0.5)).toContain("Moved ledger8.sql to shard 296.");
});
