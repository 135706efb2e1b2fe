import { expect, test } from "vitest";
import { modelProfile } from "./models.ts";

test.each([
  ["gpt-4o", "o200k_base", true, 128_000],
  ["openai/gpt-4o-mini-2024-07-18", "o200k_base", true, 128_000],
  ["GPT-4o", "o200k_base", true, 128_000],
  ["gpt-4", "cl100k_base", true, 8_192],
  ["gpt-4-0125-preview", "cl100k_base", true, 128_000],
  ["gpt-4.1-nano", "o200k_base", true, 1_047_576],
  ["azure/gpt-35-turbo", "cl100k_base", true, 16_385],
  ["gpt-5-codex", "o200k_base", true, 400_000],
  ["ft:gpt-4o:acme::abc1", "o200k_base", true, 128_000],
  ["openrouter/openai/o1-mini", "o200k_base", true, 128_000],
  ["o3-2025-04-16", "o200k_base", true, 200_000],
  ["anthropic/claude-sonnet-4", "o200k_base", false, 200_000],
  ["us.anthropic.claude-sonnet-4-20250514-v1:0", "o200k_base", false, 200_000],
  ["claude-opus-4-5-20251101", "o200k_base", false, 200_000],
  ["models/gemini-2.5-pro", "o200k_base", false, 1_048_576],
  ["meta-llama/Llama-3.1-70B-Instruct", "o200k_base", false, 131_072],
  ["qwen2.5-coder:32b", "o200k_base", false, undefined],
  ["deepseek/deepseek-chat", "o200k_base", false, 131_072],
  ["moonshotai/kimi-k2", "o200k_base", false, 131_072],
] as const)("knows %s", (name, encoding, exact, window) => {
  expect(modelProfile(name)).toMatchObject({ encoding, exact });
  expect(modelProfile(name).window).toBe(window);
});

test("Claude is an estimate above the o200k count, higher for its newer tokenizer", () => {
  expect(modelProfile("claude-3-5-sonnet-20241022").factor).toBe(1.2);
  expect(modelProfile("claude-opus-5").factor).toBe(1.6);
  expect(modelProfile("claude-of-next-year")).toMatchObject({ factor: 1.6, images: "area" });
});

test("no name is plain o200k; a name nobody knows is an estimate without a window", () => {
  expect(modelProfile(undefined)).toMatchObject({ encoding: "o200k_base", exact: true, factor: 1 });
  expect(modelProfile("")).toMatchObject({ exact: true });
  for (const name of ["foo1", "o10", "my-model", "constructor", "__proto__"]) {
    expect(modelProfile(name)).toEqual({ encoding: "o200k_base", exact: false, factor: 1, images: "tiles" });
  }
});
