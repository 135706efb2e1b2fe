import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { hashOf, rankOf, ranksOf } from "./ranks.ts";

function rankOfText(text: string): number {
  const bytes = new TextEncoder().encode(text);
  return rankOf(ranksOf("o200k_base"), bytes, 0, bytes.length, hashOf(bytes, 0, bytes.length));
}

test("knows a token's place in the vocabulary", () => {
  expect(rankOfText("!")).toBe(0);
  expect(rankOfText("Hello")).toBe(13_225);
  expect(rankOfText("Hellohello")).toBe(-1);
});

test("knows every single byte, so that every text can be counted", () => {
  for (const encoding of ["o200k_base", "cl100k_base"] as const) {
    for (let byte = 0; byte < 256; byte++) {
      const bytes = Uint8Array.of(byte);
      expect(rankOf(ranksOf(encoding), bytes, 0, 1, hashOf(bytes, 0, 1))).toBeGreaterThanOrEqual(0);
    }
  }
});

test("reads an encoding once", () => {
  expect(ranksOf("o200k_base")).toBe(ranksOf("o200k_base"));
  expect(ranksOf("o200k_base").offsets.length - 1).toBe(199_998);
  expect(ranksOf("cl100k_base").offsets.length - 1).toBe(100_256);
});

test("has every token of the published vocabulary, at its rank", () => {
  for (const encoding of ["o200k_base", "cl100k_base"] as const) {
    const file = createRequire(import.meta.url).resolve(`gpt-tokenizer/data/${encoding}.tiktoken`);
    const { bytes, offsets } = ranksOf(encoding);
    const lines = Array.from(offsets.subarray(1), (end, rank) => {
      const token = Buffer.from(bytes.subarray(offsets[rank], end));
      return `${token.toString("base64")} ${rank}\n`;
    });
    expect(lines.join("") === readFileSync(file, "latin1")).toBe(true);
  }
});
