/** pith/anthropic through the real SDK: messages, streams, the tool runner, and the provider's own compaction. */
import Anthropic from "@anthropic-ai/sdk";
import { expect, test } from "vitest";
import { pithAnthropic } from "../../src/adapters/anthropic.ts";
import type { Fetch } from "../../src/adapters/compacting-fetch.ts";
import { memoryArchive } from "../../src/archive/memory.ts";
import {
  type AgentServer,
  ask,
  createAgentServer,
  isRecallTurn,
  moduleText,
  portOf,
  RECALL_BACK,
} from "./agent-server.ts";
import { WINDOW } from "./long-run.ts";
import { KEY, longHistory, moduleSchema, readModule, SYSTEM } from "./sdk-agent.ts";
import { testAdapter } from "./test-adapter.ts";

type Param = Anthropic.Beta.BetaMessageParam;
type Block = Anthropic.Beta.BetaContentBlockParam;

const clientOf = ({ url }: AgentServer, fetch?: Fetch) =>
  new Anthropic({ apiKey: KEY, baseURL: url, maxRetries: 0, ...(fetch && { fetch }) });
const request = { model: "claude-opus-4-1", max_tokens: 1_000, system: SYSTEM };

/** Each ask carries the cache mark, and those before it lose theirs. */
testAdapter({
  name: "tool runner",
  create: (means) => {
    const { server, options, history = [], model = request.model } = means;
    const pith = options && pithAnthropic(options);
    const api = clientOf(server, pith?.fetch).beta.messages;
    const own = {
      name: "read_module",
      description: "Reads a module.",
      input_schema: moduleSchema(means),
      parse: (given: unknown) => given as { module: number },
      run: (given: { module: number }) => readModule(means, given),
    };
    let messages: readonly Param[] = history;
    const bodyWith = (text: string, images: readonly Block[] = []) => {
      const marked: Block = { type: "text", text, cache_control: { type: "ephemeral" } };
      return {
        ...request,
        model,
        thread: false as const,
        tools: [own, ...(pith?.tools ?? [])],
        messages: [...messages, { role: "user" as const, content: [...images, marked] }],
      };
    };
    return {
      ask: async (text, { stream } = { stream: false }) => {
        const runner = stream
          ? api.toolRunner({ ...bodyWith(text), stream })
          : api.toolRunner(bodyWith(text));
        const { content } = await runner.runUntilDone();
        messages = runner.params.messages.map(unmarked);
        for (const { body } of server.requests)
          expect(JSON.stringify(body).split("cache_control").length - 1).toBe(1);
        return content.map((block) => (block.type === "text" ? block.text : "")).join("");
      },
      show: async (pictures, text) => {
        const images = pictures.map(
          (data): Block => ({
            type: "image",
            source: { type: "base64", media_type: "image/png", data },
          }),
        );
        const { content } = await api.toolRunner(bodyWith(text, images)).runUntilDone();
        return content.map((block) => (block.type === "text" ? block.text : "")).join("");
      },
      chunks: async (text) => {
        const list: unknown[] = [];
        for await (const stream of api.toolRunner({ ...bodyWith(text), stream: true }))
          for await (const event of stream) list.push(event);
        return list;
      },
    };
  },
});

const unmarked = (message: Param): Param =>
  Array.isArray(message.content)
    ? ({
        ...message,
        content: message.content.map((block) => ({ ...block, cache_control: undefined })),
      } as Param)
    : message;

const long = (turns: number): Param[] => [...longHistory(turns), { role: "user", content: ask(turns) }];

