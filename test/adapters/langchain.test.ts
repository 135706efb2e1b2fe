/** pith/langchain through the real SDK: agents of createAgent, with two providers. */
import { ChatAnthropic } from "@langchain/anthropic";
import { type AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { pithLangChain } from "../../src/adapters/langchain.ts";
import { memoryArchive } from "../../src/archive/memory.ts";
import type { CompactionEvent } from "../../src/index.ts";
import { type AgentServer, ask, createAgentServer, moduleText } from "./agent-server.ts";
import { expectLongRun, TURNS, WINDOW } from "./long-run.ts";

const models = {
  "OpenAI chat": ({ url }: AgentServer) =>
    new ChatOpenAI({
      model: "gpt-5",
      apiKey: "none",
      maxRetries: 0,
      useResponsesApi: false,
      configuration: { baseURL: `${url}/v1` },
    }),
  Anthropic: ({ url }: AgentServer) =>
    new ChatAnthropic({ model: "claude-opus-4-1", apiKey: "none", maxRetries: 0, anthropicApiUrl: url }),
};
const names = Object.keys(models) as (keyof typeof models)[];

const reader = (modules: number[]) =>
  tool(
    ({ module }: { module: number }) => {
      modules.push(module);
      return moduleText(module);
    },
    { name: "read_module", description: "Reads a module.", schema: z.object({ module: z.number().int() }) },
  );

test.each(names)("%s: 200 turns of an agent, streamed every other turn", async (name) => {
  const server = await createAgentServer({ window: WINDOW });
  const events: CompactionEvent[] = [];
  const pith = pithLangChain({
    window: WINDOW,
    archive: memoryArchive(),
    onEvent: (event) => events.push(event),
  });
  const modules: number[] = [];
  const answers: string[] = [];
  const agent = createAgent({
    model: models[name](server),
    tools: [reader(modules)],
    systemPrompt: "You are a careful agent.",
    middleware: [pith.middleware],
  });
  let messages: BaseMessage[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const input = { messages: [...messages, new HumanMessage(ask(turn))] };
    if (turn % 2 === 0) messages = (await agent.invoke(input)).messages;
    else {
      for await (const state of await agent.stream(input, { streamMode: "values" }))
        messages = state.messages;
    }
    answers.push(messages.at(-1)!.text);
  }
  await server.close();
  expectLongRun({ server, events, modules, answers });
  expect(messages).toHaveLength(TURNS * 4);
});

const long = (turns: number) => [
  ...Array.from({ length: turns }, (_, turn) => [
    { role: "user", content: ask(turn) },
    { role: "assistant", content: moduleText(turn) },
  ]).flat(),
  { role: "user", content: ask(turns) },
];

test.each(names)("%s: the chunks of a stream are those of an unwrapped run", async (name) => {
  const server = await createAgentServer({
    window: 1_000_000,
    say: () => ({ text: "One port after the other.", calls: [] }),
  });
  const chunks = async (middleware: ReturnType<typeof pithLangChain>["middleware"][]) => {
    const agent = createAgent({ model: models[name](server), middleware });
    const list: unknown[] = [];
    for await (const [message] of await agent.stream({ messages: long(60) }, { streamMode: "messages" })) {
      const { content, type } = message as AIMessage;
      list.push({ content, type });
    }
    return list;
  };
  const [before, after] = [await chunks([]), await chunks([pithLangChain({ window: WINDOW }).middleware])];
  await server.close();
  expect(after).toEqual(before);
  expect(before.length).toBeGreaterThan(2);
  expect(server.requests[0]!.tokens).toBeGreaterThan(WINDOW);
  expect(server.requests[1]!.tokens).toBeLessThan(WINDOW);
});

test.each(names)("%s: refused for its size, compacted and sent once more", async (name) => {
  const server = await createAgentServer({ window: 9_000, say: () => ({ text: "Done.", calls: [] }) });
  const pith = pithLangChain({ window: 100_000 });
  const agent = createAgent({ model: models[name](server), middleware: [pith.middleware] });
  const { messages } = await agent.invoke({ messages: long(30) });
  await server.close();
  expect(messages.at(-1)!.text).toBe("Done.");
  expect(server.requests.map(({ said }) => said === "refused")).toEqual([true, false]);
});

test("messages that another middleware took out of a thread are found by recall", async () => {
  const server = await createAgentServer({ window: WINDOW, say: () => ({ text: "Done.", calls: [] }) });
  const pith = pithLangChain({ window: 100_000, archive: memoryArchive() });
  const agent = createAgent({ model: models["OpenAI chat"](server), middleware: [pith.middleware] });
  const thread = { configurable: { thread_id: "mine" } };
  await agent.invoke({ messages: long(20) }, thread);
  await agent.invoke(
    { messages: [{ role: "user", content: `Twenty modules were read. ${ask(21)}` }] },
    thread,
  );
  await server.close();
  const found = await pith.compactor.runTool(
    "recall_search",
    { query: "module-3:37" },
    { conversation: "mine" },
  );
  expect(found).toContain("module-3:");
});
