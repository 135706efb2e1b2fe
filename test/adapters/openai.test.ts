/** pith/openai through the real SDKs: chat, Responses and agents. */
import { Agent, type AgentInputItem, OpenAIResponsesModel, Runner, tool, user } from "@openai/agents";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Fetch } from "../../src/adapters/compacting-fetch.ts";
import { pithOpenAI } from "../../src/adapters/openai.ts";
import { memoryArchive } from "../../src/archive/memory.ts";
import { type AgentServer, ask, createAgentServer } from "./agent-server.ts";
import { WINDOW } from "./long-run.ts";
import {
  type AgentMeans,
  KEY,
  longHistory,
  moduleSchema,
  readModule,
  SYSTEM,
  type TestedAdapter,
  TOLD,
} from "./sdk-agent.ts";
import { testAdapter } from "./test-adapter.ts";

const clientOf = ({ url }: AgentServer, fetch?: Fetch) =>
  new OpenAI({ apiKey: KEY, baseURL: `${url}/v1`, maxRetries: 0, ...(fetch && { fetch }) });
const png = (picture: string) => `data:image/png;base64,${picture}`;
const definition = (means: AgentMeans) => ({
  name: "read_module",
  description: "Reads a module.",
  parameters: moduleSchema(means),
});

const chat: TestedAdapter = {
  name: "chat",
  create: (means) => {
    const { server, options, history = [], model = "gpt-5" } = means;
    const pith = options && pithOpenAI(options);
    const { completions } = clientOf(server, pith?.fetch).chat;
    const own = { ...definition(means), function: (given: string) => readModule(means, JSON.parse(given)) };
    const tools = [{ type: "function" as const, function: own }, ...(pith?.chatTools ?? [])];
    let messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "system", content: SYSTEM }, ...history];
    const bodyWith = (content: string | OpenAI.ChatCompletionContentPart[]) => ({
      model,
      tools,
      messages: [...messages, { role: "user" as const, content }],
    });
    const run = async (body: ReturnType<typeof bodyWith>, stream: boolean) => {
      const runner = stream ? completions.runTools({ ...body, stream }) : completions.runTools(body);
      const said = await runner.finalContent();
      messages = [...runner.messages];
      return said ?? "";
    };
    return {
      ask: (text, { stream } = { stream: false }) => run(bodyWith(text), stream),
      show: (pictures, text) => {
        const images = pictures.map((each) => ({
          type: "image_url" as const,
          image_url: { url: png(each) },
        }));
        return run(bodyWith([...images, { type: "text", text }]), false);
      },
      chunks: async (text) => {
        const list: unknown[] = [];
        const runner = completions.runTools({ ...bodyWith(text), stream: true });
        for await (const chunk of runner) list.push(chunk);
        return list;
      },
    };
  },
};

const inputImage = (picture: string) => ({
  type: "input_image" as const,
  detail: "auto" as const,
  image_url: png(picture),
});

const responses: TestedAdapter = {
  name: "responses",
  create: (means) => {
    const { server, options, history = [], model = "gpt-5" } = means;
    const pith = options && pithOpenAI(options);
    const client = clientOf(server, pith?.fetch);
    const own = { type: "function" as const, ...definition(means), strict: false };
    const input: OpenAI.Responses.ResponseInputItem[] = [...history];
    const body = () => ({
      model,
      instructions: SYSTEM,
      tools: [own, ...(pith?.responseTools ?? [])],
      input,
    });
    const run = async (content: string | OpenAI.Responses.ResponseInputContent[], stream: boolean) => {
      input.push({ role: "user", content });
      for (;;) {
        const { output, output_text } = stream
          ? await client.responses.stream(body()).finalResponse()
          : await client.responses.create(body());
        input.push(...(output as OpenAI.Responses.ResponseInputItem[]));
        const calls = output.flatMap((item) => (item.type === "function_call" ? [item] : []));
        if (calls.length === 0) return output_text;
        for (const { name, arguments: given, call_id } of calls) {
          const answer = await pith?.runTool(name, given);
          input.push({
            type: "function_call_output",
            call_id,
            output: answer ?? readModule(means, JSON.parse(given)),
          });
        }
      }
    };
    return {
      ask: (text, { stream } = { stream: false }) => run(text, stream),
      show: (pictures, text) => run([...pictures.map(inputImage), { type: "input_text", text }], false),
      chunks: async (text) => {
        const list: unknown[] = [];
        input.push({ role: "user", content: text });
        for await (const event of await client.responses.create({ ...body(), stream: true }))
          list.push(event);
        return list;
      },
    };
  },
};

