import { expect, test } from "vitest";
import { contextOverflowOf } from "./overflow.ts";

const overflows: readonly [who: string, error: unknown, window: number | undefined][] = [
  [
    "OpenAI",
    {
      code: "context_length_exceeded",
      message:
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130112 tokens.",
    },
    128_000,
  ],
  [
    "OpenAI in an SDK error",
    Object.assign(new Error("400 status code"), { error: { code: "context_length_exceeded" } }),
    undefined,
  ],
  [
    "Anthropic",
    {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 213462 tokens > 200000 maximum" },
    },
    200_000,
  ],
  [
    "Anthropic with max_tokens",
    new Error("input length and `max_tokens` exceed context limit: 195000 + 8192 > 200000"),
    200_000,
  ],
  [
    "Gemini",
    new Error("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."),
    1_048_576,
  ],
  ["Bedrock", new Error("Input is too long for requested model."), undefined],
  [
    "Mistral",
    new Error("Prompt contains 40000 tokens, too large for model with 32768 maximum context length"),
    32_768,
  ],
  [
    "llama.cpp",
    new Error("the request exceeds the available context size. try increasing the context size"),
    undefined,
  ],
  [
    "vLLM as a cause",
    new Error("failed", { cause: new Error("This model's maximum context length is 8192 tokens.") }),
    8192,
  ],
  ["LangChain", Object.assign(new Error("x"), { name: "ContextOverflowError" }), undefined],
  [
    "one of several attempts",
    new AggregateError([new Error("fetch failed"), new Error("prompt is too long: 9 tokens > 8 maximum")]),
    8,
  ],
  ["OpenAI Responses", new Error("Your input exceeds the context window of this model."), undefined],
];

test.each(overflows)("[F62] recognises the overflow of %s", (_who, error, window) => {
  expect(contextOverflowOf(error)?.windowTokens).toBe(window);
  expect(contextOverflowOf(error)).toBeDefined();
});

test.each([
  new Error("rate limit reached for gpt-4o"),
  new Error("429 too many requests"),
  { code: "invalid_api_key", message: "Incorrect API key" },
  new Error("fetch failed"),
  new Error("ThrottlingException: Too many tokens, please wait before trying again."),
  null,
  undefined,
  "socket hang up",
])("takes no other error for an overflow: %s", (error) => {
  expect(contextOverflowOf(error)).toBeUndefined();
});
