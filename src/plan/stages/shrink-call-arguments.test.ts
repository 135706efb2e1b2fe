import { expect, test } from "vitest";
import { toolCallsOf } from "../../conversation/message.ts";
import { presets } from "../../policy/presets.ts";
import { readConversation } from "../../providers/detect.ts";
import { assistant, call, conversation, result, user } from "../../testing/builders.ts";
import { createTokenCounter } from "../../tokens/counter.ts";
import { applyEdits } from "../apply-edits.ts";
import { shrinkArguments, shrinkCallArguments } from "./shrink-call-arguments.ts";
import type { StageContext } from "./stage.ts";

const counter = createTokenCounter();
const text = "const a = 1;\nconst b = 2;\n".repeat(40);

/** No preset has this stage; a policy of one's own may. */
const policy = { ...presets.balanced, shrinkArguments: { leafChars: 200, minChars: 500 } };

function run(messages: ReturnType<typeof conversation>["messages"], context: Partial<StageContext> = {}) {
  const edits = shrinkCallArguments.propose(messages, {
    policy,
    counter,
    editable: new Set(messages.map(({ position }) => position)),
    tokensToSave: Number.POSITIVE_INFINITY,
    ...context,
  });
  return { edits, after: applyEdits(messages, edits) };
}

const write = (path: string) => [assistant("", call("write_file", { path, text })), result("written")];

test("[R42] a long value becomes one remark about the whole of it; no part of it is left to be copied", () => {
  const { after } = run(conversation(user("go"), ...write("src/a.ts")).messages);
  expect(JSON.parse(toolCallsOf(after[1]!)[0]!.arguments)).toEqual({
    path: "src/a.ts",
    text: "[pith: 1040 characters in 81 lines left out]",
  });
});

test("[R6] what is left is valid JSON, and all but the long values stays character for character", () => {
  const long = JSON.stringify('x"\\\n'.repeat(100));
  const given = (value: string) =>
    `{ "id": 12345678901234567890, "r":1.0,"a":[${value} , {"\\u0061":"é"}],"a":null }`;
  const shrunk = shrinkArguments(given(long), 200)!;
  expect(shrunk).toBe(given('"[pith: 400 characters in 101 lines left out]"'));
  JSON.parse(shrunk);
});

test.each([
  ["what is not JSON", `{"a": "${"x".repeat(600)}`],
  [
    "what has no long value",
    JSON.stringify(
      Array.from({ length: 100 }, (_, at) => `value ${at}`),
      null,
      2,
    ),
  ],
  ["a long key", JSON.stringify({ ["k".repeat(600)]: 1 })],
  ["nothing", ""],
])("leaves %s", (_, json) => {
  expect(shrinkArguments(json, 200)).toBeUndefined();
});

test("leaves a value that is shorter than the remark about it", () => {
  const short = "thirty characters, not shorter";
  expect(shrinkArguments(JSON.stringify({ a: short, b: "x".repeat(600) }), 10)).toBe(
    JSON.stringify({ a: short, b: "[pith: 600 characters left out]" }),
  );
});

test("counts the characters of a value, not of its escapes", () => {
  expect(shrinkArguments(JSON.stringify("\u0001".repeat(100)), 200)).toBeUndefined();
  expect(shrinkArguments(JSON.stringify("\u0001".repeat(201)), 200)).toContain("201 characters");
});

test("shrinking what was shrunk changes nothing", () => {
  const shrunk = shrinkArguments(JSON.stringify({ a: text, b: text }), 200)!;
  expect(shrinkArguments(shrunk, 200)).toBeUndefined();
});

test("does not mind arguments nested beyond the stack", () => {
  const nested = `${"[".repeat(50_000)}${JSON.stringify(text)}${"]".repeat(50_000)}`;
  expect(shrinkArguments(nested, 200)!.length).toBeLessThan(nested.length);
});

test("does nothing without a rule, outside what may be edited, or once enough is saved", () => {
  const { messages } = conversation(
    user("go"),
    ...write("a"),
    ...write("b"),
    assistant("", call("ls", { path: "." })),
  );
  const never = presets.balanced;
  expect(run(messages, { policy: never }).edits).toEqual([]);
  expect(run(messages, { editable: new Set([0, 2, 4]) }).edits).toEqual([]);
  expect(run(messages, { tokensToSave: 1 }).edits).toHaveLength(1);
  expect(run(messages).edits).toHaveLength(2);
});

test("leaves calls that the provider ran itself", () => {
  const { messages } = readConversation({
    model: "claude-sonnet-4",
    messages: [
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: [{ type: "server_tool_use", id: "s", name: "web_search", input: { query: text } }],
      },
    ],
  });
  expect(run(messages).edits).toEqual([]);
});
