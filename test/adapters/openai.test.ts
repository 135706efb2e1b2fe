/** pith/openai through the real SDKs: chat, Responses and agents. */
import { Agent, type AgentInputItem, OpenAIResponsesModel, Runner, tool, user } from "@openai/agents";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Fetch } from "../../src/adapters/compacting-fetch.ts";
import { pithOpenAI } from "../../src/adapters/openai.ts";
import { memoryArchive } from "../../src/archive/memory.ts";
import type { CompactionEvent } from "../../src/index.ts";
import { type AgentServer, ask, createAgentServer, moduleText } from "./agent-server.ts";
import { expectLongRun, TURNS, WINDOW } from "./long-run.ts";

const clientOf = ({ url }: AgentServer, fetch?: Fetch) =>
  new OpenAI({ apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0, ...(fetch && { fetch }) });

const parameters = { type: "object", properties: { module: { type: "integer" } }, required: ["module"] };
const readModule = (modules: number[]) => (given: string) => {
  const { module } = JSON.parse(given) as { module: number };
  modules.push(module);
  return moduleText(module);
};

test("chat: 200 turns of the SDK's tool runner, streamed every other turn", async () => {
  const server = await createAgentServer({ window: WINDOW });
  const events: CompactionEvent[] = [];
  const pith = pithOpenAI({
    window: WINDOW,
    archive: memoryArchive(),
    onEvent: (event) => events.push(event),
  });
  const client = clientOf(server, pith.fetch);
  const modules: number[] = [];
  const answers: string[] = [];
  const own = {
    type: "function" as const,
    function: {
      name: "read_module",
      description: "Reads a module.",
      parameters,
      function: readModule(modules),
    },
  };
  let messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: "system", content: "You are a careful agent." },
  ];
  for (let turn = 0; turn < TURNS; turn++) {
    const body = {
      model: "gpt-5",
      tools: [own, ...pith.chatTools],
      messages: [...messages, { role: "user" as const, content: ask(turn) }],
    };
    const { completions } = client.chat;
    const runner =
      turn % 2 === 0 ? completions.runTools(body) : completions.runTools({ ...body, stream: true });
    answers.push((await runner.finalContent()) ?? "");
    messages = [...runner.messages];
  }
  await server.close();
  expectLongRun({ server, events, modules, answers });
  expect(messages.length).toBe(1 + TURNS * 4);
});

test("responses: 200 turns, the whole history resent, streamed every other turn", async () => {
  const server = await createAgentServer({ window: WINDOW });
  const events: CompactionEvent[] = [];
  const pith = pithOpenAI({
    window: WINDOW,
    archive: memoryArchive(),
    onEvent: (event) => events.push(event),
  });
  const client = clientOf(server, pith.fetch);
  const modules: number[] = [];
  const answers: string[] = [];
  const own = {
    type: "function" as const,
    name: "read_module",
    description: "Reads a module.",
    parameters,
    strict: false,
  };
  const input: OpenAI.Responses.ResponseInputItem[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    input.push({ role: "user", content: ask(turn) });
    for (;;) {
      const body = {
        model: "gpt-5",
        instructions: `You are a careful agent. Today is day ${turn}.`,
        tools: [own, ...pith.responseTools],
        input,
      };
      const answer =
        turn % 2 === 0
          ? await client.responses.create(body)
          : await client.responses.stream(body).finalResponse();
      input.push(...(answer.output as OpenAI.Responses.ResponseInputItem[]));
      const calls = answer.output.flatMap((item) => (item.type === "function_call" ? [item] : []));
      for (const { name, arguments: given, call_id } of calls) {
        const output = (await pith.compactor.runTool(name, given)) ?? readModule(modules)(given);
        input.push({ type: "function_call_output", call_id, output });
      }
      if (calls.length > 0) continue;
      answers.push(answer.output_text);
      break;
    }
  }
  await server.close();
  expectLongRun({ server, events, modules, answers });
  // A system prompt that changes with each turn is sent as it is.
  for (const { body } of server.requests) expect(body.instructions).toContain("Today is day");
  expect(server.requests.at(-1)!.body.instructions).toContain(`Today is day ${TURNS - 1}.`);
});

test("agents: 200 turns of the SDK's runner with the input filter", async () => {
  const server = await createAgentServer({ window: WINDOW });
  const events: CompactionEvent[] = [];
  const pith = pithOpenAI({
    window: WINDOW,
    archive: memoryArchive(),
    onEvent: (event) => events.push(event),
  });
  const modules: number[] = [];
  const answers: string[] = [];
  const agent = new Agent({
    name: "reader",
    instructions: "You are a careful agent.",
    model: new OpenAIResponsesModel(clientOf(server), "gpt-5"),
    tools: [
      tool({
        name: "read_module",
        description: "Reads a module.",
        parameters: z.object({ module: z.number().int() }),
        execute: ({ module }) => {
          modules.push(module);
          return moduleText(module);
        },
      }),
      ...pith.agentTools,
    ],
  });
  const runner = new Runner({ tracingDisabled: true, callModelInputFilter: pith.callModelInputFilter });
  let history: AgentInputItem[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const input = [...history, user(ask(turn))];
    const stream = turn % 2 === 1;
    if (stream) {
      const run = await runner.run(agent, input, { stream });
      await run.completed;
      answers.push(run.finalOutput ?? "");
      history = run.history;
    } else {
      const run = await runner.run(agent, input);
      answers.push(run.finalOutput ?? "");
      history = run.history;
    }
  }
  await server.close();
  expectLongRun({ server, events, modules, answers });
});

