import { expect, test } from "vitest";
import { namesMessageShape } from "./message-shape.ts";

test.each([
  'messages.3: role "system" must follow a user message',
  'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row',
  'messages: first message must use the "user" role',
  "messages.7: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block must have",
  "messages.9.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_2.",
  "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
  '{"error":{"message":"Invalid value","type":"invalid_request_error","param":"messages.[1].role"}}',
  "No tool output found for function call call_1.",
  "No tool call found for function call output with call_id call_1.",
  "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
  '{"detail":[{"type":"missing","loc":["body","messages",3,"content"],"msg":"Field required"}]}',
  "After the optional system message, conversation roles must alternate user/assistant/user/assistant/...",
  "system message must be at the beginning",
  "Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant: last role must be user",
])("%s", (text) => {
  expect(namesMessageShape(text)).toBe(true);
});

test.each([
  "prompt is too long: 210000 tokens > 200000 maximum",
  "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.",
  "invalid x-api-key",
  "max_tokens: 200000 > 64000, which is the maximum allowed number of output tokens",
  "tools.0.custom.input_schema: JSON schema is invalid",
  "The model `gpt-9` does not exist or you do not have access to it.",
  "Unsupported value: 'temperature' does not support 0.2 with this model.",
  '{"error":{"message":"Invalid input","param":"input_format"}}',
  "You exceeded your current quota, please check your plan and billing details.",
])("not: %s", (text) => {
  expect(namesMessageShape(text)).toBe(false);
});

test("a long answer is not searched to its end", () => {
  const start = performance.now();
  expect(namesMessageShape(`${"tool_use ".repeat(500_000)}messages.3`)).toBe(false);
  expect(performance.now() - start).toBeLessThan(500);
});
