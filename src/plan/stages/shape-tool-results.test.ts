import { expect, test } from "vitest";
import { toolResultsOf } from "../../conversation/message.ts";
import { presets } from "../../policy/presets.ts";
import { readConversation } from "../../providers/detect.ts";
import { assistant, call, conversation, result, user } from "../../testing/builders.ts";
import { createTokenCounter } from "../../tokens/counter.ts";
import { applyEdits } from "../apply-edits.ts";
import { dropDuplicates } from "./drop-duplicates.ts";
import { shapeToolResults } from "./shape-tool-results.ts";
import type { StageContext } from "./stage.ts";

type Messages = ReturnType<typeof conversation>["messages"];

const counter = createTokenCounter();
const log = (lines: number) =>
  Array.from({ length: lines }, (_, at) => `12:00:${at % 60} INFO worker ${at} finished its share`).join(
    "\n",
  );
const ran = (command: string, text: string) => [assistant("", call("bash", { command })), result(text)];

function contextOf(messages: Messages, context: Partial<StageContext> = {}): StageContext {
  return {
    policy: presets.balanced,
    counter,
    editable: new Set(messages.map(({ position }) => position)),
    tokensToSave: Number.POSITIVE_INFINITY,
    ...context,
  };
}

function run(messages: Messages, context: Partial<StageContext> = {}) {
  const edits = shapeToolResults.propose(messages, contextOf(messages, context));
  return { edits, positions: edits.map((edit) => edit.kind === "replace" && edit.position) };
}

const { messages } = conversation(
  user("go"),
  ...ran("a", log(200)),
  ...ran("b", log(900)),
  ...ran("c", "ok"),
);

test("shapes large results, oldest first or largest first as the policy says", () => {
  expect(run(messages).positions).toEqual([2, 4]);
  expect(run(messages, { tokensToSave: 1 }).positions).toEqual([2]);
  const policy = { ...presets.gptme, shape: { minTokens: 400, order: "largest-first" as const } };
  expect(run(messages, { policy, tokensToSave: 1 }).positions).toEqual([4]);
});

test("does nothing without a rule or outside what may be edited", () => {
  const { shape: _, ...never } = presets.balanced;
  expect(run(messages, { policy: never }).edits).toEqual([]);
  expect(run(messages, { editable: new Set([0, 1, 4]) }).positions).toEqual([4]);
});

test("[R40] a failure inside a shaped result stays, and a tool error stays whole", () => {
  const failing = `${log(300)}\nERROR: disk quota exceeded on /dev/sdb1\n${log(300)}\nexit code 3`;
  const told = conversation(
    ...ran("make", failing),
    assistant("", call("read")),
    result(log(900), { isError: true }),
  );
  const { edits } = run(told.messages);
  expect(edits.map((edit) => edit.kind === "replace" && edit.position)).toEqual([1]);
  const [shaped] = toolResultsOf(applyEdits(told.messages, edits)[1]!);
  expect(shaped!.text).toContain("ERROR: disk quota exceeded on /dev/sdb1");
  expect(shaped!.text).toContain("exit code 3");
});

test("what a pointer leads to stays as it is", () => {
  const twice = conversation(
    user("go"),
    ...ran("a", log(300)),
    ...ran("b", log(300)),
    ...ran("c", log(301)),
  ).messages;
  const pointed = applyEdits(twice, dropDuplicates.propose(twice, contextOf(twice)));
  expect(run(pointed).positions).toEqual([6]);
});

test("leaves what the provider ran itself, and shapes beside it", () => {
  const read = readConversation({
    model: "claude-sonnet-4",
    messages: [
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: [
          { type: "server_tool_use", id: "s", name: "web_search", input: { query: "q" } },
          {
            type: "web_search_tool_result",
            tool_use_id: "s",
            content: [{ type: "x", title: log(300), url: "u" }],
          },
          { type: "tool_use", id: "c", name: "bash", input: { command: "make" } },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: log(300) }] },
    ],
  });
  expect(run(read.messages).positions).toEqual([2]);
});

test("shapes a result whose call is gone, and text that is no result not at all", () => {
  const told = conversation(user(log(500)), assistant(log(500)), result(log(500), { id: "nobody" }));
  expect(run(told.messages).positions).toEqual([2]);
});
