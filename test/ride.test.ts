/** Summaries that ride on the conversation's own cached prefix, asked of a real server by both wires. */
import { afterEach, expect, test } from "vitest";
import { type CompactorOptions, createCompactor, type Result } from "../src/index.ts";
import { bodyOf } from "../src/run/result.ts";
import { anthropicSummarizer } from "../src/summarizer/anthropic-compatible.ts";
import { openAISummarizer } from "../src/summarizer/openai-compatible.ts";
import {
  assistant,
  call,
  rawConversation,
  result,
  system,
  user,
  type WireMessage,
} from "../src/testing/builders.ts";
import { type Behaviour, createModelServer, type ModelServer } from "../src/testing/model-server.ts";

const servers: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const STORY = "The parts were read one after the other.";

async function serve(reply: Behaviour = { type: "say", text: STORY }): Promise<ModelServer> {
  const server = await createModelServer({ reply });
  servers.push(server);
  return server;
}

const tools = [
  { type: "function", function: { name: "Read", parameters: { type: "object", properties: {} } } },
];
const reading = Array.from({ length: 12 }, (_, at) => [
  assistant(`Reading part ${at}.`, call("Read", { file_path: `src/part-${at}.ts` })),
  result(`export const part${at} = ${at};\n`.repeat(20)),
]).flat();
const messages = rawConversation(
  system("You are a careful agent."),
  user("Fix the parser. Never touch the lexer."),
  ...reading,
  assistant("That is done."),
  user("What is left to do?"),
);
const body = { model: "large", temperature: 0.2, tools, prompt_cache_key: "s1", messages };

const blocks = Array.from({ length: 12 }, (_, at) => [
  {
    role: "assistant",
    content: [
      { type: "text", text: `Reading part ${at}.` },
      { type: "tool_use", id: `t${at}`, name: "Read", input: { file_path: `src/part-${at}.ts` } },
    ],
  },
  {
    role: "user",
    content: [
      { type: "tool_result", tool_use_id: `t${at}`, content: `export const part${at} = ${at};\n`.repeat(20) },
    ],
  },
]).flat();
const marked = { cache_control: { type: "ephemeral" } };
const anthropicBody = {
  model: "large",
  max_tokens: 999,
  system: [{ type: "text", text: "You are a careful agent.", ...marked }],
  tools: [{ name: "Read", input_schema: { type: "object" }, ...marked }],
  thinking: { type: "enabled", budget_tokens: 2_000 },
  messages: [
    { role: "user", content: "Fix the parser." },
    ...blocks,
    { role: "assistant", content: "That is done." },
    { role: "user", content: [{ type: "text", text: "What is left to do?", ...marked }] },
  ],
};

function compact(
  input: unknown,
  server: ModelServer,
  options: CompactorOptions & { readonly narrow?: number } = {},
): Promise<Result> {
  const { narrow, ...rest } = options;
  const own = {
    url: server.url,
    model: "large",
    ride: true,
    ...(narrow !== undefined && { window: narrow }),
  };
  const isAnthropic = typeof input === "object" && "max_tokens" in (input as object);
  const summarizer = isAnthropic ? anthropicSummarizer(own) : openAISummarizer(own);
  return createCompactor({ target: "50%", summarizer, ...rest }).compact(input, {
    target: 700,
    summarize: true,
  });
}

const textOf = (result: Result) => JSON.stringify(bodyOf(result));
const isTranscript = ({ requests }: ModelServer) => {
  expect(requests).toHaveLength(1);
  const sent = requests[0]!.body.messages as readonly WireMessage[];
  return sent.length === 1 && String(sent[0]?.content).includes("<turn-");
};

test("an OpenAI request begins with the conversation's own messages, byte for byte, and ends with the prompt", async () => {
  const server = await serve();
  const told = await compact(body, server);
  const { text, body: sent } = server.requests[0]!;
  const own = JSON.stringify(messages).slice(0, -1);
  expect(text).toContain(`"messages":${own},{"role":"user","content":"An AI agent has worked`);
  expect(sent.messages).toHaveLength(messages.length + 1);
  expect(sent).toMatchObject({ model: "large", tools, tool_choice: "none", prompt_cache_key: "s1" });
  expect(sent.temperature).toBeUndefined();
  expect(textOf(told)).toContain(STORY);
  expect(told.report.summary?.failure).toBeUndefined();
});

test("an Anthropic request keeps system prompt, tools, cache marks and thinking as they were", async () => {
  const server = await serve();
  const told = await compact(anthropicBody, server);
  const { text, body: sent } = server.requests[0]!;
  const own = JSON.stringify(anthropicBody.messages).slice(0, -1);
  expect(text).toContain(`"messages":${own},{"role":"user","content":`);
  expect(text).toContain(`"system":${JSON.stringify(anthropicBody.system)}`);
  expect(text).toContain(`"tools":${JSON.stringify(anthropicBody.tools)}`);
  expect(sent).toMatchObject({ model: "large", thinking: anthropicBody.thinking, max_tokens: 8_192 + 2_000 });
  // Another choice than before would empty the cache of all messages.
  expect(sent.tool_choice).toBeUndefined();
  expect(textOf(told)).toContain(STORY);
});

