/** Shaping on arrival (F31) where people meet it: the library, the program, the gateway and an adapter, under factor3. */
import { expect, test } from "vitest";
import { pithOpenAI } from "../src/adapters/openai.ts";
import { memoryArchive } from "../src/archive/memory.ts";
import { createCompactor } from "../src/compactor.ts";
import { createPreparer } from "../src/gateway/prepare.ts";
import { assistant, call, rawConversation, result, user, type WireMessage } from "../src/testing/builders.ts";
import { createTokenCounter } from "../src/tokens/counter.ts";
import { runPith } from "./run-pith.ts";

const counter = createTokenCounter();
/** The query of source 1's example: many rows, of which a count and a sample are kept. */
const rows = (quarter: number, count: number) =>
  JSON.stringify(
    Array.from({ length: count }, (_, id) => ({ id, quarter, region: "north", amount: 100 + (id % 9) })),
  );
const small = JSON.stringify({ rows: 2, total: 41 });
const query = (quarter: number) => call("database_query", { quarter }, `q${quarter}`);
const asked = rawConversation(
  user("Can you analyze the latest sales data?"),
  assistant("I'll fetch the sales data from the database.", query(1)),
  result(rows(1, 300), { id: "q1" }),
);
const later = [
  ...asked,
  ...rawConversation(assistant("Here's the analysis."), user("And how many in all?")),
  ...rawConversation(assistant("", query(2)), result(small, { id: "q2" })),
];
const WINDOW = 40_000;
const contents = (messages: unknown): readonly unknown[] =>
  (messages as readonly WireMessage[]).map(({ content }) => content);

test("[F31] under factor3 compact shapes what arrived, far below the threshold, and leaves small results", async () => {
  const {
    messages: output,
    report,
    state,
  } = await createCompactor({ preset: "factor3", window: WINDOW }).compact(later);
  const shaped = contents(output);
  expect(shaped[2]).toContain("300");
  expect(counter.text(String(shaped[2]))).toBeLessThan(counter.text(rows(1, 300)) / 3);
  expect([shaped[0], shaped[1], ...shaped.slice(3)]).toEqual(
    [later[0], later[1], ...later.slice(3)].map((message) => message!.content),
  );
  expect(report).toMatchObject({ compacted: true, stages: [{ stage: "shape-tool-results", messages: 1 }] });
  expect(report.promptTokensBefore - report.promptTokensAfter).toBe(report.tokensBefore - report.tokensAfter);
  expect(state.compactions).toBe(0);
  expect((await createCompactor({ window: WINDOW }).compact(later)).messages).toBe(later);
  expect((await createCompactor({ preset: "factor3+debug", window: WINDOW }).compact(later)).messages).toBe(
    later,
  );
});

test("[F31] whoever sends the whole history each time gets the same beginning each time", async () => {
  const compactor = createCompactor({ preset: "factor3", window: WINDOW });
  const first = await compactor.compact(asked);
  const second = await compactor.compact(later, { state: first.state });
  expect((second.messages as readonly unknown[]).slice(0, asked.length)).toEqual(first.messages);
  const again = await compactor.compact(second.messages, { state: second.state });
  expect(again.messages).toBe(second.messages);
});

test("[F31] the threshold is judged by what was shaped, and a compaction goes on from it", async () => {
  const tokens = counter.text(rows(1, 300));
  const entries: string[] = [];
  const options = { preset: "factor3", sessionLog: (text: string) => entries.push(text) } as const;
  const roomy = await createCompactor({ ...options, window: Math.floor(tokens * 1.5) }).compact(later);
  expect(roomy.report.stages.map(({ stage }) => stage)).toEqual(["shape-tool-results"]);
  expect(entries).toEqual([]);
  const { report } = await createCompactor({ ...options, target: 230 }).compact(later);
  expect(report.stages.map(({ stage }) => stage)).toEqual(["shape-tool-results", "hand-off"]);
  expect(report.tokensAfter).toBeLessThanOrEqual(230);
  expect(report.tokensBefore).toBeGreaterThan(tokens);
});

test("[F31] what shaping saves does not count as a system prompt where a conversation barely fits in its window", async () => {
  const pinned = "What I pasted must stay. ".repeat(600);
  const long = rawConversation(
    user("Analyze the sales data."),
    assistant("I'll fetch it.", query(1)),
    result(rows(1, 800), { id: "q1" }),
    user(pinned),
    assistant("I see. ".repeat(700)),
    user("And how many in all?"),
  );
  const { report } = await createCompactor({ preset: "factor3", window: 5_000 }).compact(long, { pins: [3] });
  expect(report.error).toBeUndefined();
  expect(report.stages.map(({ stage }) => stage)).toEqual(["shape-tool-results", "hand-off"]);
  expect(report.tokensAfter).toBeLessThan(5_000);
});

test("[F31 F79] with an archive the whole result can be had by the id in its shape", async () => {
  const archive = memoryArchive();
  const { messages: output } = await createCompactor({ preset: "factor3", window: WINDOW, archive }).compact(
    later,
  );
  const id = /pith:[0-9a-z]{8,}/.exec(String(contents(output)[2]))?.[0] ?? "";
  expect((await archive.get(id))?.content).toBe(rows(1, 300));
});

test("[F31] pith compact shapes under factor3", async () => {
  const input = JSON.stringify(later);
  const flags = ["compact", "--window", String(WINDOW)];
  const [factor3, balanced] = await Promise.all([
    runPith([...flags, "--preset", "factor3"], { input }),
    runPith(flags, { input }),
  ]);
  expect(balanced.stdout).toBe(input);
  expect(contents(JSON.parse(factor3.stdout))[2]).toMatch(/^\[pith shaped: .*300 records/m);
});

test("[F31] the gateway shapes what arrived in a small request, and sends the same again", async () => {
  const options = {
    preset: "factor3",
    window: WINDOW,
    archiveTimeoutMs: 5_000,
    archiveWriteTimeoutMs: 5_000,
  };
  const { prepare } = createPreparer({ ...options, archive: memoryArchive() });
  const sent = async (messages: readonly unknown[]) => {
    const text = JSON.stringify({ model: "some-model", messages });
    return contents(JSON.parse((await prepare({ text, format: "openai-chat", tenant: "t" })).text).messages);
  };
  const first = await sent(asked);
  expect(first[2]).toMatch(/^\[pith shaped: .*300 records/m);
  expect((await sent(later)).slice(0, 3)).toEqual(first);
});

test("[F31] an adapter shapes what arrived, and sends the same again", async () => {
  const bodies: { readonly messages: readonly unknown[] }[] = [];
  const pith = pithOpenAI({
    preset: "factor3",
    window: WINDOW,
    fetch: async (_, init) => {
      bodies.push(JSON.parse(String(init?.body)));
      return Response.json({ choices: [{ message: assistant("Here's the analysis.") }] });
    },
  });
  for (const messages of [asked, later]) {
    const body = JSON.stringify({ model: "gpt-5", messages });
    await pith.fetch("https://api.example/v1/chat/completions", { method: "POST", body });
  }
  const [first, second] = bodies.map(({ messages }) => contents(messages));
  expect(first![2]).toMatch(/^\[pith shaped: .*300 records/m);
  expect(second!.slice(0, 3)).toEqual(first);
});
