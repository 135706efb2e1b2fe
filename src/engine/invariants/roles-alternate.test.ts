import { expect, test } from "vitest";
import type { Message, Role } from "../../conversation/message.ts";
import {
  anthropicConversation,
  assistant,
  call,
  conversation,
  result,
  system,
  user,
} from "../../testing/builders.ts";
import { rolesAlternate } from "./roles-alternate.ts";

const broken = rolesAlternate.broken!;
const { messages } = conversation(system("Be brief."), user("One."), assistant("Yes."), user("Two."));
const [prompt, one, yes, two] = messages as [Message, Message, Message, Message];

function handoff(role: Role): Message {
  return { role, position: -1, parts: [{ type: "text", text: "[SUMMARY]: work" }] };
}

test("[R5] a hand-off beside a message of its own role is found, on either side", () => {
  expect(broken(messages, [prompt, handoff("assistant"), two])).toEqual([]);
  expect(broken(messages, [prompt, handoff("user"), two])).toEqual([
    "the hand-off and its neighbour are both said by the user",
  ]);
  expect(broken(messages, [one, yes, handoff("assistant"), two])).toHaveLength(1);
  expect(broken(messages, [prompt, one, handoff("system"), two])).toEqual([]);
});

test("[R4] a conversation that lost its last user message, or its first, is found", () => {
  expect(broken(messages, [prompt, yes])).toEqual([
    "no user message is left",
    "the first visible message is no longer the user's",
  ]);
  expect(broken(messages, [prompt, yes, two])).toEqual(["the first visible message is no longer the user's"]);
  expect(broken(messages, messages)).toEqual([]);
  expect(broken([], [])).toEqual([]);
});

test("a conversation that the assistant opened may go on being so, and two user messages that came in stay", () => {
  const opened = conversation(assistant("Welcome."), user("One."), user("Two.")).messages;
  expect(broken(opened, opened)).toEqual([]);
});

test("[R5] results that travel under the user's role are the user's turn", () => {
  const { messages: blocks } = anthropicConversation(user("Go."), assistant("", call("a")), result("1"));
  expect(broken(blocks, [...blocks, handoff("user")])).toHaveLength(1);
  expect(broken(blocks, [...blocks, handoff("assistant")])).toEqual([]);
});