test("a body that came as text is sent in its very characters", async () => {
  const server = await serve();
  const odd = `{"role": "assistant",  "content": "It is 1.0 or\\u0020so."}`;
  const list = `[${messages
    .slice(0, -1)
    .map((message) => JSON.stringify(message))
    .join(", ")}, ${odd}, {"role":"user","content":"And?"}]`;
  await compact(`{"model": "large", "messages": ${list}}`, server);
  expect(server.requests[0]!.text).toContain(
    `,${odd},{"role":"user","content":"And?"},{"role":"user","content":"An AI`,
  );
});

test("a bare list rides where the options name its model and the call its tools", async () => {
  const server = await serve();
  const summarizer = [openAISummarizer({ url: server.url, model: "large", ride: true })];
  const compactor = createCompactor({ model: "large", summarizer });
  await compactor.compact(messages, { target: 700, tools, summarize: true });
  expect(server.requests[0]!.body).toMatchObject({ tools, tool_choice: "none" });
  expect(server.requests[0]!.body.messages).toHaveLength(messages.length + 1);
});

test.each([
  ["of another model", { ...body, model: "small" }, {}],
  ["of no known model", messages, {}],
  ["that the summarizer's window does not hold", body, { narrow: 3_500 }],
  ["that its own window does not hold", body, { window: 3_000, reserve: 100 }],
  ["of another wire", { ...anthropicBody, max_tokens: undefined }, {}],
  [
    "with a call still running",
    { ...body, messages: rawConversation(...messages, assistant("", call("Read", {}, "last"))) },
    {},
  ],
])("a conversation %s is sent as a transcript", async (_, input, options) => {
  const server = await serve();
  const wire = JSON.parse(JSON.stringify(input));
  const summarizer = [
    openAISummarizer({
      url: server.url,
      model: "large",
      ride: true,
      ...("narrow" in options && { window: options.narrow }),
    }),
  ];
  const { narrow: _narrow, ...own } = options as { narrow?: number };
  const { report } = await createCompactor({ target: "50%", summarizer, ...own }).compact(wire, {
    target: 700,
    summarize: true,
  });
  expect(report.error).toBeUndefined();
  expect(isTranscript(server)).toBe(true);
});

test("a summarizer that is not told to ride sends the transcript", async () => {
  const server = await serve();
  const summarizer = [openAISummarizer({ url: server.url, model: "large" })];
  await createCompactor({ target: "50%", summarizer }).compact(body, { target: 700, summarize: true });
  expect(isTranscript(server)).toBe(true);
});

test("[R47 F78] the prompt at the end says what to summarise, forbids tools and going on, and carries the focus", async () => {
  const server = await serve();
  const summarizer = [openAISummarizer({ url: server.url, model: "large", ride: true })];
  const { plan } = await createCompactor({ target: "50%", summarizer }).compact(body, {
    target: 700,
    summarize: true,
    focus: "the lexer",
  });
  const prompt = String((server.requests[0]!.body.messages as readonly WireMessage[]).at(-1)?.content);
  const removed = plan.steps
    .flatMap((step) => step.edits)
    .flatMap((edit) => (edit.kind === "remove" ? [edit.position] : []));
  expect(prompt).toContain(
    `All messages above but the newest ${messages.length - 1 - Math.max(...removed)}, which stay`,
  );
  expect(prompt).toContain("call no tool");
  expect(prompt).toContain("do not go on with the work");
  expect(prompt).toContain('Focus topic: "the lexer"');
  expect(prompt).not.toContain("export const part");
});

test("[F49 R33] when the ride fails, the next summarizer gets a transcript", async () => {
  const [first, second] = [
    await serve({ type: "fail", status: 400, message: "two user messages" }),
    await serve(),
  ];
  const summarizer = [
    openAISummarizer({ url: first.url, model: "large", ride: true }),
    openAISummarizer({ url: second.url, model: "other", ride: true }),
  ];
  const told = await createCompactor({ target: "50%", summarizer }).compact(body, {
    target: 700,
    summarize: true,
  });
  expect(first.requests[0]!.body.messages).toHaveLength(messages.length + 1);
  expect(isTranscript(second)).toBe(true);
  expect(textOf(told)).toContain(STORY);
});

test("an earlier hand-off in the conversation is to be updated, not told of", async () => {
  const server = await serve();
  const first = await compact(body, server);
  const again = { ...(bodyOf(first) as typeof body) };
  const next = {
    ...again,
    messages: rawConversation(...again.messages, assistant("Going on."), ...reading, user("And now?")),
  };
  await compact(next, server);
  const prompts = server.requests.map((request) =>
    String((request.body.messages as readonly WireMessage[]).at(-1)?.content),
  );
  expect(prompts.map((prompt) => prompt.includes("An earlier compaction left a hand-off"))).toEqual([
    false,
    true,
  ]);
});

test.each([
  ["OpenAI", body],
  ["Anthropic", anthropicBody],
])("[R31] an answer by %s that calls a tool after all is no summary", async (_, input) => {
  const server = await serve({ type: "call-tool", text: "First I read on." });
  const { report } = await compact(input, server);
  expect(report.compacted).toBe(true);
  expect(report.summary?.attempts).toMatchObject([{ failure: "truncated" }]);
});
