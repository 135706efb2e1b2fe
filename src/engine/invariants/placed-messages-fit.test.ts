import { expect, test } from "vitest";
import type { Message } from "../../conversation/message.ts";
import { readConversation } from "../../providers/detect.ts";
import { placedMessagesFit } from "./placed-messages-fit.ts";

const broken = placedMessagesFit.broken!;
const { messages } = readConversation(
  [
    { role: "user", content: "Go." },
    { role: "system", content: "Begun." },
    { role: "assistant", content: "Yes." },
    { role: "user", content: "On." },
    { role: "system", content: "Used 10 of 90." },
  ],
  { format: "anthropic" },
);
const [ask, begun, yes, on, used] = messages as [Message, Message, Message, Message, Message];

test("a program's words may only follow the user's, before the assistant's or last", () => {
  expect(broken(messages, messages)).toEqual([]);
  expect(broken(messages, [ask, begun, on, used])).toEqual([
    "message 1 is a program's, and not in a place for one",
  ]);
  expect(broken(messages, [begun, ask, yes, on, used])).toHaveLength(1);
  expect(broken(messages, [ask, begun, used])).toHaveLength(1);
});

test("what it began with and what it said last are still there, numbers aside", () => {
  expect(broken(messages, [ask, begun, yes, on])).toEqual(['what a program said is gone: "Used 0 of 0."']);
  expect(broken(messages, [on, used])).toHaveLength(1);
  expect(broken([ask, yes], [ask, yes])).toEqual([]);
});
