/** pith/mastra through the real SDK: agents with the processor, with two providers. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import type { ModelMessage } from "ai";
import { z } from "zod";
import { pithMastra } from "../../src/adapters/mastra.ts";
import type { AgentServer } from "./agent-server.ts";
import { KEY, readModule, SYSTEM, type TestedAdapter, TOLD } from "./sdk-agent.ts";
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
    const { server, options, history = [], model, told = TOLD } = means;
    const pith = options && pithMastra(options);
    const read_module = createTool({
      id: "read_module",
      description: "Reads a module.",
      inputSchema: z.object({ module: z.number().int().describe(told) }),
      execute: async (given) => readModule(means, given),
    });
    const agent = new Agent({
      id: "reader",
      name: "reader",
      instructions: SYSTEM,
      model: models[provider](server, model),
      tools: { read_module, ...pith?.tools },
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

testAdapter(tested("OpenAI chat"));
testAdapter(tested("Anthropic"));
