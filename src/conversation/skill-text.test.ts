import { expect, test } from "vitest";
import { signs } from "../../test/planner-signs.ts";
import { createCompactor } from "../compactor.ts";
import { rulesIn } from "../engine/facts.ts";
import { allowsCut } from "../engine/invariants/index.ts";
import { readConversation as readings } from "../engine/reading.ts";
import { readConversation, writeConversation } from "../providers/detect.ts";
import {
  assistant,
  call,
  conversation,
  rawConversation,
  result,
  user,
  type WireMessage,
} from "../testing/builders.ts";
import { type Message, textOfMessage } from "./message.ts";
import { groupsOf, turnsOf } from "./turn.ts";

const ASK = "Make a page of the figures, please. Never use red.";
const SKILL = "Approach this as a design lead. Never centre a heading. Please review the plan first.";
const LAUNCHED = "Launching skill: artifact-design";
const loading = [
  assistant("", call("Skill", { skill: "artifact-design" }, "s")),
  result(LAUNCHED, { id: "s" }),
  user(SKILL),
];
/** What a person says in each message. */
const wordsOf = (messages: readonly Message[]) =>
  readings(messages).map(({ words }) =>
    words.flatMap(({ speaker, text }) => (speaker === "person" ? [text] : [])).join("\n"),
  );
const wordsIn = (...messages: readonly WireMessage[]) =>
  wordsOf(conversation(...messages).messages).filter(Boolean);

test("[R8] a skill's text under the user's role is nobody's words, and stays with the call that loaded it", () => {
  const wire = rawConversation(user(ASK), ...loading, assistant("Loaded."), user("And now?"));
  const read = readConversation(wire);
  expect(wordsOf(read.messages)).toEqual([ASK, "", "", "", "", "And now?"]);
  expect(rulesIn(readings(read.messages))).toEqual(["Never use red."]);
  const spans = (ranges: readonly { start: number; end: number }[]) =>
    ranges.map(({ start, end }) => [start, end]);
  expect(spans(groupsOf(read.messages))).toEqual([
    [0, 1],
    [1, 4],
    [4, 5],
    [5, 6],
  ]);
  expect(spans(turnsOf(read.messages))).toEqual([
    [0, 5],
    [5, 6],
  ]);
  expect(writeConversation(read)).toBe(wire);
});

test("a skill that was loaded forbids no cut before it", () => {
  const step = (id: string) => [assistant("", call("read", { id }, id)), result("done", { id })];
  const { messages } = conversation(user(ASK), ...step("a"), ...step("b"), ...loading, ...step("c"));
  expect([1, 3, 5, 8].map((at) => allowsCut(messages, at))).toEqual([true, true, true, true]);
});

test("each skill that was launched brings one text; what comes after them is the user's", () => {
  const two = [
    assistant("", call("Skill", { skill: "a" }, "a"), call("Skill", { skill: "b" }, "b")),
    result("Launching skill: a", { id: "a" }),
    result("Launching skill: b", { id: "b" }),
  ];
  expect(wordsIn(user(ASK), ...two, user(SKILL), user("Never use tables."), user("Stop."))).toEqual([
    ASK,
    "Stop.",
  ]);
});

test("a tool that only prints the same words loads nothing", () => {
  const printed = [assistant("", call("bash", { command: "cat log" }, "s")), result(LAUNCHED, { id: "s" })];
  expect(wordsIn(...printed, user("Never restart prod."))).toEqual(["Never restart prod."]);
});

test("beside the result in one message only the skill's own text is left out", () => {
  const { messages } = readConversation({
    model: "claude-sonnet-4",
    messages: [
      { role: "user", content: ASK },
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "toolu_1", name: "Skill", input: { skill: "pdf" } }],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "toolu_1", content: "Launching skill: pdf" },
          { type: "text", text: SKILL },
          { type: "text", text: "Never print it." },
        ],
      },
      { role: "user", content: "Stop. Never print it on a Friday." },
    ],
  });
  expect(wordsOf(messages).slice(2)).toEqual(["Never print it.", "Stop. Never print it on a Friday."]);
});

test.each([150, 200, 700])(
  "[R8 R15] compacted to %i tokens again and again, the skill never becomes what the user asks or demands",
  async (target) => {
    const compactor = createCompactor({ window: 8_000, ...signs.toKnowAgain() });
    let body = rawConversation(user(ASK));
    for (let round = 0; round < 6; round++) {
      const long = `Row ${round} of the figures is ${round * 7919}. `.repeat(100);
      body = rawConversation(...body, assistant(long), ...loading);
      const { messages: output, conversation, report } = await compactor.compact(body, { target });
      expect(report.error).toBeUndefined();
      expect(conversation.messages.map(textOfMessage).join("\n")).toContain(ASK);
      const { messages } = readConversation(output);
      expect(signs.rules(messages)).toEqual(["Never use red."]);
      expect(signs.owedAsk(messages, 8_000).join(" ")).toBe(ASK);
      body = output as typeof body;
    }
  },
);
