import { expect, test } from "vitest";
import { withParts } from "../../conversation/message.ts";
import { conversation, system, user } from "../../testing/builders.ts";
import { systemPromptStays } from "./system-prompt-stays.ts";

const broken = systemPromptStays.broken!;
const { messages } = conversation(system("Be brief."), user("Hi."));
const [prompt, ask] = messages;
const saying = (text: string) => withParts(prompt!, [{ type: "text", text }]);

test("[F30] a system prompt that is gone or says something else is found, an appended note is not", () => {
  expect(broken(messages, messages)).toEqual([]);
  expect(broken(messages, [saying("Be brief.\n\n[Note: …]"), ask!])).toEqual([]);
  expect(broken(messages, [ask!])).toEqual(["the system message 0 was altered"]);
  expect(broken(messages, [saying("Be long."), ask!])).toEqual(["the system message 0 was altered"]);
});

test("a hand-off that stands under the system role may be folded into the next", () => {
  const summary = conversation(system("[Archived 8 messages. Summary of prior work: a; b]"), user("Hi."));
  expect(broken(summary.messages, summary.messages.slice(1))).toEqual([]);
});

test("a system prompt without content does not crash the check", () => {
  const empty = conversation({ role: "system", content: null }, user("Hi.")).messages;
  expect(broken(empty, empty)).toEqual([]);
});
