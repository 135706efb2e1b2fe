import { expect, test } from "vitest";
import { presets } from "../../policy/presets.ts";
import { readConversation } from "../../providers/detect.ts";
import { assistant, call, conversation, result, user, type WireMessage } from "../../testing/builders.ts";
import { createTokenCounter } from "../../tokens/counter.ts";
import { applyEdits } from "../apply-edits.ts";
import { dropDuplicates, pointedAt } from "./drop-duplicates.ts";
import type { StageContext } from "./stage.ts";

const counter = createTokenCounter();
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `${from + at}: const value${from + at} = ${from + at};`).join(
    "\n",
  );
const listing = lines(0, 40);

function run(told: readonly WireMessage[], context: Partial<StageContext> = {}) {
  return runOn(conversation(...told).messages, context);
}

function runOn(messages: ReturnType<typeof conversation>["messages"], context: Partial<StageContext> = {}) {
  const edits = dropDuplicates.propose(messages, {
    policy: presets.balanced,
    counter,
    editable: new Set(messages.map(({ position }) => position)),
    tokensToSave: Number.POSITIVE_INFINITY,
    ...context,
  });
  const after = applyEdits(messages, edits);
  const results = after.flatMap(({ parts }) => parts).filter((part) => part.type === "tool-result");
  return { edits, after, texts: results.map(({ text }) => text) };
}

const read = (path: string, text: string) => [assistant("", call("read_file", { path })), result(text)];

test("replaces every copy but the newest by a pointer that names it", () => {
  const { texts, edits } = run([
    user("go"),
    ...read("a", listing),
    ...read("b", listing),
    ...read("c", listing),
  ]);
  const pointer = "[pith: this output is shown in full by the later read_file result of call call_3]";
  expect(texts).toEqual([pointer, pointer, listing]);
  expect(edits.map((edit) => edit.kind === "replace" && edit.position)).toEqual([2, 4]);
});

test("points an earlier read of some lines to a later read of more lines of the same file", () => {
  const { texts } = run([...read("a.ts", lines(10, 40)), ...read("a.ts", lines(0, 80))]);
  expect(texts[0]).toContain("call call_2");
  expect(texts[1]).toBe(lines(0, 80));
});

test("knows the file of a read by the argument in which the tool has it", () => {
  const read = (text: string) => [
    assistant("", call("NotebookRead", { notebook_path: "/a.ipynb" })),
    result(text),
  ];
  expect(run([...read(lines(10, 40)), ...read(lines(0, 80))]).texts[0]).toContain("call call_2");
});

test("leaves a read alone when the later one is of another file, smaller, or changed", () => {
  for (const later of [
    read("b.ts", lines(0, 80)),
    read("a.ts", lines(20, 40)),
    read("a.ts", lines(11, 90)),
  ]) {
    expect(run([...read("a.ts", lines(10, 40)), ...later]).edits).toEqual([]);
  }
});

test("leaves short results, results with media, and what may not be edited", () => {
  expect(run([...read("a", "short"), ...read("a", "short")]).edits).toEqual([]);
  const told = [...read("a", listing), ...read("a", listing)];
  expect(run(told, { editable: new Set([0, 2, 3]) }).edits).toEqual([]);
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
  const withImage = { ...result(""), content: [{ type: "text", text: listing }, image] };
  expect(run([told[0]!, withImage, ...told.slice(2)]).edits).toEqual([]);
});

test("does nothing when the policy says so, and stops when enough is saved", () => {
  const told = [...read("a", listing), ...read("b", listing), ...read("c", listing)];
  expect(run(told, { policy: presets.gptme }).edits).toEqual([]);
  expect(run(told, { tokensToSave: 1 }).edits).toHaveLength(1);
});

test("never makes a message larger, however long the id of the call", () => {
  const id = "x".repeat(3000);
  const told = [
    assistant("", call("f", {}, "one")),
    result(listing),
    assistant("", call("f", {}, id)),
    result(listing),
  ];
  expect(run(told).edits).toEqual([]);
});

test.each([
  ["an empty name", "", "call_9"],
  ["a name of several lines", "read\nfile", "call_9"],
  ["a name beyond measure", "f".repeat(300), "call_9"],
])("the target of a pointer is found again after %s", (_, name, id) => {
  const told = [
    assistant("", call("f", {}, "one")),
    result(listing),
    assistant("", call(name, {}, id)),
    result(listing),
  ];
  const { after, edits } = run(told);
  expect(edits).toHaveLength(1);
  expect(pointedAt(after)).toEqual(new Set([id]));
});

test("points to no call whose id could not be read back", () => {
  const told = [
    assistant("", call("f", {}, "one")),
    result(listing),
    assistant("", call("f", {}, "an id")),
    result(listing),
  ];
  expect(run(told).edits).toEqual([]);
});

test("replaces one of several results in a message and leaves the others", () => {
  const use = (id: string) => ({ type: "tool_use", id, name: "read", input: { path: id } });
  const answer = (id: string, content: string) => ({ type: "tool_result", tool_use_id: id, content });
  const { messages } = readConversation({
    model: "claude-sonnet-4",
    system: "s",
    messages: [
      { role: "user", content: "go" },
      { role: "assistant", content: [use("a"), use("b")] },
      { role: "user", content: [answer("a", listing), answer("b", lines(50, 90))] },
      { role: "assistant", content: [use("c")] },
      { role: "user", content: [answer("c", listing)] },
    ],
  });
  const { texts } = runOn(messages);
  expect(texts[0]).toContain("result of call c]");
  expect(texts.slice(1)).toEqual([lines(50, 90), listing]);
});

test("gets through megabytes of one letter read twice from one file", () => {
  const a = "a".repeat(300_000);
  expect(run([...read("f", `${a}b${a}`), ...read("f", a.repeat(4))]).edits).toEqual([]);
});