test("headers and options come through", async () => {
  const server = await createAgentServer({ window: 1_000_000 });
  const send = (fetch?: Fetch) =>
    clientOf(server, fetch).beta.messages.create({
      ...request,
      betas: ["context-management-2025-06-27"],
      context_management: { edits: [{ type: "clear_tool_uses_20250919" }] },
      thinking: { type: "enabled", budget_tokens: 1_024 },
      max_tokens: 2_000,
      messages: long(60),
    });
  await send();
  await send(pithAnthropic({ window: WINDOW }).fetch);
  await server.close();
  const [before, after] = server.requests;
  expect(after!.tokens).toBeLessThan(WINDOW);
  const { messages: _before, ...options } = before!.body;
  expect(after!.body).toMatchObject(options);
  expect(after!.headers["anthropic-beta"]).toBe(before!.headers["anthropic-beta"]);
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
  expect(await pith.runTool("recall_search", { query: "module-3:37" })).toContain("module-3:");
});

test("what the SDK's own compaction takes out of a named conversation is found by recall", async () => {
  const server = await createAgentServer({ window: WINDOW });
  const pith = pithAnthropic({ window: 100_000, archive: memoryArchive(), conversationId: "mine" });
  const client = clientOf(server, pith.fetch);
  await client.beta.messages.create({ ...request, messages: long(20) });
  const summary: Param[] = [
    { role: "user", content: `<summary>Twenty modules were read.</summary> ${ask(21)}` },
  ];
  await client.beta.messages.create({ ...request, messages: summary });
  await server.close();
  expect(server.requests[1]!.body.messages).toEqual(summary);
  expect(await pith.runTool("recall_search", { query: "module-3:37" })).toContain("module-3:");
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

test("asks that are text until the cache mark is on them stay one conversation, which recall finds", async () => {
  const server = await createAgentServer({
    window: WINDOW,
    say: ({ messages }) => {
      const last = JSON.stringify((messages as Param[]).at(-1));
      const turn = Number([...last.matchAll(/Turn (\d+): read/g)].at(-1)?.[1]);
      return isRecallTurn(turn) || Number.isNaN(turn) ? undefined : { text: moduleText(turn), calls: [] };
    },
  });
  let compactions = 0;
  const pith = pithAnthropic({
    window: WINDOW,
    archive: memoryArchive(),
    onEvent: (event) => {
      if (event.type === "compaction-end" && event.report.compacted) compactions++;
    },
  });
  const client = clientOf(server, pith.fetch);
  const tools = pith.tools.map(({ name, description, input_schema }) => ({
    name,
    description,
    input_schema,
  }));
  const messages: Anthropic.MessageParam[] = [];
  const recalled = new Map<number, string | undefined>();
  for (let turn = 0; turn < 60; turn++) {
    messages.push({ role: "user", content: ask(turn) });
    const { content } = await client.messages.create({ ...request, tools, messages: lastMarked(messages) });
    messages.push({ role: "assistant", content });
    const call = content.find((block) => block.type === "tool_use");
    if (!call) continue;
    const answer = await pith.runTool(call.name, call.input);
    recalled.set(turn, answer);
    messages.push({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: call.id, content: answer ?? "" }],
    });
    const { content: last } = await client.messages.create({
      ...request,
      tools,
      messages: lastMarked(messages),
    });
    messages.push({ role: "assistant", content: last });
  }
  await server.close();
  console.log(`${server.requests.length} requests, ${compactions} compactions`);
  for (const { body, faults } of server.requests) {
    expect(JSON.stringify(body).split("cache_control").length - 1).toBe(1);
    expect(faults).toEqual([]);
  }
  expect([...recalled.keys()]).toEqual([39, 49, 59]);
  for (const [turn, answer] of recalled) expect(answer).toContain(String(portOf(turn - RECALL_BACK)));
  expect(compactions).toBeLessThan(10);
});

/** As many callers do: the last message is made a list of blocks for its cache mark, the others are as they were written. */
function lastMarked(messages: readonly Anthropic.MessageParam[]): Anthropic.MessageParam[] {
  const { content } = messages.at(-1)!;
  const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  const marked = { ...blocks.at(-1)!, cache_control: { type: "ephemeral" } } as Anthropic.ContentBlockParam;
  return [...messages.slice(0, -1), { role: "user", content: [...blocks.slice(0, -1), marked] }];
}
