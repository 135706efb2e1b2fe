import { expect, test } from "vitest";
import { assistant, call, conversation, result, user } from "../testing/builders.ts";
import { textSummary } from "./text-summary.ts";

const summaryOf = (...said: readonly string[]) =>
  textSummary(conversation(...said.map((text) => assistant(text))).messages);
const contentOf = (summary: string) =>
  /^\[Archived \d+ messages\. Summary of prior work: (.*)\]$/.exec(summary)?.[1];

test("[F58] the assistant's messages are joined on one line, all messages are counted", () => {
  const { messages } = conversation(
    user("Fix the parser."),
    assistant("Reading the config.", call("read")),
    result("tool output"),
    assistant("Fixed\nthe   parser\r\n\tin src/parser.ts."),
    user("Thanks."),
  );
  expect(textSummary(messages)).toBe(
    "[Archived 5 messages. Summary of prior work: Reading the config.; Fixed the parser in src/parser.ts.]",
  );
});

test("[F58] each message gives 100 characters, all together 500 and three dots", () => {
  expect(contentOf(summaryOf("a".repeat(101), "b".repeat(100)))).toBe(
    `${"a".repeat(100)}; ${"b".repeat(100)}`,
  );
  const five = contentOf(summaryOf(..."abcde".split("").map((letter) => letter.repeat(200))))!;
  expect(five).toHaveLength(503);
  expect(five.endsWith("...")).toBe(true);
  const exact = [100, 100, 100, 100, 92].map((length) => "x".repeat(length));
  expect(contentOf(summaryOf(...exact))).toHaveLength(500);
  expect(contentOf(summaryOf(...exact))).not.toContain("...");
});

test("[F58] control characters are taken out, paths and addresses stay", () => {
  expect(contentOf(summaryOf("see\u0000\u001b[1m https://x.org/a?b=1 \u0085 ./src/a.ts"))).toBe(
    "see [1m https://x.org/a?b=1 ./src/a.ts",
  );
});

test("[F58] without an assistant's words the summary is empty, and messages without content count", () => {
  expect(textSummary([])).toBe("[Archived 0 messages. Summary of prior work: ]");
  const { messages } = conversation(user("Hi."), { role: "assistant", content: null }, assistant(" \n "));
  expect(textSummary(messages)).toBe("[Archived 3 messages. Summary of prior work: ]");
});

test("a cut never leaves half a character", () => {
  const summary = summaryOf(
    `${"a".repeat(99)}😀`,
    "😀".repeat(60),
    "x😀".repeat(300),
    "日本語".repeat(100),
    "😀".repeat(99),
  );
  expect(summary.isWellFormed()).toBe(true);
});

test("words after a megabyte of blanks are still the message's first words", () => {
  expect(contentOf(summaryOf(`${" \n".repeat(500_000)}Done.`))).toBe("Done.");
});

test("[R21] an earlier summary is counted but not quoted again", () => {
  const { messages } = conversation(
    assistant("[SUMMARY]: ## Progress\nold news\n[End of hand-off]"),
    assistant("New work."),
  );
  expect(textSummary(messages)).toBe("[Archived 2 messages. Summary of prior work: New work.]");
});

test("an id is told whole or not at all", () => {
  const words = `${"x".repeat(90)} pith:abcdefghijkl`;
  const { messages } = conversation(user("Go."), assistant(words));
  expect(textSummary(messages)).not.toMatch(/pith:/);
  expect(textSummary(conversation(user("Go."), assistant("See pith:abcdefghijkl.")).messages)).toContain(
    "pith:abcdefghijkl",
  );
});
