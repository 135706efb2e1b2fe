import { expect, test } from "vitest";
import { createCompactor } from "../compactor.ts";
import { readConversation } from "../providers/detect.ts";
import type { CompactionEvent } from "../report/event.ts";
import { assistant, rawConversation, system, user, type WireMessage } from "../testing/builders.ts";
import { readingSession } from "../testing/reading-session.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import type { CompactorOptions } from "./options.ts";

const counter = createTokenCounter();
const tokensOf = (body: unknown) => counter.conversation(readConversation(body));
const session = (turns: number) => [
  ...readingSession(turns, system("You are a careful engineer."), user("Never touch the file legacy.ts.")),
  user("Now add the tests."),
];

type Refusal = (promptTokens: number, window: number) => unknown;
const openAI: Refusal = (promptTokens, window) =>
  Object.assign(new Error("400 status code"), {
    status: 400,
    error: {
      code: "context_length_exceeded",
      message: `This model's maximum context length is ${window} tokens. However, your messages resulted in ${promptTokens} tokens.`,
    },
  });
const anthropic: Refusal = (promptTokens, window) => ({
  type: "error",
  error: {
    type: "invalid_request_error",
    message: `prompt is too long: ${promptTokens} tokens > ${window} maximum`,
  },
});
const nameless: Refusal = () => new Error("Input is too long for requested model.");

/** A provider that takes so many tokens, as it counts them: `scale` times our count. */
function provider(window: number, refusal: Refusal, scale = 1) {
  const requests: unknown[] = [];
  const answer = async (body: unknown) => {
    requests.push(body);
    const promptTokens = Math.ceil(tokensOf(body) * scale);
    if (promptTokens > window) throw refusal(promptTokens, window);
    return `answer ${requests.length}`;
  };
  return { requests, answer };
}

const wrapped = (answer: (body: unknown) => Promise<string>, options: CompactorOptions = {}) =>
  createCompactor({ model: "nobody-knows-9", ...options }).wrap(answer);

test("an answer comes through, with the compaction that went before it", async () => {
  const messages = session(2);
  const { requests, answer } = provider(1e6, openAI);
  const { answer: text, result } = await wrapped(answer, { window: 100_000 })(messages);
  expect(text).toBe("answer 1");
  expect(requests).toEqual([messages]);
  expect(requests[0]).toBe(messages);
  expect(result.report.compacted).toBe(false);
});

test("what is due is compacted before the call, and nothing is tried twice", async () => {
  const messages = session(20);
  const window = Math.floor(tokensOf(messages) / 10);
  const { requests, answer } = provider(window, openAI);
  const { result } = await wrapped(answer, { window })(messages);
  expect(requests).toHaveLength(1);
  expect(tokensOf(requests[0])).toBeLessThanOrEqual(window);
  expect(result.report.compacted).toBe(true);
});

const told = { window: 1_000_000 };
test.each([
  ["OpenAI", "no window", openAI, {}],
  ["Anthropic", "no window", anthropic, {}],
  ["OpenAI", "too large a window", openAI, told],
  ["Anthropic", "too large a window", anthropic, told],
  ["Bedrock", "too large a window", nameless, told],
] as const)(
  "[F62] after an overflow of %s, with %s known, one more call brings the answer",
  async (...row) => {
    const [, , refusal, options] = row;
    const messages = session(20);
    const window = Math.floor(tokensOf(messages) / 2);
    const { requests, answer } = provider(window, refusal);
    const { answer: text, result } = await wrapped(answer, options)(messages);
    expect(text).toBe("answer 2");
    expect(requests[0]).toBe(messages);
    expect(tokensOf(requests[1])).toBeLessThanOrEqual(window);
    expect(result.messages).toBe(requests[1]);
    expect(result.state.compactions).toBe(1);
    expect(result.report.cause).toBe("overflow");
    expect(result.report.reason).toMatch(/^The provider refused the request for its size\b/);
    const sent = JSON.stringify(requests[1]);
    expect(sent).toContain("You are a careful engineer.");
    expect(sent).toContain("Never touch the file legacy.ts.");
    expect(sent).toContain("Now add the tests.");
  },
);

