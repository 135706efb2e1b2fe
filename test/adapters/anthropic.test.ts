/** pith/anthropic through the real SDK: messages, streams, the tool runner, and the provider's own compaction. */
import Anthropic from "@anthropic-ai/sdk";
import { expect, test } from "vitest";
import { pithAnthropic } from "../../src/adapters/anthropic.ts";
import type { Fetch } from "../../src/adapters/compacting-fetch.ts";
import { memoryArchive } from "../../src/archive/memory.ts";
import type { CompactionEvent } from "../../src/index.ts";
import { type AgentServer, ask, createAgentServer, moduleText } from "./agent-server.ts";
import { expectLongRun, TURNS, WINDOW } from "./long-run.ts";

type Param = Anthropic.Beta.BetaMessageParam;
type Block = Anthropic.Beta.BetaContentBlockParam;

const clientOf = ({ url }: AgentServer, fetch?: Fetch) =>
  new Anthropic({ apiKey: "none", baseURL: url, maxRetries: 0, ...(fetch && { fetch }) });
const request = { model: "claude-opus-4-1", max_tokens: 1_000, system: "You are a careful agent." };
const schema = { type: "object" as const, properties: { module: { type: "integer" } }, required: ["module"] };

test("200 turns of the SDK's tool runner, streamed every other turn, with a cache mark that moves", async () => {
  const server = await createAgentServer({ window: WINDOW });
  const events: CompactionEvent[] = [];
  const pith = pithAnthropic({
    window: WINDOW,
    archive: memoryArchive(),
    onEvent: (event) => events.push(event),
  });
  const client = clientOf(server, pith.fetch);
  const modules: number[] = [];
  const answers: string[] = [];
  const own = {
    name: "read_module",
    description: "Reads a module.",
    input_schema: schema,
    parse: (given: unknown) => given as { module: number },
    run: ({ module }: { module: number }) => {
      modules.push(module);
      return moduleText(module);
    },
  };
  let messages: Param[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const marked: Block = { type: "text", text: ask(turn), cache_control: { type: "ephemeral" } };
    const body = {
      ...request,
      thread: false as const,
      tools: [own, ...pith.tools],
      messages: [...messages, { role: "user" as const, content: [marked] }],
    };
    if (turn % 2 === 0) {
      const runner = client.beta.messages.toolRunner(body);
      answers.push(textOf((await runner.runUntilDone()).content));
      messages = runner.params.messages;
    } else {
      const runner = client.beta.messages.toolRunner({ ...body, stream: true });
      let last: Anthropic.Beta.BetaMessage | undefined;
      for await (const stream of runner) last = await stream.finalMessage();
      answers.push(textOf(last!.content));
      messages = runner.params.messages;
    }
    messages = messages.map(unmarked);
    if (messages.at(-1)?.role === "user") throw new Error("the runner keeps its last answer");
  }
  await server.close();
  expectLongRun({ server, events, modules, answers });
  for (const { body } of server.requests) {
    expect(JSON.stringify(body).split("cache_control").length - 1).toBe(1);
  }
});

const textOf = (content: readonly { readonly type: string; readonly text?: string }[]) =>
  content.map(({ text = "" }) => text).join("");
const unmarked = (message: Param): Param =>
  !Array.isArray(message.content)
    ? message
    : ({
        ...message,
        content: message.content.map((block) => {
          const { cache_control: _mark, ...rest } = block as Block & { cache_control?: unknown };
          return rest as Block;
        }),
      } as Param);

const long = (turns: number): Param[] => [
  ...Array.from({ length: turns }, (_, turn): Param[] => [
    { role: "user", content: ask(turn) },
    { role: "assistant", content: moduleText(turn) },
  ]).flat(),
  { role: "user", content: ask(turns) },
];

