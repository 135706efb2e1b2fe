import { expect, test } from "vitest";
import { OptionsError } from "../errors/options-error.ts";
import { detectFormat, formatNamed, formats, readConversation, writeConversation } from "./detect.ts";

test.each<[string, unknown]>([
  ["openai-chat", []],
  ["openai-chat", [{ role: "user", content: "hi" }]],
  ["openai-chat", { messages: [{ role: "system", content: "s" }] }],
  ["openai-chat", [{ role: "tool", content: "x" }]],
  ["openai-chat", [{ role: "assistant", content: null, tool_calls: [{}] }]],
  ["openai-chat", [{ role: "user", content: [{ type: "image_url", image_url: {} }] }]],
  ["openai-chat", { messages: [], system: "s", tools: [{ type: "function", function: {} }] }],
  ["openai-chat", { model: "claude-sonnet-4-5", messages: [{ role: "user", content: "hi" }] }],
  ["openai-chat", { model: "gpt-4o", max_tokens: 100, messages: [{ role: "user", content: "hi" }] }],
  ["openai-chat", { model: "claude-opus-4", max_tokens: 100, messages: [{ role: "system", content: "s" }] }],
  [
    "openai-chat",
    { model: "anthropic/claude-opus-4", max_tokens: 100, messages: [{ role: "user", content: "hi" }] },
  ],
  [
    "anthropic-messages",
    { model: "claude-sonnet-4-5", max_tokens: 100, messages: [{ role: "user", content: "hi" }] },
  ],
  ["anthropic-messages", { messages: [{ role: "user", content: "hi" }], system: "s" }],
  [
    "anthropic-messages",
    { messages: [{ role: "user", content: "hi" }], tools: [{ name: "f", input_schema: {} }] },
  ],
  ["anthropic-messages", [{ role: "assistant", content: [{ type: "tool_use", id: "1" }] }]],
  ["anthropic-messages", [{ role: "user", content: [{ type: "tool_result", tool_use_id: "1" }] }]],
  ["anthropic-messages", [{ role: "assistant", content: [{ type: "thinking", thinking: "" }] }]],
])("takes for %s what looks like it", (name, body) => {
  expect(detectFormat(body).name).toBe(name);
  expect(readConversation(body).format).toBe(name);
  expect(readConversation(JSON.stringify(body)).format).toBe(name);
});

test("finds no format for what is no conversation", () => {
  expect(() => detectFormat({ role: "user" })).toThrow("no format fits");
  expect(() => detectFormat([null])).not.toThrow();
});

test("reads as the format that was asked for, by name or alias", () => {
  const body = [{ role: "user", content: "hi" }];
  expect(readConversation(body, { format: "anthropic" }).format).toBe("anthropic-messages");
  expect(readConversation(body, { format: "auto" }).format).toBe("openai-chat");
  expect(formats.map((format) => formatNamed(format.name))).toEqual(formats);
});

test("lists the names when one is unknown", () => {
  expect(() => formatNamed("gemini")).toThrow(OptionsError);
  expect(() => formatNamed("gemini")).toThrow(
    'There is no format "gemini". Use auto, or one of: openai-chat, openai, anthropic-messages, anthropic, openai-responses, responses.',
  );
});

test("writes a conversation by the format it was read with", () => {
  const text = '{"system":"s","messages":[]}';
  expect(writeConversation(readConversation(text))).toBe(text);
});
