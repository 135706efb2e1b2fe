/** pith/mastra through the real SDK: agents with the processor, with two providers. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import type { ModelMessage } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { pithMastra } from "../../src/adapters/mastra.ts";
import { memoryArchive } from "../../src/archive/memory.ts";
import type { CompactionEvent } from "../../src/index.ts";
import { type AgentServer, ask, createAgentServer, moduleText } from "./agent-server.ts";
import { expectLongRun, TURNS, WINDOW } from "./long-run.ts";

const models = {
  "OpenAI chat": ({ url }: AgentServer) =>
    createOpenAI({ apiKey: "none", baseURL: `${url}/v1` }).chat("gpt-5") as never,
  Anthropic: ({ url }: AgentServer) =>
    createAnthropic({ apiKey: "none", baseURL: `${url}/v1` })("claude-opus-4-1") as never,
};
const names = Object.keys(models) as (keyof typeof models)[];
const about = { id: "reader", name: "reader", instructions: "You are a careful agent." };

test.each(names)("%s: 200 turns of an agent, streamed every other turn", async (name) => {
  const server = await createAgentServer({ window: WINDOW });
  const events: CompactionEvent[] = [];
  const pith = pithMastra({
    window: WINDOW,
    archive: memoryArchive(),
    onEvent: (event) => events.push(event),
  });
  const modules: number[] = [];
  const answers: string[] = [];
  const read_module = createTool({
    id: "read_module",
    description: "Reads a module.",
    inputSchema: z.object({ module: z.number().int() }),
    execute: async ({ module }) => {
      modules.push(module);
      return moduleText(module);
    },
  });
  const agent = new Agent({
    ...about,
    model: models[name](server),
    tools: { read_module, ...pith.tools },
    inputProcessors: [pith.processor],
  });
  const messages: ModelMessage[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    messages.push({ role: "user", content: ask(turn) });
    if (turn % 2 === 0) {
      const { text, response } = await agent.generate([...messages] as never);
      answers.push(text);
      messages.push(...(response.messages as ModelMessage[]));
    } else {
      const stream = await agent.stream([...messages] as never);
      answers.push(await stream.text);
      messages.push(...((await stream.response).messages as ModelMessage[]));
    }
  }
  await server.close();
  expectLongRun({ server, events, modules, answers });
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
  const chunks = async (inputProcessors: ReturnType<typeof pithMastra>["processor"][]) => {
    const agent = new Agent({ ...about, model: models[name](server), inputProcessors });
    const list: unknown[] = [];
    for await (const text of (await agent.stream(long(60) as never)).textStream) list.push(text);
    return list;
  };
  const [before, after] = [await chunks([]), await chunks([pithMastra({ window: WINDOW }).processor])];
  await server.close();
  expect(after).toEqual(before);
  expect(before.length).toBeGreaterThan(1);
  expect(server.requests[0]!.tokens).toBeGreaterThan(WINDOW);
  expect(server.requests[1]!.tokens).toBeLessThan(WINDOW);
});

test.each(names)("%s: refused for its size, compacted and sent once more", async (name) => {
  const server = await createAgentServer({ window: 9_000, say: () => ({ text: "Done.", calls: [] }) });
  const pith = pithMastra({ window: 100_000 });
  const agent = new Agent({
    ...about,
    model: models[name](server),
    inputProcessors: [pith.processor],
    errorProcessors: [pith.processor],
  });
  const { text } = await agent.generate(long(30) as never);
  await server.close();
  expect(text).toBe("Done.");
  expect(server.requests.map(({ said }) => said === "refused")).toEqual([true, false]);
});
