import { expect, test } from "vitest";
import { withMessages } from "../../conversation/conversation.ts";
import { type Message, withParts } from "../../conversation/message.ts";
import type { Part } from "../../conversation/part.ts";
import { anthropicMessages } from "./format.ts";

type Wire = Record<string, unknown>;

const cached = { cache_control: { type: "ephemeral" } };
const same = (part: Part): Part => part;
const text = (said: string): Part => ({ type: "text", text: said });

function partsOf(content: unknown, role = "assistant"): readonly Part[] {
  return anthropicMessages.read([{ role, content }]).messages[0]!.parts;
}

/** Writes the message with its parts mapped; what a mapping leaves undefined is dropped. */
function rewrite(
  value: Wire,
  map: (part: Part, index: number) => Part | undefined,
  before: readonly Part[] = [],
): Wire {
  const conversation = anthropicMessages.read([value]);
  const [message] = conversation.messages as [Message];
  const parts = [...before, ...message.parts.map(map).filter((part) => part !== undefined)];
  const written = anthropicMessages.write(withMessages(conversation, [withParts(message, parts)])) as Wire[];
  return written[0]!;
}

test("reads each kind of block", () => {
  const blocks = [
    { type: "text", text: "a" },
    { type: "image", source: {} },
    { type: "document", source: {} },
    { type: "thinking", thinking: "hm", signature: "s" },
    { type: "thinking", thinking: "hm" },
    { type: "redacted_thinking", data: "zzz" },
    { type: "tool_use", id: "t1", name: "f", input: { a: 1 } },
    { type: "compaction", content: "summary" },
    { type: "hologram" },
    "bare",
  ];
  expect(partsOf(blocks)).toEqual([
    text("a"),
    { type: "media", kind: "image" },
    { type: "media", kind: "document" },
    { type: "reasoning", text: "hm", signed: true, sealed: 1 },
    { type: "reasoning", text: "hm", signed: false },
    { type: "reasoning", text: "", signed: true, sealed: 3 },
    { type: "tool-call", pairId: "t1", name: "f", arguments: '{"a":1}', server: false },
    { type: "opaque", kind: "compaction", text: "summary" },
    { type: "opaque", kind: "hologram", text: '{"type":"hologram"}' },
    text("bare"),
  ]);
});

test("reads results with their errors and attachments", () => {
  const content = [
    { type: "tool_result", tool_use_id: "t1", content: "plain", is_error: true },
    {
      type: "tool_result",
      tool_use_id: "t2",
      content: [{ type: "text", text: "a" }, { type: "image" }, { type: "x" }],
    },
    { type: "tool_result", tool_use_id: "t3" },
  ];
  expect(partsOf(content, "user")).toMatchObject([
    { pairId: "t1", text: "plain", isError: true, server: false },
    { pairId: "t2", text: "a", attachments: [{ kind: "image" }, { kind: "x" }], isError: false },
    { pairId: "t3", text: "" },
  ]);
});

test("marks the provider's own tools and reads what the model sees of their results", () => {
  const content = [
    { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "q" } },
    {
      type: "web_search_tool_result",
      tool_use_id: "s1",
      content: [{ type: "web_search_result", title: "T", url: "u", encrypted_content: "zzz" }],
    },
    { type: "mcp_tool_use", id: "m1", name: "f", input: {} },
    { type: "mcp_tool_result", tool_use_id: "m1", content: [{ type: "text", text: "m" }], is_error: true },
    { type: "code_execution_tool_result", tool_use_id: "c1", content: { stdout: "o", stderr: "e" } },
    {
      type: "web_fetch_tool_result",
      tool_use_id: "w1",
      content: { type: "web_fetch_tool_result_error", error_code: "x" },
    },
    {
      type: "web_fetch_tool_result",
      tool_use_id: "w2",
      content: {
        type: "web_fetch_result",
        url: "u",
        content: { type: "document", source: { data: "page" } },
      },
    },
    { type: "web_search_tool_result", tool_use_id: "n", content: 5 },
    { type: "web_search_tool_result", tool_use_id: "p", content: "said" },
  ];
  const parts = partsOf(content);
  expect(parts.every((part) => "server" in part && part.server)).toBe(true);
  const results = parts.filter((part) => part.type === "tool-result");
  expect(results.map(({ text: said, isError }) => [said, isError])).toEqual([
    ["T\nu", false],
    ["m", true],
    ["o\ne", false],
    ["x", true],
    ["u\npage", false],
    ["", false],
    ["said", false],
  ]);
});

