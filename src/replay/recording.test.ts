import { expect, test } from "vitest";
import { assistant, call, rawConversation, result, system, user } from "../testing/builders.ts";
import { appended, readRecording } from "./recording.ts";

const talk = rawConversation(
  system("Be brief."),
  user("Read it."),
  assistant("", call("read", { path: "a.ts" })),
  result("text"),
  assistant("Done."),
);

test("a request goes before each message of the assistant, and all requests together are the conversation", () => {
  const { frame, exchanges } = readRecording(talk);
  expect(exchanges.map(({ added }) => added.length)).toEqual([2, 2]);
  const body = exchanges.reduce((sent, { added }) => appended(sent, added), frame);
  expect(body).toEqual(talk.slice(0, -1));
});

test("what stands around the messages of a body stays in every request", () => {
  const body = { model: "claude-sonnet-4", system: "Be brief.", messages: [user("a"), assistant("b")] };
  const { frame, exchanges, model } = readRecording(body, { format: "anthropic" });
  expect(frame).toEqual({ model: "claude-sonnet-4", system: "Be brief.", messages: [] });
  expect(appended(frame, exchanges[0]!.added)).toEqual({ ...body, messages: [user("a")] });
  expect(model).toBe("claude-sonnet-4");
});

test("one answer of the Responses API is one request, however many items it has", () => {
  const input = [
    { type: "message", role: "user", content: "go" },
    { type: "message", role: "assistant", content: "I look." },
    { type: "function_call", call_id: "1", name: "read", arguments: "{}" },
    { type: "function_call_output", call_id: "1", output: "text" },
    { type: "message", role: "assistant", content: "Done." },
  ];
  const { frame, exchanges } = readRecording({ input });
  expect(exchanges).toHaveLength(2);
  const body = exchanges.reduce((sent, { added }) => appended(sent, added), frame);
  expect(body).toEqual({ input: input.slice(0, -1) });
});

test("an answer's timestamp is its time, in seconds, milliseconds or as a date", () => {
  const stamps = [1_700_000_000, 1_700_000_000_000, "2023-11-14T22:13:20Z"];
  const stamped = stamps.map((timestamp) => ({ ...assistant("a"), timestamp }));
  const { exchanges } = readRecording([user("go"), ...stamped, assistant("b")]);
  expect(exchanges.map(({ at }) => at)).toEqual([1.7e12, 1.7e12, 1.7e12, undefined]);
});

test("a conversation without an assistant cannot be replayed", () => {
  expect(() => readRecording([user("hello")])).toThrow("no request");
});