test.each([
  ["OpenAI", openAI],
  ["Anthropic", anthropic],
])("[F62] a conversation ten times past the window of %s is brought under it", async (_, refusal) => {
  const messages = session(30);
  const window = Math.floor(tokensOf(messages) / 10);
  const { requests, answer } = provider(window, refusal);
  await wrapped(answer)(messages);
  expect(requests).toHaveLength(2);
  expect(tokensOf(requests[1])).toBeLessThanOrEqual(window);
});

test("[F62] the window is read in the provider's own tokens", async () => {
  const messages = session(20);
  const scale = 3;
  const window = tokensOf(messages);
  const { requests, answer } = provider(window, anthropic, scale);
  await wrapped(answer)(messages);
  expect(requests).toHaveLength(2);
  expect(tokensOf(requests[1]) * scale).toBeLessThanOrEqual(window);
});

test("[F62] where nobody knows the window, a part of what was too much is sent", async () => {
  const messages = session(20);
  const window = Math.floor(tokensOf(messages) / 3);
  const { requests, answer } = provider(window, nameless);
  await wrapped(answer)(messages);
  expect(requests).toHaveLength(2);
  expect(tokensOf(requests[1])).toBeLessThanOrEqual(window);
});

test("[F62] rules that would take all of it stay as far as their share goes, and the call comes through", async () => {
  const rules = Array.from({ length: 40 }, (_, at) => `You must never rename module number ${at}.`);
  const messages = rawConversation(...rules.map((rule) => user(rule)), ...session(10));
  const window = Math.floor(tokensOf(rules.map((rule) => user(rule))) * 1.6);
  const { requests, answer } = provider(window, openAI);
  const { answer: text } = await wrapped(answer)(messages);
  expect(text).toBe("answer 2");
  const sent = JSON.stringify(requests[1]);
  expect(rules.filter((rule) => sent.includes(rule)).length).toBeGreaterThan(rules.length / 4);
});

test("[F62] a system prompt that takes most of the window leaves the messages a part of the room beside it", async () => {
  const long = system("You are a careful engineer. ".repeat(800));
  const messages = [long, ...session(20).slice(1)];
  const fixed = tokensOf([long]);
  const window = Math.floor(fixed * 1.25);
  const { requests, answer } = provider(window, openAI);
  const { result } = await wrapped(answer)(messages);
  expect(requests).toHaveLength(2);
  expect(result.report.targetTokens).toBeGreaterThan(0.15 * (window - fixed));
  expect(tokensOf(requests[1])).toBeLessThanOrEqual(window);
});

test("a system prompt that is over the window which the provider names is not sent a second time", async () => {
  const messages = [system("You are a careful engineer. ".repeat(800)), ...session(20).slice(1)];
  const { requests, answer } = provider(Math.floor(tokensOf(messages.slice(0, 1)) * 0.9), openAI);
  await expect(wrapped(answer)(messages)).rejects.toThrow("400 status code");
  expect(requests).toEqual([messages]);
});

test("[F62] a second overflow comes through, and there is no third call", async () => {
  const refusals: unknown[] = [];
  const call = async () => {
    refusals.push(new Error(`prompt is too long: ${9e5 - refusals.length} tokens > 200000 maximum`));
    throw refusals.at(-1);
  };
  await expect(wrapped(call)(session(20))).rejects.toSatisfy((error) => error === refusals[1]);
  expect(refusals).toHaveLength(2);
});

