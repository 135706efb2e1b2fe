import { expect, test } from "vitest";
import { createCompactor } from "../compactor.ts";
import { readConversation, writeConversation } from "../formats/detect.ts";
import { constraintsOf, userWordsOf } from "../handoff/user-words.ts";
import { assistant, call, rawConversation, result, user } from "../testing/builders.ts";
import { textOfMessage } from "./message.ts";
import { groupsOf } from "./turn.ts";

const ASK = "Make a page of the figures, please. Never use red.";
const SKILL = "Approach this as a design lead. Never centre a heading. Please review the plan first.";
const loading = [
  assistant("", call("Skill", { skill: "artifact-design" }, "s")),
  result("Launching skill: artifact-design", { id: "s" }),
  user(SKILL),
];

test("[R8] a skill's text under the user's role is nobody's words, and stays with the call that loaded it", () => {
  const wire = rawConversation(user(ASK), ...loading, assistant("Loaded."), user("And now?"));
  const read = readConversation(wire);
  expect(read.messages.map(userWordsOf)).toEqual([ASK, "", "", "", "", "And now?"]);
  expect(constraintsOf(read.messages)).toEqual(["Never use red."]);
  expect(groupsOf(read.messages).map(({ start, end }) => [start, end])).toEqual([
    [0, 1],
    [1, 4],
    [4, 5],
    [5, 6],
  ]);
  expect(writeConversation(read)).toBe(wire);
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
    ],
  });
  expect(userWordsOf(messages.at(-1)!)).toBe("Never print it.");
});

test("[R8 R15] compacted again and again, the skill never becomes what the user asks or demands", async () => {
  const compactor = createCompactor({ window: 8_000 });
  let body = rawConversation(user(ASK));
  for (let round = 0; round < 6; round++) {
    const long = `Row ${round} of the figures is ${round * 7919}. `.repeat(100);
    body = rawConversation(...body, ...loading, assistant(long));
    const { output, conversation, report } = await compactor.compact(body, { target: 700 });
    expect(report.error).toBeUndefined();
    const text = conversation.messages.map(textOfMessage).join("\n");
    expect(text).toContain(ASK);
    expect(constraintsOf(readConversation(output).messages)).toEqual(["Never use red."]);
    body = output as typeof body;
  }
});