test("[F51] reads null, missing and wrong-typed content", () => {
  expect(partsOf(null)).toEqual([]);
  expect(partsOf(undefined)).toEqual([]);
  expect(partsOf(42)).toEqual([{ type: "opaque", kind: "number", text: "42" }]);
  expect(rewrite({ role: "user", content: null }, same, [text("note")]).content).toBe("note");
  expect(rewrite({ role: "user", content: 42 }, same).content).toBe(42);
});

test("reads the body's system as the first message and writes it back there", () => {
  const body = {
    model: "m",
    tools: [{ name: "f" }],
    system: [{ type: "text", text: "be brief", ...cached }],
    messages: [{ role: "user", content: "hi" }],
  };
  const conversation = anthropicMessages.read(body);
  expect(conversation).toMatchObject({ model: "m", tools: [{ name: "f" }] });
  expect(conversation.messages.map(({ role, position }) => [role, position])).toEqual([
    ["system", 0],
    ["user", 1],
  ]);
  expect(anthropicMessages.read(body).messages[0]).toBe(conversation.messages[0]);
  const [system, user] = conversation.messages as [Message, Message];
  const changed = withMessages(conversation, [withParts(system, [...system.parts, text("a note")]), user]);
  expect(anthropicMessages.write(changed)).toEqual({
    ...body,
    system: [...body.system, { type: "text", text: "a note" }],
  });
  expect(anthropicMessages.write(withMessages(conversation, [user]))).toEqual({
    model: "m",
    tools: [{ name: "f" }],
    messages: body.messages,
  });
});

test("a system message inside the list stays there, and one that is new has no place in a bare list", () => {
  const listed = {
    system: "s",
    messages: [
      { role: "system", content: "x" },
      { role: "user", content: "hi" },
    ],
  };
  const conversation = anthropicMessages.read(listed);
  const [, inside, user] = conversation.messages as [Message, Message, Message];
  const written = anthropicMessages.write(
    withMessages(conversation, [conversation.messages[0]!, inside]),
  ) as Wire;
  expect(written).toEqual({ system: "s", messages: [listed.messages[0]] });
  const bare = anthropicMessages.read([{ role: "user", content: "hi" }]);
  const added = anthropicMessages.create("system", [text("new")]);
  expect(anthropicMessages.write(withMessages(bare, [added]))).toEqual([{ role: "user", content: "new" }]);
  expect(anthropicMessages.write(withMessages(conversation, [user]))).toEqual({
    messages: [listed.messages[1]],
  });
});

test("a changed block keeps its cache breakpoint and the others are the same objects", () => {
  const content = [
    { type: "thinking", thinking: "hm", signature: "s" },
    { type: "text", text: "a", ...cached, citations: [] },
    { type: "tool_use", id: "t1", name: "f", input: { a: 1 }, ...cached },
    { type: "hologram" },
  ];
  const change = (part: Part): Part => {
    if (part.type === "text") return text("b");
    return part.type === "tool-call" ? { ...part, arguments: '{"b":2}' } : part;
  };
  const written = rewrite({ role: "assistant", id: "msg", content }, change);
  expect(written).toEqual({
    role: "assistant",
    id: "msg",
    content: [content[0], { ...content[1], text: "b" }, { ...content[2], input: { b: 2 } }, content[3]],
  });
  expect((written.content as unknown[])[0]).toBe(content[0]);
});

test("signed thinking is never edited, and thinking that is new is not sent", () => {
  const signed = { type: "thinking", thinking: "hm", signature: "s" };
  const unsigned = { type: "thinking", thinking: "hm" };
  const edit = (part: Part): Part => (part.type === "reasoning" ? { ...part, text: "x" } : part);
  expect(rewrite({ role: "assistant", content: [signed] }, edit).content).toEqual([signed]);
  expect(rewrite({ role: "assistant", content: [unsigned] }, edit).content).toEqual([
    { ...unsigned, thinking: "x" },
  ]);
  const fresh: Part = { type: "reasoning", text: "new", signed: false };
  expect(rewrite({ role: "assistant", content: "a" }, same, [fresh]).content).toEqual([
    { type: "text", text: "a" },
  ]);
});

test("a changed result keeps its kind, its cache breakpoint and its attachments", () => {
  const image = { type: "image", source: {} };
  const content = [
    { type: "tool_result", tool_use_id: "t1", content: "long", ...cached },
    {
      type: "tool_result",
      tool_use_id: "t2",
      content: [{ type: "text", text: "long" }, image],
      is_error: true,
    },
  ];
  const shorten = (part: Part): Part =>
    part.type === "tool-result" ? { ...part, text: "short", isError: false } : part;
  expect(rewrite({ role: "user", content }, shorten).content).toEqual([
    { ...content[0], content: "short" },
    { type: "tool_result", tool_use_id: "t2", content: [{ type: "text", text: "short" }, image] },
  ]);
  const fail = (part: Part): Part => (part.type === "tool-result" ? { ...part, isError: true } : part);
  expect((rewrite({ role: "user", content }, fail).content as Wire[])[0]).toEqual({
    ...content[0],
    is_error: true,
  });
});

