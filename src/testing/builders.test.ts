import { expect, test } from "vitest";
import { writeConversation } from "../providers/detect.ts";
import {
  anthropicConversation,
  assistant,
  call,
  conversation,
  rawConversation,
  result,
  system,
  user,
} from "./builders.ts";

const told = [
  system("Be brief."),
  user("fix it"),
  assistant("on it", call("read", { path: "a.ts" }), call("list")),
  result("text of a.ts"),
  result("no such folder", { isError: true }),
  assistant("done"),
];

test("tells a conversation whose results answer the calls before them", () => {
  const { messages, format } = conversation(...told);
  expect(format).toBe("openai-chat");
  expect(messages.map((message) => message.role)).toEqual([
    "system",
    "user",
    "assistant",
    "tool",
    "tool",
    "assistant",
  ]);
  expect(messages[2]!.parts).toMatchObject([{ text: "on it" }, { pairId: "call_1" }, { pairId: "call_2" }]);
  expect(messages[3]!.parts).toMatchObject([{ pairId: "call_1", text: "text of a.ts", isError: false }]);
  expect(messages[4]!.parts).toMatchObject([{ pairId: "call_2", isError: true }]);
});

test("keeps ids that are given and takes arguments as text or value", () => {
  const raw = rawConversation(
    assistant("", call("f", "{broken", "x")),
    result("r", { id: "x" }),
    result("orphan"),
  );
  expect(raw).toEqual([
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "x", type: "function", function: { name: "f", arguments: "{broken" } }],
    },
    { role: "tool", tool_call_id: "x", content: "r" },
    { role: "tool", tool_call_id: "call_1", content: "orphan" },
  ]);
});

test("tells the same conversation in anthropic-messages", () => {
  const told2 = anthropicConversation(...told);
  expect(told2.format).toBe("anthropic-messages");
  expect(told2.messages.map((message) => message.role)).toEqual([
    "system",
    "user",
    "assistant",
    "user",
    "assistant",
  ]);
  expect(writeConversation(told2)).toMatchObject({ system: "Be brief." });
});
