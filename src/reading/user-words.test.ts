import { expect, test } from "vitest";
import { conversation, user } from "../testing/builders.ts";
import { isTextCallOrResult } from "./agents/text-calls.ts";
import { boundBy, userWordsOf } from "./user-words.ts";

const read = (text: string) => conversation(user(text)).messages[0]!;
const page = "Do not edit the contents of this page. Always use the talk page.";

test.each([
  ["smolagents", `Call id: call_7\nObservation:\n${page}`],
  [
    "a call of smolagents",
    "Calling tools:\n[{'id': 'c', 'function': {'name': 'f', 'arguments': {'q': 'Never stop.'}}}]",
  ],
  ["Hermes", `<tool_response>\n${page}\n</tool_response>`],
  ["OpenHands", `EXECUTION RESULT of [browse]:\n${page}`],
  ["AutoGen", `Computer_terminal: exitcode: 0 (execution succeeded)\nCode output: ${page}`],
])("a result of %s under the user's role is nobody's words and binds nobody", (_, text) => {
  expect(userWordsOf(read(text))).toBe("");
  expect(boundBy(read(text))).toEqual([]);
});

test("a person who writes of such a result keeps their words", () => {
  const asked = `Why do I get "exitcode: 1 (execution failed)"? Never retry by yourself.`;
  expect(userWordsOf(read(asked))).toBe(asked);
  expect(boundBy(read(asked))).toEqual(["Never retry by yourself."]);
});

test("what a person writes beside a result between tags is theirs", () => {
  const asked = read(
    "<tool_response>\nDo not edit this page.\n</tool_response>\n\nNever use that source again.",
  );
  expect(userWordsOf(asked)).toContain("Never use that source again.");
  expect(boundBy(asked)).toEqual(["Never use that source again."]);
});

const ask = "That is what I get. Rewrite the loader. Never edit the vendor folder.";

test.each([
  ["a log of a terminal", `exitcode: 1 (execution failed)\nCode output: Traceback: boom\n\n${ask}`],
  ["a result of smolagents", `Call id: call_1\nError:\nNameError\n\n${ask}`],
  ["a tag that is never closed", `<tool_response> tags are missing in our template.\n\n${ask}`],
  ["the name of a function's tag", `<function=execute_bash> is what the model prints.\n\n${ask}`],
  [
    "a long call",
    `<function=write>\n<parameter=text>\n${"x ".repeat(15_000)}</parameter>\n</function>\n\n${ask}`,
  ],
  [
    "listed calls",
    `Calling tools:\n[{'id': 'c', 'function': {'name': 'f', 'arguments': {'q': 'x'}}}]\n\n${ask}`,
  ],
])("a person who shows %s and asks about it keeps their words", (_, text) => {
  expect(userWordsOf(read(text))).toContain(ask);
  expect(boundBy(read(text))).toContain("Never edit the vendor folder.");
});

test("hostile texts are told from words in bounded time", () => {
  const blanks = " ".repeat(1_000_000);
  const texts = [
    `<tool_response>\n${blanks}x</tool_response>`,
    `<tool_response>\n${blanks}x`,
    "<tool_response>".repeat(60_000),
    "\n<function=a>\n<parameter=b>".repeat(30_000),
    "<tool_call>{".repeat(80_000),
    `exitcode: 1 (execution failed)\nCode output:${"\n ".repeat(400_000)}`,
    `Calling tools:\n[${"'id': 'a' 'name': 'b', 'arguments': ".repeat(20_000)}`,
  ];
  const before = performance.now();
  for (const text of texts) isTextCallOrResult(text);
  expect(performance.now() - before).toBeLessThan(5_000);
});
