/** Nobody waits: a summary is written while the agent goes on, and used only when it is ready and still true (R49). */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CompactionState, createCompactor, type Result } from "../src/index.ts";
import { openAISummarizer } from "../src/summarizer/openai-compatible.ts";
import type { Summarizer, SummaryRequest } from "../src/summarizer/summarizer.ts";
import { assistant, call, rawConversation, result, user, type WireMessage } from "../src/testing/builders.ts";
import { type Behaviour, createModelServer, type ModelServer } from "../src/testing/model-server.ts";
import { until } from "./until.ts";

const servers: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(reply: Behaviour | readonly Behaviour[]): Promise<ModelServer> {
  const server = await createModelServer({ reply });
  servers.push(server);
  return server;
}

const STORY = "The parser work was finished and reviewed.";
const saying: Behaviour = { type: "say", text: STORY };

const turn = (at: number): readonly WireMessage[] => [
  user(`Look at module ${at}.`),
  assistant(`Module ${at} parses file_${at}.ts. `.repeat(30)),
];

/** How many summaries have come back to the agents of this test. */
let answers = 0;
beforeEach(() => {
  answers = 0;
});

function agentWith(server?: ModelServer) {
  const summarizer = server ? [counted(openAISummarizer({ url: `${server.url}/v1`, model: "m" }))] : [];
  return createCompactor({ window: 8000, reserve: 1000, clock: () => 0, summarizer });
}

function counted(summarizer: Summarizer): Summarizer {
  const summarize = async (request: SummaryRequest) => {
    const summary = await summarizer.summarize(request);
    answers++;
    return summary;
  };
  return { ...summarizer, summarize };
}

interface Run {
  readonly compactor: ReturnType<typeof createCompactor>;
  readonly messages: readonly WireMessage[];
  readonly state?: CompactionState;
}

