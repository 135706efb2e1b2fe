import { afterAll, beforeAll, expect, test } from "vitest";
import { createCompactor } from "../src/compactor.ts";
import { openAISummarizer } from "../src/summarizer/openai-compatible.ts";
import { assistant, rawConversation, user, type WireMessage } from "../src/testing/builders.ts";
import { createModelServer, type ModelServer } from "../src/testing/model-server.ts";

let server: ModelServer;
let hanging: ModelServer;

beforeAll(async () => {
  server = await createModelServer({
    reply: { type: "say", text: "The parser work was finished and reviewed." },
  });
  hanging = await createModelServer({ reply: { type: "hang" } });
});
afterAll(async () => {
  await server.close();
  await hanging.close();
});

const turn = (at: number): readonly WireMessage[] => [
  user(`Look at module ${at}.`),
  assistant(`Module ${at} parses file_${at}.ts. `.repeat(30)),
];

/** Feeds a conversation turn by turn until it is compacted; a little time passes between turns. */
async function run(url: string) {
  const compactor = createCompactor({
    window: 8000,
    reserve: 1000,
    summarizers: [openAISummarizer({ url, model: "m" })],
  });
  let messages: WireMessage[] = [];
  let state: Parameters<typeof compactor.compact>[1] = {};
  for (let at = 0; at < 60; at++) {
    messages = rawConversation(...messages, ...turn(at)) as WireMessage[];
    const started = performance.now();
    const result = await compactor.compact(messages, { ...state, summarize: "background" });
    const waitedMs = performance.now() - started;
    state = { state: result.state };
    if (result.report.compacted) return { result, waitedMs };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("It was never compacted.");
}

test("[R49] a summary begun before the threshold stands in the hand-off of the compaction that follows", async () => {
  const { result } = await run(`${server.url}/v1`);
  expect(JSON.stringify(result.output)).toContain("The parser work was finished and reviewed.");
  expect(result.report.summary?.summarizer).toBeDefined();
  expect(server.requests.length).toBe(1);
});

test("[R49] a summary that is not ready in time is not waited for", async () => {
  const { result } = await run(`${hanging.url}/v1`);
  expect(result.report.summary?.failure).toContain("not ready");
  expect(JSON.stringify(result.output)).toContain("[Pith hand-off]");
  expect(hanging.requests.length).toBe(1);
});