/** By the input filter, for any model; or by the client's fetch. */
const agents = (door: "filter" | "fetch"): TestedAdapter => ({
  name: `agents by ${door}`,
  ...(door === "filter" && {
    gaps: {
      overflow: "the filter sees requests only",
      liveFill: "what the filter gives is kept in the Session, where a note would stay",
    },
  }),
  create: (means) => {
    const { server, options, history = [], model = "gpt-5", told = TOLD } = means;
    const pith = options && pithOpenAI(options);
    const own = tool({
      name: "read_module",
      description: "Reads a module.",
      parameters: z.object({ module: z.number().int().describe(told) }),
      execute: (given) => readModule(means, given),
    });
    const called = new OpenAIResponsesModel(
      clientOf(server, door === "fetch" ? pith?.fetch : undefined),
      model,
    );
    const agent = new Agent({
      name: "reader",
      instructions: SYSTEM,
      model: door === "filter" && pith ? pith.agentsModel(called) : called,
      tools: [own, ...(pith?.agentTools ?? [])],
    });
    const filter = door === "filter" && pith && { callModelInputFilter: pith.callModelInputFilter };
    const runner = new Runner({ tracingDisabled: true, ...filter });
    let items: AgentInputItem[] = history.map(({ role, content }) =>
      role === "user"
        ? user(content)
        : { role, status: "completed", content: [{ type: "output_text", text: content }] },
    );
    const say = async (item: AgentInputItem, stream: boolean) => {
      const input = [...items, item];
      const run = stream ? await runner.run(agent, input, { stream: true }) : await runner.run(agent, input);
      if ("completed" in run) await run.completed;
      items = run.history;
      return run.finalOutput ?? "";
    };
    return {
      ask: (text, { stream } = { stream: false }) => say(user(text), stream),
      show: (pictures, text) => {
        const images = pictures.map((each) => ({ type: "input_image" as const, image: png(each) }));
        return say(user([...images, { type: "input_text", text }]), false);
      },
      chunks: async (text) => {
        const list: unknown[] = [];
        const run = await runner.run(agent, [...items, user(text)], { stream: true });
        for await (const event of run) if (event.type === "raw_model_stream_event") list.push(event.data);
        return list;
      },
    };
  },
});

for (const adapter of [chat, responses, agents("filter"), agents("fetch")]) testAdapter(adapter);

const long = (turns: number): OpenAI.ChatCompletionMessageParam[] => [
  { role: "system", content: SYSTEM },
  ...longHistory(turns),
  { role: "user", content: ask(turns) },
];

test("a refusal of the second try comes through as the provider gave it", async () => {
  const tiny = await createAgentServer({ window: 10 });
  const refused = clientOf(tiny, pithOpenAI({ window: 100_000 }).fetch).chat.completions.create({
    model: "gpt-5",
    messages: long(30),
  });
  await expect(refused).rejects.toMatchObject({ status: 400, code: "context_length_exceeded" });
  expect(tiny.requests.length).toBeLessThanOrEqual(2);
  await tiny.close();
});

test("responses: a system prompt that changes with each turn is sent as it is", async () => {
  const server = await createAgentServer({ window: WINDOW });
  const { responses: api } = clientOf(server, pithOpenAI({ window: WINDOW }).fetch);
  const input = long(60).slice(1) as OpenAI.Responses.ResponseInputItem[];
  for (let day = 0; day < 3; day++) {
    await api.create({ model: "gpt-5", instructions: `Today is day ${day}.`, input });
    input.push({ role: "assistant", content: "Noted." }, { role: "user", content: ask(90 + day) });
  }
  await server.close();
  expect(server.requests.map(({ body }) => String(body.instructions).includes("Today is day"))).toEqual([
    true,
    true,
    true,
  ]);
  expect(server.requests[2]!.body.instructions).toContain("Today is day 2.");
});

test("between two compactions the sent prefix is the same, and other parameters come through as they are", async () => {
  const server = await createAgentServer({ window: WINDOW });
  const client = clientOf(server, pithOpenAI({ window: WINDOW }).fetch);
  const messages = long(60);
  for (let more = 0; more < 3; more++) {
    await client.chat.completions.create({ model: "gpt-5", seed: 7, metadata: { a: "b" }, messages });
    messages.push(
      { role: "assistant", content: `Noted ${more}.` },
      { role: "user", content: ask(90 + more) },
    );
  }
  await server.close();
  const sent = server.requests.map(({ body }) => body.messages as unknown[]);
  for (const later of sent.slice(1)) expect(later.slice(0, sent[0]!.length)).toEqual(sent[0]);
  expect(sent[2]).toHaveLength(sent[0]!.length + 4);
  for (const { body } of server.requests) expect(body).toMatchObject({ seed: 7, metadata: { a: "b" } });
});

test("what the provider compacts when it is asked to is archived first, and found by recall", async () => {
  const server = await createAgentServer({ window: WINDOW });
  const pith = pithOpenAI({ window: WINDOW, archive: memoryArchive() });
  const { responses: api } = clientOf(server, pith.fetch);
  const input = long(10).slice(1) as OpenAI.Responses.ResponseInputItem[];
  const { output } = await api.compact({ model: "gpt-5", input });
  const later = [...output, { role: "user", content: ask(11) }] as OpenAI.Responses.ResponseInputItem[];
  await api.create({ model: "gpt-5", input: later });
  await server.close();
  expect(server.requests[0]!.body.input).toEqual(later);
  expect(await pith.runTool("recall_search", { query: "module-3:37" })).toContain("module-3:");
});

test("a compaction item of the provider stays, what it hides is archived, and the hand-off stands behind it", async () => {
  const server = await createAgentServer({ window: WINDOW });
  const archive = memoryArchive();
  const pith = pithOpenAI({ window: WINDOW, archive, conversationId: "c" });
  const said = long(60).slice(1) as OpenAI.Responses.EasyInputMessage[];
  const compaction = { type: "compaction", id: "cmp_1", encrypted_content: "sealed" } as const;
  const input = [...said.slice(0, 20), compaction, ...said.slice(20)] as OpenAI.Responses.ResponseInputItem[];
  await clientOf(server, pith.fetch).responses.create({ model: "gpt-5", input });
  await server.close();
  const sent = server.requests[0]!.body.input as Record<string, unknown>[];
  expect(sent[0]).toEqual(compaction);
  expect(JSON.stringify(sent[1])).toContain("[Pith hand-off]");
  expect(server.requests[0]!.tokens).toBeLessThan(WINDOW);
  expect(await pith.runTool("recall_search", { query: "module-3:37" })).toContain("module-3:");
});
