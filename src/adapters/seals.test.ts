import { expect, test } from "vitest";
import { sealIn } from "./seals.ts";

test.each([
  ["Anthropic through the AI SDK", { anthropic: { signature: "abcd" } }],
  ["redacted, through the AI SDK", { anthropic: { redactedData: "abcd" } }],
  ["OpenAI through the AI SDK", { openai: { itemId: "rs_1", reasoningEncryptedContent: "abcd" } }],
  ["Gemini through the AI SDK", { google: { thoughtSignature: "abcd" } }],
  ["a block of LangChain", { type: "thinking", thinking: "Hm.", signature: "abcd" }],
  ["a redacted block of LangChain", { type: "redacted_thinking", data: "abcd" }],
  ["Responses through LangChain", { id: "rs_1", summary: [{ text: "Hm." }], encrypted_content: "abcd" }],
  ["the Agents SDK", { encryptedContent: "abcd" }],
])("finds the seal of thinking: %s", (_where, value) => {
  expect(sealIn(value)).toBe("abcd");
});

test("what is not sealed has no seal", () => {
  for (const value of [undefined, null, "signature", { data: "picture" }, { signature: null }, []])
    expect(sealIn(value)).toBe("");
});
