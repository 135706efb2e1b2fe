import { describe, expect, test } from "vitest";
import { createModelServer } from "../testing/model-server.ts";
import { testSummarizer } from "../testing/test-summarizer.ts";
import { anthropicSummarizer } from "./anthropic-compatible.ts";

const signal = new AbortController().signal;

describe("anthropicSummarizer", () => {
  testSummarizer(({ url, key }) => anthropicSummarizer({ url, key, model: "small" }), { test, expect });
});

describe("anthropicSummarizer with a stream", () => {
  testSummarizer(({ url, key }) => anthropicSummarizer({ url, key, model: "small", stream: true }), {
    test,
    expect,
  });
});

test("posts to /v1/messages with key and version, and a cap far above the target", async () => {
  const server = await createModelServer({ reply: { type: "say", text: "x" } });
  for (const url of [server.url, `${server.url}/v1`, `${server.url}/v1/messages`]) {
    const summarizer = anthropicSummarizer({ url, model: "m", key: "k", window: 9_000 });
    expect(summarizer.window).toBe(9_000);
    await summarizer.summarize({ prompt: "P", targetTokens: 3_000, signal });
  }
  await anthropicSummarizer({ url: server.url, model: "m", maxTokens: 77 }).summarize({
    prompt: "P",
    targetTokens: 9,
    signal,
  });
  await server.close();
  expect(server.requests.map(({ path }) => path)).toEqual(Array(4).fill("/v1/messages"));
  expect(server.requests[0]!.headers).toMatchObject({ "x-api-key": "k", "anthropic-version": "2023-06-01" });
  expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([12_000, 12_000, 12_000, 77]);
});

function answering(body: string, type = "application/json") {
  const fetch = async () => new Response(body, { headers: { "content-type": type } });
  const summarizer = anthropicSummarizer({ url: "http://x", model: "m", key: "the-key", fetch });
  return summarizer.summarize({ prompt: "P", targetTokens: 9, signal });
}

test("cache reads and writes count as input", async () => {
  const usage = {
    input_tokens: 1,
    cache_read_input_tokens: 20,
    cache_creation_input_tokens: 300,
    output_tokens: 7,
  };
  const answer = {
    content: [{ type: "text", text: "a" }, null, { type: "thinking" }],
    stop_reason: "end_turn",
    usage,
  };
  expect(await answering(JSON.stringify(answer))).toEqual({
    text: "a",
    finish: "stop",
    model: "m",
    usage: { inputTokens: 321, cachedTokens: 20, outputTokens: 7 },
  });
});

test.each([
  [
    '{"type":"error","error":{"type":"overloaded_error","message":"the-key"}}',
    "application/json",
    "overload",
  ],
  ['{"type":"error","error":{"type":"api_error","message":"x"}}', "application/json", "other"],
  ["{}", "application/json", "malformed"],
  [
    'data: {"type":"error","error":{"type":"rate_limit_error","message":"x"}}\n\n',
    "text/event-stream",
    "overload",
  ],
  ['data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}\n\n', "text/event-stream", "truncated"],
])("the answer %s is a failure", async (body, type, failure) => {
  await expect(answering(body, type)).rejects.toMatchObject({ failure });
  await expect(answering(body, type)).rejects.not.toThrow(/the-key/);
});

test("a stop for an unknown reason is unknown", async () => {
  expect((await answering('{"content":[],"stop_reason":"pause_turn"}')).finish).toBe("unknown");
});
