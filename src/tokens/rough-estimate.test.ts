import { expect, test } from "vitest";
import type { Conversation } from "../conversation/conversation.ts";
import type { Message, Role } from "../conversation/message.ts";
import { roughEstimateCounter, roughEstimateOfFill } from "./rough-estimate.ts";

const say = (role: Role, length: number): Message => ({
  role,
  parts: [{ type: "text", text: "x".repeat(length) }],
  position: 0,
});
const conversation: Conversation = {
  format: "openai",
  messages: [say("system", 400), say("user", 40)],
  tools: [{ name: "a" }, { name: "b" }],
  envelope: undefined,
};

test("[F59] a 400-character system prompt, a 40-character message and 2 tools are 214", () => {
  expect(roughEstimateOfFill(conversation)).toBe(100 + (10 + 4) + 100);
  expect(roughEstimateOfFill(conversation)).toBe(214);
});

test("[F59] characters are divided by four and rounded down, with 4 for each message", () => {
  expect(roughEstimateCounter.text("x".repeat(43))).toBe(10);
  expect(roughEstimateCounter.message(say("assistant", 43))).toBe(14);
  expect(roughEstimateCounter.tools([{}, {}, {}])).toBe(150);
});

test("[R27] the estimate is a counter like any other: messages and tools add up to the conversation", () => {
  const { message, tools, conversation: whole, exact } = roughEstimateCounter;
  const sum = conversation.messages.reduce((total, each) => total + message(each), 0);
  expect(whole(conversation)).toBe(sum + tools(conversation.tools));
  expect(exact).toBe(false);
});