test("what a server tool answered stays as it is", () => {
  const result = { type: "web_search_tool_result", tool_use_id: "s1", content: [{ title: "T" }] };
  const call = { type: "server_tool_use", id: "s1", name: "web_search", input: {} };
  const edit = (part: Part): Part => (part.type === "tool-result" ? { ...part, text: "x" } : part);
  expect(rewrite({ role: "assistant", content: [call, result] }, edit).content).toEqual([call, result]);
});

test("text that joins results comes after them, as the API demands", () => {
  const results = [{ type: "tool_result", tool_use_id: "t1", content: "r" }];
  const written = rewrite({ role: "user", content: results }, same, [text("note")]);
  expect(written.content).toEqual([...results, { type: "text", text: "note" }]);
});

test("a string stays a string while only text is left; no message is ever without content", () => {
  const said = { role: "user", content: "a", name: "x" };
  expect(rewrite(said, same, [text("note")])).toEqual({ ...said, content: "note\n\na" });
  expect(rewrite(said, same)).toEqual(said);
  expect(rewrite(said, () => undefined).content).toBe("(no content)");
  expect(rewrite(said, () => text("  ")).content).toBe("(no content)");
  const blocks = { role: "assistant", content: [{ type: "text", text: "a" }] };
  expect(rewrite(blocks, () => undefined).content).toEqual([{ type: "text", text: "(no content)" }]);
  expect(rewrite(blocks, () => text(" ")).content).toEqual([{ type: "text", text: "(no content)" }]);
});

test("[R6] arguments that are no object are kept as text inside one", () => {
  const content = [{ type: "tool_use", id: "t1", name: "f", input: { a: 1 } }];
  const cut = (args: string) => (part: Part) =>
    part.type === "tool-call" ? { ...part, arguments: args } : part;
  expect(rewrite({ role: "assistant", content }, cut('{"a')).content).toEqual([
    { ...content[0], input: { _raw: '{"a' } },
  ]);
  expect(rewrite({ role: "assistant", content }, cut("[1]")).content).toEqual([
    { ...content[0], input: { _raw: "[1]" } },
  ]);
  expect(rewrite({ role: "assistant", content }, cut("")).content).toEqual([{ ...content[0], input: {} }]);
});

test("ids of many digits keep them in the arguments and when their message is rewritten", () => {
  const wire =
    '[{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"tool_use","id":"t","name":"f","input":{"id":12345678901234567890}}]}]';
  const conversation = anthropicMessages.read(wire);
  const [message] = conversation.messages as [Message];
  expect(message.parts[1]).toMatchObject({ arguments: '{"id":12345678901234567890}' });
  const changed = withParts(message, [text("b"), message.parts[1]!]);
  expect(anthropicMessages.write(withMessages(conversation, [changed]))).toBe(wire.replace('"a"', '"b"'));
  const inText = {
    role: "assistant",
    content: [{ type: "tool_use", id: "t", input: { id: "12345678901234567890" } }],
  };
  expect(anthropicMessages.read([inText]).messages[0]!.parts).toMatchObject([
    { arguments: '{"id":"12345678901234567890"}' },
  ]);
});

test("[R7] nothing but keys of the wire is written", () => {
  const conversation = anthropicMessages.read([{ role: "user", content: "a" }]);
  const [first] = conversation.messages as [Message];
  const result: Part = {
    type: "tool-result",
    pairId: "n",
    text: "r",
    attachments: [],
    isError: true,
    server: false,
  };
  const call: Part = { type: "tool-call", pairId: "n", name: "f", arguments: "{}", server: false };
  const messages = [
    {
      ...withParts(first, [
        text("b"),
        { type: "media", kind: "image" },
        { type: "opaque", kind: "k", text: "o" },
      ]),
      pinned: true,
    },
    {
      ...anthropicMessages.create("assistant", [call, { type: "opaque", kind: "k", text: "" }]),
      pinned: true,
    },
    anthropicMessages.create("tool", [result]),
  ];
  expect(anthropicMessages.write(withMessages(conversation, messages))).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "b" },
        { type: "text", text: "[image]" },
        { type: "text", text: "o" },
      ],
    },
    { role: "assistant", content: [{ type: "tool_use", id: "n", name: "f", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "n", content: "r", is_error: true }] },
  ]);
});
