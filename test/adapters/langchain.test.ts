/** pith/langchain through the real SDK: agents of createAgent, with two providers. */
import { ChatAnthropic } from "@langchain/anthropic";
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent, createMiddleware } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { pithLangChain } from "../../src/adapters/langchain.ts";
import { memoryArchive } from "../../src/archive/memory.ts";
import { type AgentServer, ask, createAgentServer } from "./agent-server.ts";
import { WINDOW } from "./long-run.ts";
import { KEY, longHistory, readModule, SYSTEM, type TestedAdapter, TOLD } from "./sdk-agent.ts";
import { testAdapter } from "./test-adapter.ts";

const models = {
  "OpenAI chat": ({ url }: AgentServer, model = "gpt-5") =>
    new ChatOpenAI({
      model,
      apiKey: KEY,
      maxRetries: 0,
      useResponsesApi: false,
      configuration: { baseURL: `${url}/v1` },
    }),
  // Without data retention thinking is sent back, sealed.
  "OpenAI responses": ({ url }: AgentServer, model = "gpt-5") =>
    new ChatOpenAI({
      model,
      apiKey: KEY,
      maxRetries: 0,
      useResponsesApi: true,
      zdrEnabled: true,
      configuration: { baseURL: `${url}/v1` },
    }),
  Anthropic: ({ url }: AgentServer, model = "claude-opus-4-1") =>
    new ChatAnthropic({ model, apiKey: KEY, maxRetries: 0, anthropicApiUrl: url }),
};

const tested = (provider: keyof typeof models): TestedAdapter => ({
  name: provider,
  create: (means) => {
    const { server, options, history = [], model, told = TOLD } = means;
    const reader = tool((given: { module: number }) => readModule(means, given), {
      name: "read_module",
      description: "Reads a module.",
      schema: z.object({ module: z.number().int().describe(told) }),
    });
    const agent = createAgent({
      model: models[provider](server, model),
      tools: [reader],
      systemPrompt: SYSTEM,
      middleware: options ? [pithLangChain(options).middleware] : [],
    });
    let messages: (BaseMessage | (typeof history)[number])[] = [...history];
    const inputWith = (text: string) => ({
      messages: [...messages, new HumanMessage(text)] as BaseMessage[],
    });
    const image = (picture: string) => ({
      type: "image_url",
      image_url: { url: `data:image/png;base64,${picture}` },
    });
    return {
      ask: async (text, { stream } = { stream: false }) => {
        let said: BaseMessage[] = [];
        if (!stream) said = (await agent.invoke(inputWith(text))).messages;
        else
          for await (const state of await agent.stream(inputWith(text), { streamMode: "values" }))
            said = state.messages;
        messages = said;
        return said.at(-1)!.text;
      },
      show: async (pictures, text) => {
        const shown = new HumanMessage({ content: [...pictures.map(image), { type: "text", text }] });
        const said = await agent.invoke({ messages: [...messages, shown] as BaseMessage[] });
        return said.messages.at(-1)!.text;
      },
      chunks: async (text) => {
        const list: unknown[] = [];
        const stream = await agent.stream(inputWith(text), { streamMode: "messages" });
        for await (const [message] of stream) list.push(message.toDict());
        return list;
      },
    };
  },
});

testAdapter(tested("OpenAI chat"));
testAdapter(tested("OpenAI responses"));
testAdapter(tested("Anthropic"));

/** As LangChain's own middleware for summaries begins. */
const SUMMARIZED = "Here is a summary of the conversation to date:";

test("messages that another middleware took out of a thread are found by recall", async () => {
  const server = await createAgentServer({ window: WINDOW, say: () => ({ text: "Done.", calls: [] }) });
  const pith = pithLangChain({ window: 100_000, archive: memoryArchive() });
  const agent = createAgent({ model: models["OpenAI chat"](server), middleware: [pith.middleware] });
  const thread = { configurable: { thread_id: "mine" } };
  await agent.invoke({ messages: longHistory(20) as never }, thread);
  await agent.invoke(
    { messages: [{ role: "user", content: `${SUMMARIZED}\n\nTwenty modules were read. ${ask(21)}` }] },
    thread,
  );
  await server.close();
  const search = pith.tools.find(({ name }) => name === "recall_search")!;
  const found = await search.invoke({ query: "module-3:37" }, thread);
  expect(found).toContain("module-3:");
});

test("what shapes the agent's answers does not shape a summary of its own model", async () => {
  const server = await createAgentServer({
    window: 24_000,
    say: () => ({ text: "Done.", calls: [] }),
    aside: { say: "The modules were read." },
  });
  const shaping = { stop: ["done"], response_format: { type: "json_object" as const } };
  const shaped = createMiddleware({
    name: "shaped",
    wrapModelCall: (request, handler) => handler({ ...request, modelSettings: shaping }),
  });
  const pith = pithLangChain({ window: 24_000, archive: memoryArchive(), summarizer: "same" });
  const agent = createAgent({ model: models["OpenAI chat"](server), middleware: [shaped, pith.middleware] });
  const isAside = ({ said }: (typeof server.requests)[number]) => said === "aside";
  for (let turns = 10; turns < 60 && !server.requests.some(isAside); turns++)
    await agent.invoke({ messages: [...longHistory(turns), { role: "user", content: ask(turns) }] as never });
  await server.close();
  expect(server.requests[0]!.body).toMatchObject(shaping);
  const { body } = server.requests.find(isAside)!;
  expect([body.stop, body.response_format]).toEqual([undefined, undefined]);
});
