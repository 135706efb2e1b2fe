import { expect, test } from "vitest";
import type { Message } from "../conversation/message.ts";
import { anthropicConversation, assistant, call, conversation, result, user } from "../testing/builders.ts";
import { type Speech, speechOf } from "./typed-words.ts";

const speech = (text: string): Speech => speechOf(conversation(user(text)).messages[0]!);
const typed = (words: string): Speech => ({ by: "person", words });

test("what a person typed is theirs, without the space around it", () => {
  expect(speech(" Fix it. ")).toEqual(typed("Fix it."));
  expect(speech("a < b and <T> stays")).toEqual(typed("a < b and <T> stays"));
  expect(speech("1")).toEqual(typed("1"));
});

test("an assistant, a result and an empty message are nobody's words", () => {
  const { messages } = conversation(assistant("Fix it.", call("x")), result("Fix it."), {
    role: "user",
    content: null,
  });
  expect(messages.map(speechOf)).toEqual([{ by: "nobody" }, { by: "nobody" }, { by: "nobody" }]);
  const carrier = anthropicConversation(user("Go."), assistant("", call("a")), result("Do it.")).messages.at(
    -1,
  )!;
  expect(speechOf(carrier)).toEqual({ by: "nobody" });
});

test("what programs wrote around a person's words is taken off", () => {
  const reminder = "<system-reminder>\nUse the list.\n</system-reminder>";
  expect(speech(`${reminder}\nFix it.\n${reminder}`)).toEqual(typed("Fix it."));
  expect(speech(`<ide_opened_file name="a.ts">a</ide_opened_file>Why?`)).toEqual(typed("Why?"));
  expect(speech("<system-reminder>never closed\nFix it.")).toMatchObject({ by: "person" });
});

test("a block ends where its own name is closed, and what stands behind that was typed", () => {
  const block = "<system-reminder>a <bash-stdout>b</bash-stdout> <system-reminder> c</system-reminder>";
  expect(speech(`${block} Fix it.`)).toEqual(typed("Fix it."));
  expect(speech(`</system-reminder> Fix it. ${block}`)).toEqual(typed("</system-reminder> Fix it."));
});

test("a slash command is told as it was typed, and one that only steers the program is nobody's ask", () => {
  const command = (name: string, args: string) =>
    `<command-message>x is running</command-message>\n<command-name>${name}</command-name>\n<command-args>${args}</command-args>`;
  expect(speech(command("/fix", "the parser"))).toEqual(typed("/fix\nthe parser"));
  expect(speech(command("\n /fix \n", "the parser"))).toEqual(typed("/fix\nthe parser"));
  expect(speech(command("/clear", ""))).toEqual({ by: "nobody" });
  expect(speech(command("/model", "opus"))).toEqual({ by: "nobody" });
  expect(speech("<bash-input>git status</bash-input>")).toEqual(typed("! git status"));
});

test("an interruption says so, with the words that came with it", () => {
  expect(speech("[Request interrupted by user]")).toEqual({ by: "person", words: "", interrupts: true });
  expect(speech("[Request interrupted by user for tool use]\nNo, use tabs.")).toEqual({
    by: "person",
    words: "No, use tabs.",
    interrupts: true,
  });
});

test("another program's summary of what came before is a summary", () => {
  const words =
    "This session is being continued from a previous conversation that ran out of context.\nFixed a.ts.";
  expect(speech(words)).toEqual({ by: "summary", words });
});

test.each([
  ["Base directory for this skill: /home/me/skills/pdf\n\n# PDF\n\nAlways sign.", "skill pdf"],
  ["# AGENTS.md instructions for /w\n\nUse tabs.", "project instructions"],
  [
    "Here is a demonstration of how to correctly accomplish this task.\nraise ValueError(error)",
    "a demonstration",
  ],
  ["Operation stopped by hook: busy", "hook: busy"],
  [
    "<task-notification>\n<summary>The build ended</summary>\n</task-notification>",
    "notice: The build ended",
  ],
  ["<system-reminder>\nUse the list.\n</system-reminder>", ""],
])("a program speaks where nobody typed: %j", (words, origin) => {
  expect(speech(words)).toEqual({ by: "program", words, origin });
});

test.each([
  "a",
  " ",
  "`",
  "<",
  "<system-reminder>",
  "<ide_a><ide_b>",
  "<command-args>",
  "<bash-input>",
  "</system-reminder>",
])("reads a megabyte of %j in no time", (piece) => {
  for (const before of ["", "<command-name>", "[Request interrupted", "<system-reminder>"]) {
    const text = before + piece.repeat(1_000_000 / piece.length);
    const message: Message = { role: "user", position: 0, parts: [{ type: "text", text }] };
    const started = performance.now();
    speechOf(message);
    expect(performance.now() - started).toBeLessThan(3_000);
  }
});

test("a megabyte of names that nothing closes is read in no time", () => {
  const names = Array.from({ length: 40_000 }, (_, at) => `<ide_${at.toString(36).replace(/\d/g, "_")}>`);
  const started = performance.now();
  speech(`${names.join("")}</ide_zz>`);
  expect(performance.now() - started).toBeLessThan(3_000);
});

test("lone surrogates are words like any other", () => {
  expect(speech("\ud800 fix \udfff")).toEqual(typed("\ud800 fix \udfff"));
});
