import { describe, expect, test } from "vitest";
import { OptionsError } from "../errors/options-error.ts";
import { type Behaviour, createModelServer, type ModelServer } from "../testing/model-server.ts";
import { testSummarizer } from "../testing/test-summarizer.ts";
import { openAISummarizer } from "./openai-compatible.ts";
import type { Summary } from "./summarizer.ts";

const signal = new AbortController().signal;

describe("openAISummarizer", () => {
  testSummarizer(({ url, key }) => openAISummarizer({ url, key, model: "small" }), { test, expect });
});

describe("openAISummarizer with a stream", () => {
  testSummarizer(({ url, key }) => openAISummarizer({ url, key, model: "small", stream: true }), {
    test,
    expect,
  });
});

async function ask(
  reply: Behaviour,
  options: (server: ModelServer) => Parameters<typeof openAISummarizer>[0],
): Promise<{ summary: Summary; server: ModelServer }> {
  const server = await createModelServer({ reply });
  try {
    const summarizer = openAISummarizer(options(server));
    return { summary: await summarizer.summarize({ prompt: "P", targetTokens: 900, signal }), server };
  } finally {
    await server.close();
  }
}

test("posts one user message to /chat/completions with the key as bearer and no output cap", async () => {
  const { server } = await ask({ type: "say", text: "x y" }, ({ url }) => ({
    url: `${url}/v1/`,
    model: "m",
    key: "k",
  }));
  const { path, headers, body } = server.requests[0]!;
  expect(path).toBe("/v1/chat/completions");
  expect(headers.authorization).toBe("Bearer k");
  expect(body).toEqual({ model: "m", messages: [{ role: "user", content: "P" }] });
});

test("posts to an address that names the endpoint as it is, with headers of one's own and no key", async () => {
  const { server } = await ask({ type: "say", text: "x" }, ({ url }) => ({
    url: `${url}/deployments/d/chat/completions?api-version=1`,
    model: "m",
    headers: { "api-key": "azure" },
  }));
  const { path, headers } = server.requests[0]!;
  expect(path).toBe("/deployments/d/chat/completions?api-version=1");
  expect(headers["api-key"]).toBe("azure");
  expect(headers.authorization).toBe(undefined);
});

test("is named after model and host, and carries its window", () => {
  const summarizer = openAISummarizer({
    url: "https://api.example.com/v1",
    model: "m",
    key: "k",
    window: 8_000,
  });
  expect(summarizer.name).toBe("m at api.example.com");
  expect(summarizer.window).toBe(8_000);
});

test.each(["nonsense", "ftp://example.com", "https://me:secret@example.com"])(
  "refuses the address %s",
  (url) => {
    expect(() => openAISummarizer({ url, model: "m" })).toThrow(OptionsError);
    expect(() => openAISummarizer({ url, model: "m" })).not.toThrow(/secret/);
  },
);

function answering(body: string, init: ResponseInit = {}): typeof globalThis.fetch {
  return async () =>
    new Response(body, { status: 200, headers: { "content-type": "application/json" }, ...init });
}

async function answerTo(body: unknown, init?: ResponseInit): Promise<Summary> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const summarizer = openAISummarizer({
    url: "http://x",
    model: "m",
    key: "the-key",
    fetch: answering(text, init),
  });
  return summarizer.summarize({ prompt: "P", targetTokens: 9, signal });
}

test("reads content in parts, and the finish reasons of other servers", async () => {
  const choice = (finish_reason: unknown, content: unknown = "t") => ({
    choices: [{ message: { content }, finish_reason }],
  });
  expect(await answerTo(choice("eos_token", [{ text: "a" }, null, { text: "b" }]))).toEqual({
    text: "ab",
    finish: "stop",
    model: "m",
  });
  expect((await answerTo(choice("content_filter"))).finish).toBe("refusal");
  expect((await answerTo(choice("tool_calls", null))).finish).toBe("unknown");
});

test.each([
  [{ error: { message: "no the-key here" } }, "other"],
  [{ choices: "x" }, "malformed"],
  ["null", "malformed"],
  ["5", "malformed"],
  ["<html>", "malformed"],
])("an answer such as %j is a failure of class %s", async (body, failure) => {
  await expect(answerTo(body)).rejects.toMatchObject({ failure });
  await expect(answerTo(body)).rejects.not.toThrow(/the-key/);
});

test("a stream with an error inside, or without an end, is a failure", async () => {
  const init = { headers: { "content-type": "text/event-stream; charset=utf-8" } };
  const delta = 'data: {"choices":[{"delta":{"content":"a"}}]}\n\n';
  await expect(answerTo(`${delta}data: {"error":{"message":"out"}}\n\n`, init)).rejects.toMatchObject({
    failure: "other",
  });
  await expect(answerTo(`${delta}data: [DONE]\n\n`, init)).rejects.toMatchObject({ failure: "truncated" });
});

test("follows no redirect, which would carry the key away", async () => {
  const init = { status: 307, headers: { location: "http://elsewhere" } };
  await expect(answerTo("", init)).rejects.toMatchObject({ failure: "other" });
});

test("an endless answer is given up", async () => {
  const chunk = new TextEncoder().encode("x".repeat(1_000_000));
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
  const fetch = async () => new Response(endless);
  const summarizer = openAISummarizer({ url: "http://x", model: "m", fetch });
  await expect(summarizer.summarize({ prompt: "P", targetTokens: 9, signal })).rejects.toMatchObject({
    failure: "malformed",
  });
});

test("a key that no header can carry is not told in the error", async () => {
  const summarizer = openAISummarizer({ url: "http://127.0.0.1:9", model: "m", key: "line\nbreak-key" });
  const failure = await summarizer
    .summarize({ prompt: "P", targetTokens: 9, signal })
    .catch((error: Error) => error);
  expect(failure).toBeInstanceOf(Error);
  expect(String((failure as Error).message) + String((failure as Error).cause)).not.toContain("break-key");
});
