import { expect, test } from "vitest";
import { notedFill } from "./noted-fill.ts";

const fill = { tokens: 500, budget: 1_000 };

test("[F82] only the last message changes: every byte before its end stays where the next request has it too", () => {
  const start = '{ "model":"m", "messages": [ {"role":"user","content":"caf\\u00e9"} , ';
  const noted = notedFill(`${start}{"role":"user","content":"Go on."}], "stream":true}`, "openai-chat", fill);
  expect(noted.startsWith(`${start}{"role":"user","content":"Go on.`)).toBe(true);
  expect(noted).toContain("Go on.\\n\\n[Context fill: 50% (500 of 1,000 tokens). Consider using");
  expect(noted.endsWith('"}], "stream":true}')).toBe(true);
});

test("[F82] where the provider caches up to whatever comes last, the body stays as it is", () => {
  const text = '{"cache_control":{"type":"ephemeral"},"messages":[{"role":"user","content":"Go."}]}';
  expect(notedFill(text, "anthropic-messages", fill)).toBe(text);
});
