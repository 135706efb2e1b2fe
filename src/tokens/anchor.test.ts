import { expect, test } from "vitest";
import type { Conversation } from "../conversation/conversation.ts";
import type { Message } from "../conversation/message.ts";
import { anchoredTokens, calibrationFactor, promptTokensOf } from "./anchor.ts";
import { createTokenCounter } from "./counter.ts";

const counter = createTokenCounter();
const say = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }], position: 0 });
const conversation = (...texts: readonly string[]): Conversation => ({
  format: "openai",
  messages: texts.map(say),
  tools: [],
  envelope: undefined,
});

test("the next prompt is what was reported and the count of what came since", () => {
  const grown = conversation("one", "two", "Hello, world");
  expect(anchoredTokens(grown, counter, { promptTokens: 5_000, messages: 2 })).toBe(5_000 + 4 + 3);
  expect(anchoredTokens(grown, counter, { promptTokens: 5_000, messages: 3 })).toBe(5_000);
});

test("[R22] after a compaction everything is counted afresh, never taken from the report before it", () => {
  const compacted = conversation("summary", "latest");
  const counted = counter.conversation(compacted);
  expect(anchoredTokens(compacted, counter, undefined)).toBe(counted);
  expect(anchoredTokens(compacted, counter, { promptTokens: 190_000, messages: 40 })).toBe(counted);
});

test("an anchor that cannot be right is no anchor", () => {
  const plain = conversation("one");
  for (const anchor of [
    { promptTokens: 0, messages: 1 },
    { promptTokens: Number.NaN, messages: 1 },
    { promptTokens: 10, messages: -1 },
    { promptTokens: 10, messages: 0.5 },
  ]) {
    expect(anchoredTokens(plain, counter, anchor)).toBe(counter.conversation(plain));
  }
});

test("[R25] cache reads and cache writes are part of the prompt", () => {
  const usage = {
    input_tokens: 12,
    cache_read_input_tokens: 40_000,
    cache_creation_input_tokens: 300,
    output_tokens: 9,
  };
  expect(promptTokensOf(usage)).toBe(40_312);
  expect(promptTokensOf({ inputTokens: 5, cacheReadInputTokens: 70, cacheWriteInputTokens: 25 })).toBe(100);
  expect(
    promptTokensOf({ input_tokens: 0, cache_read_input_tokens: 10, cache_creation_input_tokens: null }),
  ).toBe(10);
});

test("[R25] figures that include the cache already are not added to", () => {
  expect(promptTokensOf({ prompt_tokens: 2_000, prompt_tokens_details: { cached_tokens: 1_500 } })).toBe(
    2_000,
  );
  expect(promptTokensOf({ input_tokens: 2_000, input_tokens_details: { cached_tokens: 1_500 } })).toBe(2_000);
  expect(promptTokensOf({ promptTokenCount: 700, cachedContentTokenCount: 600 })).toBe(700);
  expect(promptTokensOf({ prompt_tokens: 2_000, cache_read_input_tokens: 1_500 })).toBe(2_000);
});

test("a usage without figures is unknown", () => {
  for (const usage of [
    undefined,
    null,
    "12",
    {},
    { prompt_tokens: 0 },
    { input_tokens: -5 },
    { prompt_tokens: "9" },
  ]) {
    expect(promptTokensOf(usage)).toBeUndefined();
  }
});

test("a private tokenizer is calibrated by what was reported, within bounds", () => {
  expect(calibrationFactor(1_200, 1_000)).toBe(1.2);
  expect(calibrationFactor(9_000, 1_000)).toBe(2);
  expect(calibrationFactor(100, 1_000)).toBe(0.5);
  expect(calibrationFactor(undefined, 1_000)).toBe(1);
  expect(calibrationFactor(1_000, 0)).toBe(1);
  expect(calibrationFactor(Number.NaN, 1_000)).toBe(1);
});
