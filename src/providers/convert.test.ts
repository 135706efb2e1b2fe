import { expect, test } from "vitest";
import { assistant, call, conversation, result, system, user } from "../testing/builders.ts";
import { convertConversation } from "./convert.ts";
import { readConversation, writeConversation } from "./detect.ts";

function toAnthropic(body: unknown): unknown {
  return writeConversation(convertConversation(readConversation(body, { format: "openai" }), "anthropic"));
}

function toOpenAI(body: unknown): unknown {
  return writeConversation(convertConversation(readConversation(body, { format: "anthropic" }), "openai"));
}

test("what one of several agents says is the assistant's", () => {
  const team = [
    { role: "human", content: "fix it" },
    { role: "planner", content: "on it" },
    { role: "ai", content: "done" },
  ];
  expect(toAnthropic(team)).toEqual({
    messages: [
      { role: "user", content: "fix it" },
      { role: "assistant", content: "on it\n\ndone" },
    ],
  });
  const responses = writeConversation(convertConversation(readConversation(team), "responses"));
  expect(responses).toMatchObject({
    input: [{ role: "user" }, { role: "assistant" }, { role: "assistant" }],
  });
});

test("a conversation with parallel calls becomes one user message of results", () => {
  const told = conversation(
    system("Be brief."),
    system("Be kind."),
    user("fix it"),
    assistant("", call("read", { path: "a.ts" }, "c1"), call("read", "{broken", "c 2")),
    result("one", { id: "c1" }),
    result("two", { id: "c 2", isError: true }),
    user("and?"),
    assistant(""),
    assistant("done"),
  );
  expect(writeConversation(convertConversation(told, "anthropic-messages"))).toEqual({
    system: "Be brief.\n\nBe kind.",
    messages: [
      { role: "user", content: "fix it" },
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "c1", name: "read", input: { path: "a.ts" } },
          { type: "tool_use", id: "c_2", name: "read", input: { _raw: "{broken" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c1", content: "one" },
          { type: "tool_result", tool_use_id: "c_2", content: "two", is_error: true },
          { type: "text", text: "and?" },
        ],
      },
      { role: "assistant", content: "done" },
    ],
  });
});

test("calls without ids are given some, in order, and so are their results", () => {
  const written = toAnthropic([
    { role: "assistant", content: null, function_call: { name: "f", arguments: "" } },
    { role: "function", name: "f", content: "r" },
    { role: "function", name: "g", content: "orphan" },
  ]) as { messages: { content: { id?: string; tool_use_id?: string }[] }[] };
  expect(
    written.messages.map(({ content }) => content.map((block) => block.id ?? block.tool_use_id)),
  ).toEqual([["call_1"], ["call_1", "call_2"]]);
});

test("a conversation of results and texts is taken apart again", () => {
  const body = {
    model: "m",
    system: "s",
    tools: [{ name: "f", description: "d", input_schema: { type: "object" } }, { type: "web_search" }, 5],
    messages: [
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "x" },
          { type: "text", text: "ok" },
          { type: "tool_use", id: "t", name: "f", input: { a: 1 } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t", content: "r" },
          { type: "text", text: "next" },
        ],
      },
      { role: "assistant", content: [{ type: "thinking", thinking: "hm", signature: "x" }] },
    ],
  };
  const converted = {
    model: "m",
    tools: [
      { type: "function", function: { name: "f", description: "d", parameters: { type: "object" } } },
      { type: "web_search" },
      5,
    ],
    messages: [
      { role: "system", content: "s" },
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: "ok",
        tool_calls: [{ id: "t", type: "function", function: { name: "f", arguments: '{"a":1}' } }],
      },
      { role: "tool", tool_call_id: "t", content: "r" },
      { role: "user", content: "next" },
    ],
  };
  expect(toOpenAI(body)).toEqual(converted);
  expect(toAnthropic(converted)).toEqual({
    ...body,
    messages: [
      body.messages[0],
      {
        role: "assistant",
        content: [
          { type: "text", text: "ok" },
          { type: "tool_use", id: "t", name: "f", input: { a: 1 } },
        ],
      },
      body.messages[2],
    ],
  });
});

test("images are carried over, in messages and in results; other media is named", () => {
  const inline = { type: "image_url", image_url: { url: "data:image/png;base64,QUJD" } };
  const linked = { type: "image_url", image_url: { url: "https://example.com/a.png" } };
  const list = [
    { role: "user", content: [inline, linked, { type: "input_audio", input_audio: {} }] },
    { role: "assistant", content: null, tool_calls: [call("shot", {}, "c1")] },
    {
      role: "tool",
      tool_call_id: "c1",
      content: [{ type: "text", text: "seen" }, inline, { type: "odd", text: "odd" }],
    },
  ];
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "QUJD" } };
  const converted = toAnthropic(list) as { messages: { content: unknown[] }[] };
  expect(converted.messages[0]!.content).toEqual([
    image,
    { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
    { type: "text", text: "[audio]" },
  ]);
  expect(converted.messages[2]!.content).toEqual([
    {
      type: "tool_result",
      tool_use_id: "c1",
      content: [{ type: "text", text: "seen" }, image, { type: "text", text: "odd" }],
    },
  ]);
  const back = toOpenAI(converted) as { messages: { content: unknown }[] };
  expect(back.messages[0]!.content).toEqual([inline, linked, { type: "text", text: "[audio]" }]);
  expect(toOpenAI([{ role: "user", content: [{ type: "image", source: 5 }] }])).toEqual({
    messages: [{ role: "user", content: [{ type: "text", text: "[image]" }] }],
  });
});

test("a conversation that is in the format already stays the same; an empty one stays empty", () => {
  const told = conversation(user("hi"));
  expect(convertConversation(told, "openai")).toBe(told);
  expect(toAnthropic([])).toEqual({ messages: [] });
  expect(toAnthropic([{ role: "system", content: "s" }])).toEqual({ system: "s", messages: [] });
});
