import { expect, test } from "vitest";
import { withParts } from "../conversation/message.ts";
import { openAIChat } from "../providers/openai-chat/format.ts";
import { assistant, conversation, system, user } from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { countedTokens, countedTokensIn } from "./counted-tokens.ts";

const counter = createTokenCounter();
const told = conversation(system("You are careful."), user("Fix it."), assistant("Done."));
const { messages } = told;

test("counts everything but unchanged system messages and tool definitions", () => {
  const spoken = counter.message(messages[1]!) + counter.message(messages[2]!);
  expect(countedTokens(messages, counter, messages)).toBe(spoken);
  expect(countedTokensIn({ ...told, tools: [{ name: "ls", parameters: {} }] }, counter)).toBe(spoken);
});

test("counts what was added to a system message, and a system message that Pith wrote whole", () => {
  const [prompt] = messages;
  const noted = withParts(prompt!, [{ type: "text", text: "You are careful.\n\nOne more note." }]);
  // Counted by itself, though its first tokens merge with the full stop before it.
  expect(countedTokens([noted], counter, messages)).toBe(counter.text("\n\nOne more note."));
  const shorter = withParts(prompt!, [{ type: "text", text: "You" }]);
  expect(countedTokens([shorter], counter, messages)).toBe(0);
  const written = openAIChat.create("system", [{ type: "text", text: "A summary." }]);
  expect(countedTokens([written], counter, messages)).toBe(counter.message(written));
});
