import { expect, test } from "vitest";
import { withMessages } from "../../conversation/conversation.ts";
import { type Message, withParts } from "../../conversation/message.ts";
import type { Part } from "../../conversation/part.ts";
import { groupsOf } from "../../conversation/turn.ts";
import { openAIChat } from "./format.ts";

type Wire = Record<string, unknown>;

function read(value: Wire): Message {
  return openAIChat.read([value]).messages[0]!;
}

/** Writes the message with its parts mapped; what a mapping leaves undefined is dropped. */
function rewrite(
  value: Wire,
  map: (part: Part, index: number) => Part | undefined,
  before: readonly Part[] = [],
): Wire {
  const conversation = openAIChat.read([value]);
  const [message] = conversation.messages as [Message];
  const parts = [...before, ...message.parts.map(map).filter((part) => part !== undefined)];
  const written = openAIChat.write(withMessages(conversation, [withParts(message, parts)])) as Wire[];
  return written[0]!;
}

const same = (part: Part): Part => part;
const text = (said: string): Part => ({ type: "text", text: said });
const call = (id: string, args = '{"a":1}') => ({
  id,
  type: "function",
  function: { name: "f", arguments: args },
});

test("reads every role, a developer's as system and a function's as tool", () => {
  const roles = [
    "system",
    "developer",
    "user",
    "assistant",
    "tool",
    "function",
    "critic",
    7,
    undefined,
    "toString",
  ];
  const { messages } = openAIChat.read(roles.map((role) => ({ role, content: "x" })));
  expect(messages.map((message) => message.role)).toEqual([
    "system",
    "system",
    "user",
    "assistant",
    "tool",
    "tool",
    "other",
    "other",
    "other",
    "other",
  ]);
  expect(messages.map((message) => message.position)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("reads model and tools of the body, functions included", () => {
  const body = { model: "m", tools: [{ a: 1 }], functions: [{ b: 2 }], messages: [] };
  expect(openAIChat.read(body)).toMatchObject({ model: "m", tools: [{ a: 1 }, { b: 2 }] });
  expect(openAIChat.read({ model: 5, tools: "x", messages: [] })).toMatchObject({ tools: [] });
});

test("reads each kind of content part", () => {
  const content = [
    { type: "text", text: "a" },
    { type: "image_url", image_url: { url: "u", detail: "low" } },
    { type: "input_audio", input_audio: {} },
    { type: "file", file: {} },
    { type: "refusal", refusal: "no" },
    "bare",
  ];
  expect(read({ role: "user", content }).parts).toEqual([
    text("a"),
    { type: "media", kind: "image", detail: "low" },
    { type: "media", kind: "audio" },
    { type: "media", kind: "document" },
    { type: "opaque", kind: "refusal", text: '{"type":"refusal","refusal":"no"}' },
    text("bare"),
  ]);
});

test("[F51] reads null, missing and wrong-typed content without a part or as opaque", () => {
  expect(read({ role: "user", content: null }).parts).toEqual([]);
  expect(read({ role: "assistant" }).parts).toEqual([]);
  expect(read({ role: "user", content: 42 }).parts).toEqual([{ type: "opaque", kind: "number", text: "42" }]);
  expect(read({ role: "tool", tool_call_id: "c", content: null }).parts).toMatchObject([
    { pairId: "c", text: "" },
  ]);
  expect(read({ role: "assistant", tool_calls: "x" }).parts).toEqual([
    { type: "opaque", kind: "string", text: "x" },
  ]);
});

test("[F51] a message with null content can be given text", () => {
  const system = { role: "system", content: null };
  expect(rewrite(system, same, [text("note")])).toEqual({ role: "system", content: "note" });
});

test("reads calls of every type, arguments as the wire has them", () => {
  const value = {
    role: "assistant",
    content: "",
    tool_calls: [
      call("c1", "{broken"),
      { id: "c2", type: "custom", custom: { name: "g", input: "free text" } },
      { id: "c3", type: "function", function: { name: "h", arguments: { a: 1 } } },
      { id: "c4" },
    ],
    function_call: { name: "old", arguments: "{}" },
  };
  expect(read(value).parts).toMatchObject([
    { pairId: "c1", name: "f", arguments: "{broken" },
    { pairId: "c2", name: "g", arguments: "free text" },
    { pairId: "c3", name: "h", arguments: '{"a":1}' },
    { pairId: "c4", name: "", arguments: "" },
    { pairId: "", name: "old", arguments: "{}" },
  ]);
});

test("reads thinking once, whatever it is called, and marks what is sealed", () => {
  const value = {
    role: "assistant",
    content: "x",
    reasoning_content: "hm",
    reasoning: "hm",
    reasoning_details: [{ type: "reasoning.encrypted", data: "zzz" }],
  };
  expect(read(value).parts).toEqual([
    { type: "reasoning", text: "hm", signed: false },
    { type: "reasoning", text: "", signed: true, sealed: 3 },
    text("x"),
  ]);
  const blocks = {
    role: "assistant",
    thinking_blocks: [{ type: "thinking", thinking: "t", signature: "s" }],
  };
  expect(read(blocks).parts).toEqual([{ type: "reasoning", text: "t", signed: true, sealed: 1 }]);
});

test("[R3] pairs a call and its result by whichever of the call's ids the result names", () => {
  const calls = [
    { ...call("fc_1"), call_id: "call_1" },
    { ...call("fc_2"), call_id: "call_2" },
  ];
  const list = [
    { role: "assistant", content: null, tool_calls: calls },
    { role: "tool", tool_call_id: "fc_1", content: "one" },
    { role: "tool", call_id: "call_2", content: "two" },
  ];
  const conversation = openAIChat.read(list);
  const results = conversation.messages.slice(1).map((message) => message.parts[0]);
  expect(results).toMatchObject([{ pairId: "call_1" }, { pairId: "call_2" }]);
  expect(groupsOf(conversation.messages)).toEqual([{ start: 0, end: 3, inFlight: false }]);
  expect(openAIChat.write(conversation)).toBe(list);
  const ids = { role: "tool", tool_call_ids: ["c9"], content: "x" };
  expect(read(ids).parts).toMatchObject([{ pairId: "c9" }]);
});

test("a changed text keeps everything else of its message", () => {
  const value = { role: "user", name: "ann", content: "long", flag: { x: 1 } };
  expect(rewrite(value, () => text("short"))).toEqual({
    role: "user",
    name: "ann",
    content: "short",
    flag: { x: 1 },
  });
  expect(rewrite(value, same, [text("before")]).content).toBe("before\n\nlong");
});

test("a changed part keeps its wrapper and the others are the same pieces", () => {
  const content = [
    { type: "text", text: "a", cache_control: { type: "ephemeral" } },
    { type: "image_url", image_url: { url: "u" } },
    { type: "text", text: "b", id: 2 },
    { type: "hologram" },
  ];
  const written = rewrite({ role: "user", content }, (part, index) => (index === 2 ? text("B") : part));
  expect(written.content).toEqual([content[0], content[1], { type: "text", text: "B", id: 2 }, content[3]]);
  expect((written.content as unknown[])[1]).toBe(content[1]);
  const dropped = rewrite({ role: "user", content }, (part, index) => (index < 2 ? undefined : part), [
    text("n"),
  ]);
  expect(dropped.content).toEqual([{ ...content[0], text: "n" }, content[2], content[3]]);
  const added = rewrite({ role: "user", content }, (part, index) => (index === 2 ? undefined : part), [
    text("n"),
  ]);
  expect(added.content).toEqual([{ type: "text", text: "n" }, content[0], content[1], content[3]]);
});

test("calls that are dropped vanish, and content is legal without them", () => {
  const value = { role: "assistant", content: null, tool_calls: [call("c1"), call("c2")] };
  const oneLeft = rewrite(value, (part, index) => (index === 0 ? undefined : part));
  expect(oneLeft).toEqual({ role: "assistant", content: null, tool_calls: [value.tool_calls[1]] });
  expect(rewrite(value, () => undefined)).toEqual({ role: "assistant", content: "" });
  const spoken = { role: "assistant", content: "said", tool_calls: [call("c1")] };
  expect(rewrite(spoken, (part) => (part.type === "text" ? undefined : part)).content).toBe(null);
  const silent = { role: "assistant", tool_calls: [call("c1")], reasoning: "r" };
  expect(rewrite(silent, (part) => (part.type === "reasoning" ? undefined : part))).toEqual({
    role: "assistant",
    tool_calls: silent.tool_calls,
  });
  expect(rewrite({ role: "user", content: [{ type: "text", text: "x" }] }, () => undefined).content).toBe("");
});

test("changed arguments go into the call of the same id, whatever its shape", () => {
  const value = {
    role: "assistant",
    content: "",
    tool_calls: [
      { ...call("c1"), extra: 1 },
      { id: "c2", type: "custom", custom: { name: "g", input: "long" } },
      { id: "c3", type: "function", function: { name: "h", arguments: { a: 1 } } },
      { id: "c4", name: "flat", arguments: "{}" },
    ],
  };
  const shrink = (part: Part): Part => (part.type === "tool-call" ? { ...part, arguments: '{"b":2}' } : part);
  expect(rewrite(value, shrink).tool_calls).toEqual([
    { ...call("c1", '{"b":2}'), extra: 1 },
    { id: "c2", type: "custom", custom: { name: "g", input: '{"b":2}' } },
    { id: "c3", type: "function", function: { name: "h", arguments: { b: 2 } } },
    { id: "c4", name: "flat", arguments: '{"b":2}' },
  ]);
  const legacy = { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } };
  expect(rewrite(legacy, shrink).function_call).toEqual({ name: "f", arguments: '{"b":2}' });
  expect(rewrite(legacy, same)).toEqual(legacy);
  expect(rewrite(legacy, () => undefined)).toEqual({ role: "assistant", content: "" });
  const strange = { role: "assistant", content: "x", tool_calls: "y", function_call: 5 };
  expect(rewrite(strange, same)).toEqual(strange);
});

test("[R6] arguments that were cut out of shape are written as valid JSON all the same", () => {
  const cut = (part: Part): Part => (part.type === "tool-call" ? { ...part, arguments: '{"path":"a' } : part);
  const inText = rewrite({ role: "assistant", content: null, tool_calls: [call("c1")] }, cut);
  expect(inText.tool_calls).toEqual([call("c1", '{"_raw":"{\\"path\\":\\"a"}')]);
  const asObject = { id: "c1", type: "function", function: { name: "f", arguments: { a: 1 } } };
  const inObject = rewrite({ role: "assistant", content: null, tool_calls: [asObject] }, cut);
  expect(inObject.tool_calls).toEqual([
    { id: "c1", type: "function", function: { name: "f", arguments: { _raw: '{"path":"a' } } },
  ]);
});

test("dropped thinking leaves under all its names; kept thinking stays as it is", () => {
  const value = {
    role: "assistant",
    content: "x",
    reasoning_content: "hm",
    reasoning: "hm",
    reasoning_details: [{ data: "1" }, { data: "2" }],
    refusal: "no",
    audio: { id: "a" },
  };
  expect(rewrite(value, same)).toEqual(value);
  expect(rewrite(value, (part) => (part.type === "text" ? part : undefined))).toEqual({
    role: "assistant",
    content: "x",
  });
  const edited = rewrite(value, (part) =>
    part.type === "reasoning" && !part.signed ? { ...part, text: "h" } : part,
  );
  expect(edited).toEqual({ ...value, reasoning_content: "h", reasoning: "h" });
});

test("a shortened result stays a string, or keeps the pieces beside its text", () => {
  const shorten = (part: Part): Part => (part.type === "tool-result" ? { ...part, text: "short" } : part);
  const plain = { role: "tool", tool_call_id: "c", name: "f", content: "long" };
  expect(rewrite(plain, shorten)).toEqual({ ...plain, content: "short" });
  expect(rewrite(plain, same)).toEqual(plain);
  expect(rewrite(plain, same, [text("note")]).content).toBe("note\n\nlong");
  expect(rewrite(plain, () => undefined).content).toBe("");
  const image = { type: "image_url", image_url: { url: "u" } };
  const pieces = [{ type: "text", text: "a" }, image, { type: "text", text: "b", cache_control: 1 }];
  const listed = { role: "tool", tool_call_id: "c", content: pieces };
  expect(read(listed).parts).toMatchObject([{ text: "a\nb", attachments: [{ type: "media" }] }]);
  expect(rewrite(listed, shorten).content).toEqual([
    { type: "text", text: "short" },
    { ...image, cache_control: 1 },
  ]);
  const bare = (part: Part): Part => (part.type === "tool-result" ? { ...part, attachments: [] } : part);
  expect(rewrite(listed, bare).content).toEqual([pieces[0], pieces[2]]);
  expect(rewrite(listed, same, [text("note")]).content).toEqual([{ type: "text", text: "note" }, ...pieces]);
  const empty = (part: Part): Part =>
    part.type === "tool-result" ? { ...part, text: "", attachments: [] } : part;
  expect(rewrite(listed, empty).content).toBe("");
  const onlyImage = { role: "tool", tool_call_id: "c", content: [image] };
  expect(rewrite(onlyImage, shorten).content).toEqual([{ type: "text", text: "short" }, image]);
  const described = (part: Part): Part =>
    part.type === "tool-result"
      ? {
          ...part,
          attachments: [
            { type: "opaque", kind: "note", text: "was an image" },
            { type: "media", kind: "image" },
          ],
        }
      : part;
  const asText = [
    { type: "text", text: "was an image" },
    { type: "text", text: "[image]" },
  ];
  expect(rewrite(onlyImage, described).content).toEqual(asText);
  expect(rewrite(plain, described).content).toEqual([{ type: "text", text: "long" }, ...asText]);
});

test("results that are gathered in one message are still told, the first as the answer", () => {
  const conversation = openAIChat.read([
    { role: "tool", tool_call_id: "a", content: "one" },
    { role: "tool", tool_call_id: "b", content: [{ type: "text", text: "two" }] },
    { role: "user", content: [] },
  ]);
  const [first, second, user] = conversation.messages as [Message, Message, Message];
  const write = (message: Message, parts: readonly Part[]): unknown =>
    (openAIChat.write(withMessages(conversation, [withParts(message, parts)])) as Wire[])[0];
  expect(write(first, [...first.parts, ...second.parts])).toEqual({
    role: "tool",
    tool_call_id: "a",
    content: "one\n\ntwo",
  });
  expect(write(second, [...second.parts, ...first.parts])).toEqual({
    role: "tool",
    tool_call_id: "b",
    content: [
      { type: "text", text: "two" },
      { type: "text", text: "one" },
    ],
  });
  expect(write(user, [...second.parts, ...first.parts])).toEqual({
    role: "user",
    content: [
      { type: "text", text: "two" },
      { type: "text", text: "one" },
    ],
  });
});

test("parts that move to another message come along as the pieces they were", () => {
  const list = [
    { role: "user", content: "a" },
    { role: "user", content: [{ type: "image_url", image_url: { url: "u" } }] },
  ];
  const conversation = openAIChat.read(list);
  const [first, second] = conversation.messages as [Message, Message];
  const merged = withParts(first, [...first.parts, ...second.parts, { type: "media", kind: "image" }]);
  expect(openAIChat.write(withMessages(conversation, [merged]))).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "a" },
        { type: "image_url", image_url: { url: "u" } },
        { type: "text", text: "[image]" },
      ],
    },
  ]);
});

test("[R7] nothing but keys of the wire is written", () => {
  const conversation = openAIChat.read([{ role: "user", content: "a" }]);
  const [first] = conversation.messages as [Message];
  const result: Part = {
    type: "tool-result",
    pairId: "n",
    text: "r",
    attachments: [],
    isError: true,
    server: false,
  };
  const made: Part = { type: "tool-call", pairId: "n", name: "f", arguments: "{}", server: false };
  const messages = [
    { ...withParts(first, [text("b")]), pinned: true },
    {
      ...openAIChat.create("assistant", [{ type: "reasoning", text: "hm", signed: false }, made]),
      pinned: true,
    },
    openAIChat.create("tool", [result]),
    openAIChat.create("other", [text("c")]),
    openAIChat.create("system", [text("d")]),
  ];
  expect(openAIChat.write(withMessages(conversation, messages))).toEqual([
    { role: "user", content: "b" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "n", type: "function", function: { name: "f", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "n", content: "r" },
    { role: "user", content: "c" },
    { role: "system", content: "d" },
  ]);
});
