import { expect, test } from "vitest";
import { readTokens } from "./read-tokens.ts";

test.each([
  ["128000", 128_000],
  ["128,000", 128_000],
  ["1,048,576", 1_048_576],
  ["5k", 5_000],
  ["5 K", 5_000],
  ["1.5m", 1_500_000],
  ["1.1m", 1_100_000],
  ["0.128m", 128_000],
  ["2,000k", 2_000_000],
  [" 0 ", 0],
] as const)("%j is a number of tokens", (text, tokens) => {
  expect(readTokens(text)).toBe(tokens);
});

test.each([
  "",
  "k",
  "1.5",
  "5,00",
  "5,0000",
  ",500",
  "1.2345k",
  "-5k",
  "5g",
  "5kk",
  "1e3",
  "0x10",
  "30%",
  "9".repeat(400),
])("%j is none", (text) => {
  expect(readTokens(text)).toBeUndefined();
});