/** Feeds turns until `stop` says so; what the agent had said by then, and the last result. */
async function feed(run: Run, stop: (result: Result, turns: number) => boolean, next = turn) {
  let { messages, state } = run;
  for (let at = 0; at < 60; at++) {
    messages = rawConversation(...messages, ...next(at));
    const compacted = await run.compactor.compact(messages, {
      summarize: "background",
      ...(state && { state: JSON.parse(JSON.stringify(state)) }),
    });
    state = compacted.state;
    if (stop(compacted, at)) return { compactor: run.compactor, messages, state, result: compacted };
    messages = compacted.messages as readonly WireMessage[];
    // Requests go out and answers come in while the agent does something else.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error("It never stopped.");
}

const isCompacted = ({ report }: Result) => report.compacted;
const start = (server?: ModelServer): Run => ({ compactor: agentWith(server), messages: [] });
const textOf = ({ messages }: Result) => JSON.stringify(messages);

/** The turn by which the request for a summary is out, and the run up to there. */
async function asked(server: ModelServer) {
  const run = start(server);
  const plain = await feed(start(), isCompacted);
  const due = (plain.messages.length - 2) / 2;
  const half = await feed(run, (_, at) => at === due - 1);
  await until(() => server.requests.length > 0);
  return { half, due };
}

const afterwards = (due: number) => (at: number) => turn(due + at);

test("[R49] a model that does not answer keeps nobody waiting: the deterministic hand-off stands, and what comes late is thrown away", async () => {
  let answer: (told: unknown) => void = () => {};
  const held = new Promise((resolve) => {
    answer = resolve;
  });
  const server = await serve({ type: "held", until: held, reply: saying });
  // Every call returns although the model has not said a word.
  const { half, due } = await asked(server);
  const run = await feed(half, isCompacted, afterwards(due));
  const plain = await feed(start(), isCompacted);
  expect(server.requests).toHaveLength(1);
  expect(answers).toBe(0);
  expect(run.result.messages).toEqual(plain.result.messages);
  expect(run.result.state).toEqual(plain.result.state);
  expect(run.result.report.summary).toMatchObject({
    attempts: [],
    failure: expect.stringContaining("not ready"),
  });
  answer("now");
  const later = await feed(
    { ...run, messages: run.result.messages as readonly WireMessage[] },
    (_, at) => at === 5,
  );
  expect(textOf(later.result)).not.toContain(STORY);
});

test("[R49] a summary that is ready at the threshold stands in the hand-off, beside all that was said meanwhile", async () => {
  const server = await serve(saying);
  const { half, due } = await asked(server);
  await until(() => answers > 0);
  const { result, messages } = await feed(half, isCompacted, afterwards(due));
  expect(textOf(result)).toContain(STORY);
  expect(result.report.summary?.summarizer).toBeDefined();
  expect(server.requests).toHaveLength(1);
  const output = result.messages as readonly WireMessage[];
  expect(output.slice(-2)).toEqual(messages.slice(-2));
  const read = server.requests[0]?.prompt ?? "";
  const meanwhile = messages
    .flatMap(({ content }) => /module (\d+)\./.exec(String(content))?.[1] ?? [])
    .filter((at) => !read.includes(`module ${at}.`));
  expect(meanwhile.length).toBeGreaterThan(2);
  for (const at of meanwhile) expect(textOf(result)).toContain(`file_${at}.ts`);
});

test("[R49] one request at a time, however many turns pass before the model answers", async () => {
  const server = await serve({ type: "hang" });
  const { half, due } = await asked(server);
  await feed(half, (_, at) => at === 0, afterwards(due));
  expect(server.requests).toHaveLength(1);
});

test("[R49] a history that was changed meanwhile does not get the summary of the old one", async () => {
  const server = await serve(saying);
  const { half, due } = await asked(server);
  await until(() => answers > 0);
  const changed = half.messages.with(2, user("Look at module 1, differently."));
  const { result } = await feed({ ...half, messages: changed }, isCompacted, afterwards(due));
  expect(textOf(result)).not.toContain(STORY);
});

test("[F60 R49] after a restart nothing is half done: the state holds no trace, and the next process goes on without a summary", async () => {
  const server = await serve({ type: "hang" });
  const { half, due } = await asked(server);
  const plain = await feed(start(), (_, at) => at === due - 1);
  expect(half.result.state).toEqual(plain.result.state);
  const again = await feed({ ...half, compactor: agentWith() }, isCompacted, afterwards(due));
  const never = await feed(plain, isCompacted, afterwards(due));
  expect(again.result.messages).toEqual(never.result.messages);
  const third = await serve(saying);
  await feed(
    { ...half, compactor: agentWith(third) },
    () => true,
    () => [],
  );
  await until(() => third.requests.length > 0);
});

test("[R49] what was done since the summary was begun is not told as open", async () => {
  const server = await serve(saying);
  const todos = (status: string, id: string): readonly WireMessage[] => [
    assistant("", call("TodoWrite", { todos: [{ content: "Ship the parser", status }] }, id)),
    result("Todos have been modified.", { id }),
  ];
  const compactor = agentWith(server);
  const first = [...turn(100), ...todos("pending", "t1")];
  const open = await feed({ compactor, messages: first }, () => server.requests.length > 0);
  await until(() => answers > 0);
  const done = [...open.messages, user("Ship it."), ...todos("completed", "t2"), assistant("Shipped.")];
  const { result: told } = await feed({ ...open, messages: done }, isCompacted, afterwards(200));
  expect(textOf(told)).toContain(STORY);
  expect(textOf(told)).not.toContain("[ ] Ship the parser");
});

test("[R49] a call that the caller ends does not end the summary for the calls to come", async () => {
  let answer: (told: unknown) => void = () => {};
  const held = new Promise((resolve) => {
    answer = resolve;
  });
  const server = await serve({ type: "held", until: held, reply: saying });
  const giveUp = new AbortController();
  const compactor = agentWith(server);
  const compact = compactor.compact;
  const ended = {
    ...compactor,
    compact: <Body>(input: Body, options = {}) => compact(input, { ...options, signal: giveUp.signal }),
  };
  const half = await feed({ compactor: ended, messages: [] }, () => server.requests.length > 0);
  giveUp.abort();
  answer("now");
  await until(() => answers > 0);
  const { result: told } = await feed({ ...half, compactor }, isCompacted, afterwards(100));
  expect(textOf(told)).toContain(STORY);
});
