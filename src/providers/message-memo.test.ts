import { expect, test } from "vitest";
import { openAIChat } from "./openai-chat/format.ts";

function messagesOf(list: unknown): readonly unknown[] {
  return openAIChat.read(list).messages;
}

test("gives the same Message for a raw message that nobody touched", () => {
  const list = [
    { role: "user", content: "a" },
    { role: "assistant", content: [{ type: "text", text: "b" }] },
  ];
  const first = messagesOf(list);
  const second = messagesOf([...list, { role: "user", content: "c" }]);
  expect(second[0]).toBe(first[0]);
  expect(second[1]).toBe(first[1]);
});

test("keeps the parts and renews the position of a message that moved", () => {
  const message = { role: "user", content: "a" };
  const [before] = openAIChat.read([message]).messages;
  const after = openAIChat.read([{ role: "user", content: "new" }, message]).messages[1]!;
  expect(after.position).toBe(1);
  expect(after.parts).toBe(before!.parts);
});

function firstCall(message: { tool_calls?: unknown }): { function: object } {
  return (message.tool_calls as { function: object }[])[0]!;
}

interface Editable {
  role: string;
  content: unknown;
  parts: { type: string; text: string }[];
  tool_calls?: unknown;
  name?: string;
}

test.each<[string, (message: Editable) => unknown]>([
  ["a text", (message) => Object.assign(message, { content: "x" })],
  ["a role", (message) => Object.assign(message, { role: "user" })],
  ["a text inside a part", (message) => Object.assign(message.parts[0]!, { text: "x" })],
  ["an argument", (message) => Object.assign(firstCall(message).function, { arguments: "{}" })],
  ["a part more", (message) => message.parts.push({ type: "text", text: "y" })],
  ["a part less", (message) => message.parts.pop()],
  ["a new key", (message) => Object.assign(message, { name: "n" })],
  ["a key less", (message) => delete message.tool_calls],
  ["a list for an object", (message) => Object.assign(message, { tool_calls: [[]] })],
  ["an object for a list", (message) => Object.assign(message, { tool_calls: {} })],
])("reads a message afresh after the caller changed %s in place", (_what, edit) => {
  const message = {
    role: "assistant",
    content: "a",
    parts: [{ type: "text", text: "b" }],
    tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: '{"a":1}' } }],
  };
  const [before] = messagesOf([message]);
  edit(message);
  const [after] = messagesOf([message]);
  expect(after).not.toBe(before);
  expect(after).toEqual(openAIChat.read([structuredClone(message)]).messages[0]);
});

test("does not follow values that go round in circles or too deep", () => {
  const circle: Record<string, unknown> = { role: "user", content: "a" };
  circle.self = circle;
  expect(messagesOf([circle])).toEqual(messagesOf([circle]));
  const wide = { role: "user", content: "a", x: new Array(200_000).fill([1]) };
  expect(openAIChat.write(openAIChat.read([wide]))).toEqual([wide]);
});