test("what cannot shrink is not sent again: the provider's own error comes through", async () => {
  const { requests, answer } = provider(10, openAI);
  for (const body of [[user("Hi.")], "no conversation"]) {
    requests.length = 0;
    const refusal = new Error("prompt is too long: 11 tokens > 10 maximum");
    const call = async (sent: unknown) => {
      requests.push(sent);
      throw refusal;
    };
    await expect(wrapped(call)(body)).rejects.toBe(refusal);
    expect(requests).toEqual([body]);
  }
  await expect(wrapped(answer)([user("Hi.")], { pins: [7] })).resolves.toMatchObject({ answer: "answer 2" });
});

test.each([new Error("429 rate limit reached"), { code: "invalid_api_key" }, "socket hang up", undefined])(
  "another error comes through as it is, and nothing is tried again: %s",
  async (error) => {
    let calls = 0;
    const call = async () => {
      calls++;
      throw error;
    };
    await expect(wrapped(call, { window: 1e6 })(session(3))).rejects.toBe(error);
    expect(calls).toBe(1);
  },
);

test("a call that throws before it promises is treated alike", async () => {
  const messages = session(20);
  let calls = 0;
  const call = (body: unknown) => {
    if (++calls === 1) throw openAI(tokensOf(body), 5000);
    return Promise.resolve("done");
  };
  expect((await wrapped(call)(messages)).answer).toBe("done");
});

test("[R51] a failure to compact does not stop the call", async () => {
  const { answer } = provider(1e6, openAI);
  const { answer: text, result } = await wrapped(answer)(session(2));
  expect(text).toBe("answer 1");
  expect(result.report.error?.code).toBe("UNKNOWN_WINDOW");
  expect(result.report.reason).toContain("window");
});

test("the state goes through both compactions and on to the next call", async () => {
  const messages = session(30);
  const { requests, answer } = provider(Math.floor(tokensOf(messages) / 10), openAI);
  const wrap = wrapped(answer, { window: Math.floor(tokensOf(messages) * 1.05) });
  const first = await wrap(messages);
  expect(requests).toHaveLength(2);
  expect(first.result.state.compactions).toBe(2);
  const next = [...(first.result.messages as readonly WireMessage[]), assistant("Done."), user("And now?")];
  const second = await wrap(next, { state: first.result.state });
  expect(second.result.state.compactions).toBe(2);
});

test("the caller's usage and target, which the refused request went by, do not size the second", async () => {
  const messages = session(20);
  const window = Math.floor(tokensOf(messages) / 4);
  for (const options of [
    { usage: { prompt_tokens: 30 * tokensOf(messages) } },
    { usage: { prompt_tokens: 5 } },
    { target: tokensOf(messages) },
    { target: Math.floor(tokensOf(messages) / 2) },
  ]) {
    const { requests, answer } = provider(window, openAI);
    await wrapped(answer)(messages, options);
    expect(requests).toHaveLength(2);
    const sent = tokensOf(requests[1]);
    expect(sent).toBeLessThanOrEqual(window);
    expect(sent).toBeGreaterThan(window / 8);
  }
});

test("pinned messages stay pinned, wherever the first compaction moved them", async () => {
  const messages = session(20);
  const pinned = messages.findIndex((message) => String(message.content).includes("value17x0"));
  const { requests, answer } = provider(Math.floor(tokensOf(messages) / 4), openAI);
  await wrapped(answer)(messages, { pins: [pinned], target: "60%" });
  expect(requests).toHaveLength(2);
  expect(requests[1]).toContainEqual(messages[pinned]);
});

test("listeners hear of the second compaction", async () => {
  const events: CompactionEvent[] = [];
  const messages = session(20);
  const { answer } = provider(Math.floor(tokensOf(messages) / 4), openAI);
  await wrapped(answer, { window: 1e6, onEvent: (event) => events.push(event) })(messages);
  expect(events.filter(({ type }) => type === "compaction-end")).toHaveLength(2);
  expect(events.filter(({ type }) => type === "compaction-start")).toHaveLength(1);
});
