/** pith/ai-sdk through the real SDK, with two providers. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import {
  generateText,
  isStepCount,
  type LanguageModel,
  type LanguageModelMiddleware,
  type ModelMessage,
  streamText,
  tool,
  wrapLanguageModel,
} from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { pithAiSdk } from "../../src/adapters/ai-sdk.ts";
import { memoryArchive } from "../../src/archive/memory.ts";
import type { CompactionEvent } from "../../src/index.ts";
import { type AgentServer, ask, createAgentServer, moduleText } from "./agent-server.ts";
import { expectLongRun, TURNS, WINDOW } from "./long-run.ts";

const models = {
  "OpenAI chat": ({ url }: AgentServer) =>
    createOpenAI({ apiKey: "none", baseURL: `${url}/v1` }).chat("gpt-5"),
  Anthropic: ({ url }: AgentServer) =>
    createAnthropic({ apiKey: "none", baseURL: `${url}/v1` })("claude-opus-4-1"),
};
const names = Object.keys(models) as (keyof typeof models)[];

const wrapped = (model: LanguageModel, middleware: LanguageModelMiddleware) =>
  wrapLanguageModel({ model: model as Parameters<typeof wrapLanguageModel>[0]["model"], middleware });

async function drive(
  turns: number,
  options: Omit<Parameters<typeof generateText>[0], "prompt" | "messages" | "tools">,
  tools: ReturnType<typeof pithAiSdk>["tools"],
) {
  const modules: number[] = [];
  const answers: string[] = [];
  const messages: ModelMessage[] = [];
  const read_module = tool({
    description: "Reads a module.",
    inputSchema: z.object({ module: z.number().int() }),
    execute: async ({ module }) => {
      modules.push(module);
      return moduleText(module);
    },
  });
  for (let turn = 0; turn < turns; turn++) {
    messages.push({ role: "user", content: ask(turn) });
    const call = {
      ...options,
      instructions: "You are a careful agent.",
      tools: { read_module, ...tools },
      stopWhen: isStepCount(5),
      messages: [...messages],
      maxRetries: 0,
    };
    if (turn % 2 === 0) {
      const { text, response, responseMessages } = await generateText(call);
      answers.push(text);
      messages.push(...(responseMessages ?? response.messages));
    } else {
      const result = streamText(call);
      await result.consumeStream();
      answers.push(await result.text);
      messages.push(...((await result.responseMessages) ?? (await result.response).messages));
    }
  }
  return { modules, answers, messages };
}

test.each(names)("%s: 200 turns through the middleware, streamed every other turn", async (name) => {
  const server = await createAgentServer({ window: WINDOW });
  const events: CompactionEvent[] = [];
  const pith = pithAiSdk({
    window: WINDOW,
    archive: memoryArchive(),
    onEvent: (event) => events.push(event),
  });
  const model = wrapped(models[name](server), pith.middleware);
  const run = await drive(TURNS, { model }, pith.tools);
  await server.close();
  expectLongRun({ server, events, ...run });
  expect(run.messages).toHaveLength(TURNS * 4);
});

test("200 turns through prepareStep", async () => {
  const server = await createAgentServer({ window: WINDOW });
  const events: CompactionEvent[] = [];
  const pith = pithAiSdk({
    window: WINDOW,
    archive: memoryArchive(),
    onEvent: (event) => events.push(event),
  });
  const model = models["OpenAI chat"](server);
  const run = await drive(TURNS, { model, prepareStep: pith.prepareStep }, pith.tools);
  await server.close();
  expectLongRun({ server, events, ...run });
});

const long = (turns: number): ModelMessage[] => [
  ...Array.from({ length: turns }, (_, turn): ModelMessage[] => [
    { role: "user", content: ask(turn) },
    { role: "assistant", content: moduleText(turn) },
  ]).flat(),
  {
    role: "user",
    content: [{ type: "text", text: ask(turns) }],
    providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
  },
];

test.each(names)("%s: the parts of a stream are those of an unwrapped run", async (name) => {
  const server = await createAgentServer({
    window: 1_000_000,
    say: () => ({ text: "One port after the other.", calls: [] }),
  });
  const plain = models[name](server);
  const parts = async (model: LanguageModel) => {
    const list: unknown[] = [];
    for await (const { type, ...part } of streamText({ model, messages: long(60) }).stream) {
      if (type.includes("text")) list.push({ type, ...part });
    }
    return list;
  };
  const pith = pithAiSdk({ window: WINDOW });
  const [before, after] = [await parts(plain), await parts(wrapped(plain, pith.middleware))];
  await server.close();
  expect(after).toEqual(before);
  expect(before.length).toBeGreaterThan(2);
  expect(server.requests[0]!.tokens).toBeGreaterThan(WINDOW);
  expect(server.requests[1]!.tokens).toBeLessThan(WINDOW);
  if (name === "Anthropic") expect(JSON.stringify(server.requests[1]!.body)).toContain("cache_control");
});

test.each(names)("%s: refused for its size, compacted and sent once more, streamed or not", async (name) => {
  const server = await createAgentServer({ window: 9_000, say: () => ({ text: "Done.", calls: [] }) });
  const model = wrapped(models[name](server), pithAiSdk({ window: 100_000 }).middleware);
  const { text } = await generateText({ model, messages: long(30), maxRetries: 0 });
  expect(text).toBe("Done.");
  expect(await streamText({ model, messages: long(31), maxRetries: 0 }).text).toBe("Done.");
  await server.close();
  expect(server.requests[0]!.said).toBe("refused");
  expect(server.requests.filter(({ said }) => said !== "refused")).toHaveLength(2);
});
