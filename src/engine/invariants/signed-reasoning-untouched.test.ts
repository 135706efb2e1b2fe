import { expect, test } from "vitest";
import { type Message, withParts } from "../../conversation/message.ts";
import { anthropicMessages } from "../../providers/anthropic-messages/format.ts";
import { signedReasoningUntouched } from "./signed-reasoning-untouched.ts";

const broken = signedReasoningUntouched.broken!;
const thinking = (text: string) => ({ type: "thinking", thinking: text, signature: "sig" });
const use = (id: string) => ({ type: "tool_use", id, name: "read", input: {} });
const answer = (id: string) => ({
  role: "user",
  content: [{ type: "tool_result", tool_use_id: id, content: "x" }],
});

const { messages } = anthropicMessages.read([
  { role: "user", content: "One." },
  { role: "assistant", content: [thinking("old"), use("a")] },
  answer("a"),
  { role: "assistant", content: "Done." },
  { role: "user", content: "Two." },
  { role: "assistant", content: [thinking("new"), use("b")] },
  answer("b"),
]);
const withoutReasoning = (message: Message) =>
  withParts(
    message,
    message.parts.filter((part) => part.type !== "reasoning"),
  );
const exchanged = (position: number, change: (message: Message) => Message) =>
  messages.map((message) => (message.position === position ? change(message) : message));

test("signed reasoning of a finished turn may go, that of the turn under way may not", () => {
  expect(broken(messages, messages)).toEqual([]);
  expect(broken(messages, exchanged(1, withoutReasoning))).toEqual([]);
  expect(broken(messages, exchanged(5, withoutReasoning))).toEqual([
    "signed reasoning of message 5 was taken from the turn under way",
  ]);
});

test("signed reasoning that was edited is found wherever it stands", () => {
  const edited = (message: Message) =>
    withParts(
      message,
      message.parts.map((part) => (part.type === "reasoning" ? { ...part, text: "shorter" } : part)),
    );
  expect(broken(messages, exchanged(1, edited))).toEqual(["signed reasoning of message 1 was altered"]);
});

test("a message that Pith wrote has no original to compare with", () => {
  const handoff: Message = { role: "user", position: -1, parts: [], changed: true };
  expect(broken(messages, [handoff])).toEqual([]);
  expect(broken([], [handoff])).toEqual([]);
});
