import { expect, test } from "vitest";
import { openAIChat } from "../providers/openai-chat/format.ts";
import { assistant, conversation, user } from "../testing/builders.ts";
import { applyEdits } from "./apply-edits.ts";

const { messages } = conversation(user("a"), assistant("b"), user("c"));
const written = (text: string) => openAIChat.create("user", [{ type: "text", text }]);
const [first, second, third] = messages;

test("replaces, removes and inserts by position, and leaves the rest as the same objects", () => {
  const replacement = { ...second!, parts: [] };
  const note = written("n");
  expect(
    applyEdits(messages, [
      { kind: "replace", position: 1, message: replacement, reason: "" },
      { kind: "remove", position: 0, reason: "" },
      { kind: "insert", before: 1, message: note, reason: "" },
    ]),
  ).toEqual([note, replacement, third]);
  expect(applyEdits(messages, []).every((message, at) => message === messages[at])).toBe(true);
});

test("inserts before a removed message, past the end, and several in order", () => {
  const [one, two, three] = [written("1"), written("2"), written("3")];
  expect(
    applyEdits(messages, [
      { kind: "remove", position: 1, reason: "" },
      { kind: "insert", before: 1, message: one, reason: "" },
      { kind: "insert", before: 1, message: two, reason: "" },
      { kind: "insert", before: 3, message: three, reason: "" },
    ]),
  ).toEqual([first, one, two, third, three]);
});

test("works on what an earlier step left, by the positions that were read", () => {
  const once = applyEdits(messages, [
    { kind: "remove", position: 0, reason: "" },
    { kind: "insert", before: 2, message: written("n"), reason: "" },
  ]);
  expect(applyEdits(once, [{ kind: "remove", position: 2, reason: "" }])).toEqual(once.slice(0, 2));
});
