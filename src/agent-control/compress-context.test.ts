import { expect, test } from "vitest";
import { assistant, call, conversation, result, user, type WireMessage } from "../testing/builders.ts";
import {
  COMPRESS_CONTEXT_HINT,
  compressContextDescription,
  compressContextParameters,
  compressContextResult,
  requestedCompaction,
} from "./compress-context.ts";

const asked = (args: unknown, ...rest: readonly WireMessage[]) =>
  conversation(user("go"), assistant("", call("compress_context", args, "c1")), ...rest).messages;
const answered = result("Compaction requested", { id: "c1" });

test("[F72 F73] the description names purpose, moments, what is preserved and the live fill", () => {
  const description = compressContextDescription(0.784);
  expect(description).toBe(
    "Compact the conversation history to free context space. Use at task boundaries, before large tool results, or after extracting key findings. Recent turns are always preserved. Current context fill: 78%.",
  );
  expect(compressContextDescription(undefined)).toContain("Current context fill: unknown.");
  expect(COMPRESS_CONTEXT_HINT).toContain("before large tool results or at task boundaries");
});

test("[F73] reason is required; strategy and markers have defaults", () => {
  expect(compressContextParameters.required).toEqual(["reason"]);
  expect(compressContextParameters.properties.strategy.enum).toEqual(["summarize", "archive"]);
  expect(requestedCompaction(asked({ reason: "sub-goal done" }, answered))).toEqual({
    callId: "c1",
    strategy: "summarize",
    preserveMarkers: true,
    reason: "sub-goal done",
  });
});

test("[F74] the tool's answer only says that compaction was asked for", () => {
  expect(compressContextResult({ reason: "step done" })).toBe("Compaction requested: step done");
});

test("[F74] a request waits for the whole batch to be answered", () => {
  const two = conversation(
    user("go"),
    assistant("", call("compress_context", { reason: "r" }, "c1"), call("read", { path: "a" }, "c2")),
    answered,
  );
  expect(requestedCompaction(two.messages)).toBeUndefined();
  expect(
    requestedCompaction([...two.messages, ...conversation(result("x", { id: "c2" })).messages]),
  ).toBeDefined();
});

test("[R50] a request is honoured once, and is gone when the agent has moved on", () => {
  const messages = asked({ reason: "r" }, answered);
  expect(requestedCompaction(messages, "c1")).toBeUndefined();
  expect(requestedCompaction(asked({ reason: "r" }, answered, assistant("next")))).toBeUndefined();
});

test.each([{}, { reason: " " }, { reason: 3 }, "text", null])(
  "a call without a reason is no request: %j",
  (args) => {
    expect(requestedCompaction(asked(args, answered))).toBeUndefined();
  },
);

test.each([
  "mcp__pith__compress_context",
  "pith_compress_context",
  "pith.compress_context",
  "mcp_pith_compress_context",
])("lax booleans and the name %s of an MCP client are understood", (name) => {
  const asking = { reason: "r", preserve_markers: "False", strategy: "archive" };
  const { messages } = conversation(user("go"), assistant("", call(name, asking, "c1")), answered);
  expect(requestedCompaction(messages)).toMatchObject({ preserveMarkers: false, strategy: "archive" });
});

test("a tool whose name only holds it is another tool", () => {
  for (const name of ["decompress_context", "compress_context_now"]) {
    const { messages } = conversation(user("go"), assistant("", call(name, { reason: "r" }, "c1")), answered);
    expect(requestedCompaction(messages)).toBeUndefined();
  }
});

test("no assistant message, no request", () => {
  expect(requestedCompaction(conversation(user("hi")).messages)).toBeUndefined();
});
