import { expect, test } from "vitest";
import { readWindows, windowOf } from "./windows.ts";

test("the first pattern that fits a model's name gives its window, then the number for all, then what is known", () => {
  const given = readWindows(["claude-*-1m=1000000", "claude-*=150000", "*/local-*=32768"]);
  expect(windowOf("claude-sonnet-9-1m", given)).toBe(1_000_000);
  expect(windowOf("Claude-Sonnet-9", given)).toBe(150_000);
  expect(windowOf("ollama/local-7b", given)).toBe(32_768);
  expect(windowOf("local-7b", given)).toBeUndefined();
  expect(windowOf("gpt-4o", given)).toBe(128_000);
  expect(windowOf("gpt-4o", readWindows(["64000", "gpt-5=400000"]))).toBe(64_000);
  expect(windowOf("gpt-4o", readWindows(["64k", "gpt-5=400,000"]))).toBe(64_000);
  expect(windowOf("gpt-5", readWindows(["64k", "gpt-5=0.4m"]))).toBe(400_000);
  expect(windowOf("gpt-5", readWindows(["64000", "gpt-5=400000"]))).toBe(400_000);
  expect(windowOf("gpt-5-mini", readWindows(["gpt-5=1"]))).not.toBe(1);
  expect(windowOf(undefined, readWindows(["a*b=1", "*=7"]))).toBe(7);
});

test("the start and the end of a name do not overlap in it", () => {
  expect(windowOf("aba", readWindows(["ab*ba=1", "5"]))).toBe(5);
  expect(windowOf("abba", readWindows(["ab*ba=1", "5"]))).toBe(1);
  expect(windowOf("a-x-b-y", readWindows(["a*x*b*y=1", "5"]))).toBe(1);
  expect(windowOf("a-b-x-y", readWindows(["a*x*b*y=1", "5"]))).toBe(5);
});

test.each([["0"], ["many"], ["gpt-5="], ["=5"], ["gpt-5=-1"], ["1000 2000"]])("refuses %s", (text) => {
  expect(() => readWindows(text.split(" "))).toThrow(/--window .*MODEL=TOKENS/);
});