test("the events of a stream are those of an unwrapped run, compacted or not; headers and options come through", async () => {
  const server = await createAgentServer({
    window: 1_000_000,
    say: () => ({
      text: "One port after the other.",
      calls: [{ id: "c", name: "read_module", arguments: "{}" }],
    }),
  });
  const events = async (fetch?: Fetch) => {
    const stream = await clientOf(server, fetch).beta.messages.create({
      ...request,
      betas: ["context-management-2025-06-27"],
      context_management: { edits: [{ type: "clear_tool_uses_20250919" }] },
      thinking: { type: "enabled", budget_tokens: 1_024 },
      max_tokens: 2_000,
      stream: true,
      messages: long(60),
    });
    const list: unknown[] = [];
    for await (const event of stream) list.push(event);
    return JSON.parse(JSON.stringify(list).replace(/"answer_\d+"/g, '"answer"'));
  };
  const [plain, wrapped] = [await events(), await events(pithAnthropic({ window: WINDOW }).fetch)];
  await server.close();
  expect(wrapped).toEqual(plain);
  expect(plain.length).toBeGreaterThan(8);
  const [before, after] = server.requests;
  expect(after!.tokens).toBeLessThan(WINDOW);
  const { messages: _before, ...options } = before!.body;
  expect(after!.body).toMatchObject(options);
  expect(after!.headers["anthropic-beta"]).toBe(before!.headers["anthropic-beta"]);
});

test("a request that the provider refuses for its size is compacted and sent once more", async () => {
  const server = await createAgentServer({ window: 9_000 });
  const client = clientOf(server, pithAnthropic({ window: 100_000 }).fetch);
  const answer = await client.messages.create({ ...request, messages: long(30) as Anthropic.MessageParam[] });
  await server.close();
  expect(answer.stop_reason).toBe("tool_use");
  expect(server.requests.map(({ said }) => said === "refused")).toEqual([true, false]);
});

test("a compaction block of the provider stays as it is, what it hides is archived, and the hand-off stands behind it", async () => {
  const server = await createAgentServer({ window: WINDOW });
  const pith = pithAnthropic({ window: WINDOW, archive: memoryArchive() });
  const client = clientOf(server, pith.fetch);
  const block = {
    type: "compaction",
    content: "Ports of modules 0 to 9.",
    encrypted_content: null,
    signature: "s",
  };
  const said = long(60);
  const compacted = {
    role: "assistant",
    content: [block, { type: "text", text: "Going on." }],
  } as unknown as Param;
  const messages = [...said.slice(0, 19), compacted, ...said.slice(20)];
  await client.beta.messages.create({ ...request, messages });
  messages.push({ role: "assistant", content: "Yes." }, { role: "user", content: ask(61) });
  await client.beta.messages.create({ ...request, messages });
  await server.close();
  const [first, second] = server.requests.map(({ body }) => body.messages as Param[]);
  expect(first![1]).toEqual(compacted);
  expect(JSON.stringify(first![2])).toContain("[Pith hand-off]");
  expect(second!.slice(0, first!.length)).toEqual(first);
  for (const { tokens, faults } of server.requests) {
    expect(tokens).toBeLessThan(WINDOW);
    expect(faults).toEqual([]);
  }
  expect(await pith.compactor.runTool("recall_search", { query: "module-3:37" })).toContain("module-3:");
});

test("what the SDK's own compaction takes out of a named conversation is found by recall", async () => {
  const server = await createAgentServer({ window: WINDOW });
  const pith = pithAnthropic({ window: 100_000, archive: memoryArchive(), conversation: "mine" });
  const client = clientOf(server, pith.fetch);
  await client.beta.messages.create({ ...request, messages: long(20) });
  const summary: Param[] = [
    { role: "user", content: `<summary>Twenty modules were read.</summary> ${ask(21)}` },
  ];
  await client.beta.messages.create({ ...request, messages: summary });
  await server.close();
  expect(server.requests[1]!.body.messages).toEqual(summary);
  expect(await pith.compactor.runTool("recall_search", { query: "module-3:37" })).toContain("module-3:");
});

test("a request of a thread that the server holds comes through untouched", async () => {
  const server = await createAgentServer({ window: 1_000_000 });
  const client = clientOf(server, pithAnthropic({ window: 2_000 }).fetch);
  const messages = long(20);
  const thread = { type: "continue" as const, previous_message_id: "msg_1" };
  await client.beta.messages.create({ ...request, thread, messages });
  await server.close();
  expect(server.requests[0]!.body.messages).toEqual(messages);
});
