/** pith/mastra through the real SDK: agents with the processor, with two providers. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { Agent } from "@mastra/core/agent";
import { MockMemory } from "@mastra/core/memory";
import { createTool } from "@mastra/core/tools";
import type { ModelMessage } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { pithMastra } from "../../src/adapters/mastra.ts";
import { memoryArchive } from "../../src/archive/memory.ts";
import { type AgentServer, ask, createAgentServer, portOf } from "./agent-server.ts";
import { type AgentMeans, KEY, readModule, SYSTEM, type TestedAdapter, TOLD } from "./sdk-agent.ts";
import { testAdapter } from "./test-adapter.ts";

const models = {
  "OpenAI chat": ({ url }: AgentServer, model = "gpt-5") =>
    createOpenAI({ apiKey: KEY, baseURL: `${url}/v1` }).chat(model) as never,
  Anthropic: ({ url }: AgentServer, model = "claude-opus-4-1") =>
    createAnthropic({ apiKey: KEY, baseURL: `${url}/v1` })(model) as never,
};

const tested = (provider: keyof typeof models): TestedAdapter => ({
  name: provider,
  momentary: [
    "runId",
    "request",
    "response",
    "timestamp",
    "createdAt",
    "startedAt",
    "id",
    "messageId",
    "metadata",
  ],
  create: (means) => {
    const { server, options, history = [], model } = means;
    const pith = options && pithMastra(options);
    const agent = new Agent({
      id: "reader",
      name: "reader",
      instructions: SYSTEM,
      model: models[provider](server, model),
      tools: { read_module: moduleTool(means), ...pith?.tools },
      ...(pith && { inputProcessors: [pith.processor], errorProcessors: [pith.processor] }),
    });
    const messages: ModelMessage[] = [...history];
    const inputWith = (text: string, pictures: readonly string[] = []) => {
      const images = pictures.map((data) => ({ type: "file" as const, mediaType: "image/png", data }));
      messages.push({ role: "user", content: [...images, { type: "text", text }] });
      return [...messages] as never;
    };
    return {
      ask: async (text, { stream } = { stream: false }) => {
        const result = stream ? await agent.stream(inputWith(text)) : await agent.generate(inputWith(text));
        const said = await result.text;
        messages.push(...((await result.response).messages as ModelMessage[]));
        return said;
      },
      show: async (pictures, text) => (await agent.generate(inputWith(text, pictures))).text,
      chunks: async (text) => {
        const list: unknown[] = [];
        for await (const chunk of (await agent.stream(inputWith(text))).fullStream) list.push(chunk);
        return list;
      },
    };
  },
});

const moduleTool = (means: AgentMeans) =>
  createTool({
    id: "read_module",
    description: "Reads a module.",
    inputSchema: z.object({
      module: z
        .number()
        .int()
        .describe(means.told ?? TOLD),
    }),
    execute: async (given) => readModule(means, given),
  });

testAdapter(tested("OpenAI chat"));
testAdapter(tested("Anthropic"));

test("with Memory, the agent's recall finds what its own thread has, and nothing of another's", async () => {
  const server = await createAgentServer({
    window: 8_000,
    say: ({ messages }) => {
      const last = lastOf(messages);
      const module = [...JSON.stringify(last).matchAll(/Recall module (\d+)/g)].at(-1)?.[1];
      if (last.role !== "user" || module === undefined) return undefined;
      const query = JSON.stringify({ query: `port of module-${module}` });
      return { text: "", calls: [{ id: `recall_${module}`, name: "recall_search", arguments: query }] };
    },
  });
  const pith = pithMastra({ window: 8_000, archive: memoryArchive() });
  const agent = new Agent({
    id: "reader",
    name: "reader",
    instructions: SYSTEM,
    model: models["OpenAI chat"](server),
    tools: { read_module: moduleTool({ server }), ...pith.tools },
    memory: new MockMemory({ options: { lastMessages: 1_000 } }),
    inputProcessors: [pith.processor],
  });
  const asks = (user: string, text: string) =>
    agent.generate(text, { memory: { thread: `thread of ${user}`, resource: user } });
  const recalls = async (user: string, module: number): Promise<string> => {
    await asks(user, `Recall module ${module}.`);
    return JSON.stringify(lastOf(server.requests.at(-1)!.body.messages));
  };
  for (let turn = 0; turn < 15; turn++) {
    await asks("ana", ask(turn));
    await asks("bo", ask(100 + turn));
  }
  for (const module of [0, 1, 2]) {
    expect(await recalls("ana", module)).toContain(String(portOf(module)));
    expect(await recalls("bo", 100 + module)).toContain(String(portOf(100 + module)));
    expect(await recalls("ana", 100 + module)).not.toContain(String(portOf(100 + module)));
  }
  await server.close();
});

const lastOf = (messages: unknown) => (messages as readonly { readonly role: string }[]).at(-1)!;
