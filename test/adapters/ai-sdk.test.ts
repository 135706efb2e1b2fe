/** pith/ai-sdk through the real SDK, with two providers. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import {
  generateText,
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  streamText,
  tool,
  wrapLanguageModel,
} from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { pithAiSdk } from "../../src/adapters/ai-sdk.ts";
import { type AgentServer, ask, createAgentServer, moduleText } from "./agent-server.ts";
import { WINDOW } from "./long-run.ts";
import { KEY, longHistory, readModule, SYSTEM, type TestedAdapter, TOLD } from "./sdk-agent.ts";
import { testAdapter } from "./test-adapter.ts";

const models = {
  "OpenAI chat": ({ url }: AgentServer, model = "gpt-5") =>
    createOpenAI({ apiKey: KEY, baseURL: `${url}/v1` }).chat(model),
  "OpenAI responses": ({ url }: AgentServer, model = "gpt-5") =>
    createOpenAI({ apiKey: KEY, baseURL: `${url}/v1` }).responses(model),
  Anthropic: ({ url }: AgentServer, model = "claude-opus-4-1") =>
    createAnthropic({ apiKey: KEY, baseURL: `${url}/v1` })(model),
};
const names = Object.keys(models) as (keyof typeof models)[];

const wrapped = (model: LanguageModel, { middleware }: ReturnType<typeof pithAiSdk>) =>
  wrapLanguageModel({ model: model as Parameters<typeof wrapLanguageModel>[0]["model"], middleware });

const tested = (provider: keyof typeof models, door: "middleware" | "prepareStep"): TestedAdapter => ({
  name: `${provider} by ${door}`,
  momentary: ["request", "response", "timestamp", "id", "messageId", "performance"],
  create: (means) => {
    const { server, options, history = [], model, told = TOLD } = means;
    const pith = options && pithAiSdk(options);
    const plain = models[provider](server, model);
    const read_module = tool({
      description: "Reads a module.",
      inputSchema: z.object({ module: z.number().int().describe(told) }),
      execute: async (given) => readModule(means, given),
    });
    const messages: ModelMessage[] = [...history];
    const call = (text: string, pictures: readonly string[] = []) => {
      const images = pictures.map((data) => ({ type: "file" as const, mediaType: "image/png", data }));
      messages.push({ role: "user", content: [...images, { type: "text", text }] });
      return {
        model: pith && door === "middleware" ? wrapped(plain, pith) : plain,
        ...(pith && door === "prepareStep" && { prepareStep: pith.prepareStep }),
        instructions: SYSTEM,
        tools: { read_module, ...pith?.tools },
        stopWhen: isStepCount(5),
        messages: [...messages],
        maxRetries: 0,
        // The server keeps nothing: thinking is sent back, sealed.
        providerOptions: { openai: { store: false } },
      };
    };
    return {
      ask: async (text, { stream } = { stream: false }) => {
        const result = stream ? streamText(call(text)) : await generateText(call(text));
        if ("consumeStream" in result) await result.consumeStream();
        messages.push(...(await result.responseMessages));
        return result.text;
      },
      show: async (pictures, text) => (await generateText(call(text, pictures))).text,
      chunks: async (text) => {
        const list: unknown[] = [];
        for await (const part of streamText(call(text)).stream) list.push(part);
        return list;
      },
    };
  },
});

for (const name of names) testAdapter(tested(name, "middleware"));
testAdapter(tested("OpenAI chat", "prepareStep"));
testAdapter(tested("OpenAI responses", "prepareStep"));

test("the provider's options of messages and of the call come through", async () => {
  const server = await createAgentServer({ window: WINDOW });
  const model = wrapped(models.Anthropic(server), pithAiSdk({ window: WINDOW }));
  const cached = { anthropic: { cacheControl: { type: "ephemeral" } } };
  await generateText({
    model,
    messages: [
      ...longHistory(60),
      { role: "user", content: [{ type: "text", text: ask(60) }], providerOptions: cached },
    ],
    providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens: 1_500 } } },
  });
  await server.close();
  const [{ body, tokens }] = server.requests as [AgentServer["requests"][number]];
  expect(tokens).toBeLessThan(WINDOW);
  expect(JSON.stringify(body.messages)).toContain("cache_control");
  expect(body.thinking).toMatchObject({ budget_tokens: 1_500 });
});

test("a step whose model is only a name has its messages compacted, its instructions counted", async () => {
  const { prepareStep } = pithAiSdk({ window: WINDOW });
  const messages: ModelMessage[] = [...longHistory(12), { role: "user", content: ask(12) }];
  const short = await prepareStep({ messages, model: "openai/gpt-5", instructions: SYSTEM });
  expect(short).toEqual({ messages });
  const long = await prepareStep({ messages, model: "openai/gpt-5", instructions: moduleText(1).repeat(8) });
  expect(long.messages!.length).toBeLessThan(messages.length);
  expect(long.messages!.map(({ role }) => role)).not.toContain("system");
});

test("an ask that is text until the cache mark is on it is the same ask in the next step", async () => {
  let compactions = 0;
  const { prepareStep } = pithAiSdk({
    window: WINDOW,
    onEvent: (event) => {
      if (event.type === "compaction-end" && event.report.compacted) compactions++;
    },
  });
  const cached = { anthropic: { cacheControl: { type: "ephemeral" } } };
  const step = (said: readonly ModelMessage[], text: string) => {
    const content = [{ type: "text" as const, text, providerOptions: cached }];
    return prepareStep({
      messages: [...said, { role: "user", content }],
      model: "anthropic/claude-opus-4-1",
    });
  };
  const first = await step(longHistory(40), ask(40));
  const second = await step(
    [...longHistory(40), { role: "user", content: ask(40) }, { role: "assistant", content: "Done." }],
    ask(41),
  );
  expect(compactions).toBe(1);
  expect(second.messages!.slice(0, first.messages!.length - 1)).toEqual(first.messages!.slice(0, -1));
});