const long = (turns: number): OpenAI.ChatCompletionMessageParam[] => [
  { role: "system", content: "You are a careful agent." },
  ...Array.from({ length: turns }, (_, turn): OpenAI.ChatCompletionMessageParam[] => [
    { role: "user", content: ask(turn) },
    { role: "assistant", content: moduleText(turn) },
  ]).flat(),
  { role: "user", content: ask(turns) },
];

test("the chunks of a stream are those of an unwrapped run, compacted or not", async () => {
  const server = await createAgentServer({
    window: 1_000_000,
    say: () => ({
      text: "One port after the other.",
      calls: [{ id: "c", name: "read_module", arguments: "{}" }],
    }),
  });
  const pith = pithOpenAI({ window: WINDOW });
  const chunks = async (fetch?: Fetch) => {
    const stream = await clientOf(server, fetch).chat.completions.create({
      model: "gpt-5",
      stream: true,
      messages: long(60),
    });
    const list: unknown[] = [];
    for await (const { id: _id, ...chunk } of stream) list.push(chunk);
    return list;
  };
  const [plain, wrapped] = [await chunks(), await chunks(pith.fetch)];
  await server.close();
  expect(wrapped).toEqual(plain);
  expect(plain.length).toBeGreaterThan(5);
  const [before, after] = server.requests;
  expect(before!.tokens).toBeGreaterThan(WINDOW);
  expect(after!.tokens).toBeLessThan(WINDOW);
});

test("a request that the provider refuses for its size is compacted and sent once more; a refusal of that comes through", async () => {
  const server = await createAgentServer({ window: 9_000 });
  const pith = pithOpenAI({ window: 100_000 });
  const client = clientOf(server, pith.fetch);
  const answer = await client.chat.completions.create({ model: "gpt-5", messages: long(30) });
  expect(answer.choices[0]!.message.tool_calls).toHaveLength(1);
  expect(server.requests.map(({ said }) => said === "refused")).toEqual([true, false]);
  const tiny = await createAgentServer({ window: 10 });
  const refused = clientOf(tiny, pithOpenAI({ window: 100_000 }).fetch).chat.completions.create({
    model: "gpt-5",
    messages: long(30),
  });
  await expect(refused).rejects.toMatchObject({ status: 400, code: "context_length_exceeded" });
  expect(tiny.requests.length).toBeLessThanOrEqual(2);
  await server.close();
  await tiny.close();
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

test("a compaction item of the provider stays, what it hides is archived, and the hand-off stands behind it", async () => {
  const server = await createAgentServer({ window: WINDOW });
  const archive = memoryArchive();
  const pith = pithOpenAI({ window: WINDOW, archive, conversation: "c" });
  const said = long(60).slice(1) as OpenAI.Responses.EasyInputMessage[];
  const compaction = { type: "compaction", id: "cmp_1", encrypted_content: "sealed" } as const;
  const input = [...said.slice(0, 20), compaction, ...said.slice(20)] as OpenAI.Responses.ResponseInputItem[];
  await clientOf(server, pith.fetch).responses.create({ model: "gpt-5", input });
  await server.close();
  const sent = server.requests[0]!.body.input as Record<string, unknown>[];
  expect(sent[0]).toEqual(compaction);
  expect(JSON.stringify(sent[1])).toContain("[Pith hand-off]");
  expect(server.requests[0]!.tokens).toBeLessThan(WINDOW);
  expect(await pith.compactor.runTool("recall_search", { query: "module-3:37" })).toContain("module-3:");
});

test("the model asks for a compaction by compress_context, and the next request of the runner is smaller", async () => {
  const calls = [{ id: "c", name: "compress_context", arguments: '{"reason":"The modules are read."}' }];
  const server = await createAgentServer({
    window: 100_000,
    say: (_body, index) => (index === 0 ? { text: "", calls } : { text: "Done.", calls: [] }),
  });
  const pith = pithOpenAI({ window: 40_000, preset: "synthorg-agent" });
  const tools = [...pith.chatTools];
  const runner = clientOf(server, pith.fetch).chat.completions.runTools({
    model: "gpt-5",
    tools,
    messages: long(30),
  });
  expect(await runner.finalContent()).toBe("Done.");
  await server.close();
  const [first, second] = server.requests;
  expect(second!.tokens).toBeLessThan(first!.tokens);
  expect(second!.faults).toEqual([]);
});
