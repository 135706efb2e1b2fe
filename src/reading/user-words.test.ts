import { expect, test } from "vitest";
import { conversation, user } from "../testing/builders.ts";
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
