import { expect, test } from "vitest";
import { InputError } from "../../errors/input-error.ts";
import { assistant, call, conversation, result, system, user } from "../../testing/builders.ts";
import { convertConversation } from "../convert.ts";
import { writeConversation } from "../detect.ts";
import { validateRequest } from "./index.ts";

const told = conversation(
  system("Be brief."),
  user("Compare."),
  assistant("Reading.", call("read", { path: "a" }, "c1"), call("read", { path: "b" }, "c2")),
  result("a", { id: "c1" }),
  result("b", { id: "c2" }),
  assistant("The same."),
  user("Thanks."),
);
const rules = (body: unknown, format = "auto") => [
  ...new Set(validateRequest(body, { format }).faults.map(({ rule }) => rule)),
];

test.each(["openai", "anthropic", "responses"])(
  "a whole conversation in %s has no fault, as value and as text",
  (format) => {
    const body = writeConversation(convertConversation(told, format));
    expect(validateRequest(body, { format })).toMatchObject({ valid: true, faults: [] });
    expect(validateRequest(JSON.stringify(body)).valid).toBe(true);
  },
);

const ask = { role: "user", content: "hi" };
const calling = (...ids: readonly string[]) => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "f", arguments: "{}" } })),
});
const answer = (id: string) => ({ role: "tool", tool_call_id: id, content: "ok" });

test.each<[string, readonly unknown[], readonly string[]]>([
  ["a result without its call", [ask, answer("a")], ["pairing"]],
  ["a call without its result", [ask, calling("a"), ask], ["adjacency"]],
  [
    "a result that comes too late",
    [ask, calling("a", "b"), answer("a"), ask, answer("b")],
    ["adjacency", "pairing"],
  ],
  ["a result twice", [ask, calling("a"), answer("a"), answer("a")], ["pairing"]],
  ["an open call at the end", [ask, calling("a")], ["adjacency"]],
  ["an empty list of calls", [ask, { role: "assistant", content: "x", tool_calls: [] }], ["call"]],
  [
    "broken arguments",
    [
      ask,
      { role: "assistant", tool_calls: [{ id: "a", function: { name: "f", arguments: "{" } }] },
      answer("a"),
    ],
    ["call"],
  ],
  ["an empty answer", [ask, { role: "assistant", content: "" }, ask], ["content"]],
  ["an unknown role", [ask, { role: "narrator", content: "x" }], ["shape"]],
  ["nobody but the system", [{ role: "system", content: "x" }], ["role-order"]],
  ["no messages", [], ["content"]],
])("openai-chat: %s", (_what, messages, expected) => {
  expect(rules(messages, "openai")).toEqual(expected);
});

test("openai-chat: tools must be there, named once, and be those that are demanded", () => {
  const tool = { type: "function", function: { name: "f", parameters: {} } };
  expect(rules({ messages: [ask], tools: [] })).toEqual(["tools"]);
  expect(rules({ messages: [ask], tools: [tool, tool] })).toEqual(["tools"]);
  expect(rules({ messages: [ask], tools: [{ type: "function", function: { name: "no spaces" } }] })).toEqual([
    "tools",
  ]);
  expect(
    rules({ messages: [ask], tools: [tool], tool_choice: { type: "function", function: { name: "g" } } }),
  ).toEqual(["tools"]);
  expect(rules({ messages: [ask], tool_choice: "required" })).toEqual(["tools"]);
  expect(
    rules({
      messages: [ask],
      tools: Array.from({ length: 129 }, (_, at) => ({ type: "function", function: { name: `f${at}` } })),
    }),
  ).toEqual(["limits"]);
});

const use = (id: string) => ({ type: "tool_use", id, name: "f", input: {} });
const done = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "ok" });
const said = (...content: readonly unknown[]) => ({ role: "assistant", content });
const told2 = (...content: readonly unknown[]) => ({ role: "user", content });
const program = { role: "system", content: "Plan mode is on." };
/** After the assistant's, before the user's, and in the way of the results. */
const MISPLACED = ["role-order", "adjacency", "pairing"];

test.each<[string, readonly unknown[], readonly string[]]>([
  ["an assistant first", [said({ type: "text", text: "x" }), ask], ["role-order"]],
  ["two of one role", [ask, ask, said({ type: "text", text: "x" }), said(use("a")), told2(done("a"))], []],
  ["results in two messages", [ask, said(use("a"), use("b")), told2(done("a")), told2(done("b"))], []],
  ["calls in two messages", [ask, said(use("a")), said(use("b")), told2(done("a"), done("b"))], []],
  ["results after a message of words", [ask, said(use("a")), ask, told2(done("a"))], ["adjacency"]],
  ["a role that is none", [ask, { role: "developer", content: "x" }], ["shape"]],
  ["a system message after the user's", [ask, program, said({ type: "text", text: "x" })], []],
  ["one after results, and last", [ask, said(use("a")), told2(done("a")), program], []],
  [
    "one after a server tool's result",
    [
      ask,
      said(
        { type: "server_tool_use", id: "s", name: "web_search", input: {} },
        { type: "web_search_tool_result", tool_use_id: "s", content: [] },
      ),
      program,
    ],
    [],
  ],
  ["one that only sets the effort", [{ ...program, content: [], output_config: { effort: "low" } }, ask], []],
  ["a system message first", [program, said({ type: "text", text: "x" }), ask], ["role-order"]],
  ["one after the assistant's", [ask, said({ type: "text", text: "x" }), program], ["role-order"]],
  ["one before the user's", [ask, program, ask], ["role-order"]],
  ["one beside another", [ask, program, program], ["role-order"]],
  ["one between calls and results", [ask, said(use("a")), program, told2(done("a"))], MISPLACED],
  ["a call that is not answered", [ask, said(use("a")), ask], ["adjacency"]],
  ["half of the parallel calls answered", [ask, said(use("a"), use("b")), told2(done("a"))], ["adjacency"]],
  ["a result of nothing", [told2(done("a"))], ["pairing"]],
  [
    "results after words",
    [ask, said(use("a")), told2({ type: "text", text: "x" }, done("a"))],
    ["adjacency"],
  ],
  ["blank text", [told2({ type: "text", text: " " })], ["content"]],
  [
    "thinking without signature",
    [ask, said({ type: "thinking", thinking: "x" }, { type: "text", text: "y" }), ask],
    ["thinking"],
  ],
  ["an input that is a string", [ask, said({ ...use("a"), input: "x" }), told2(done("a"))], ["call"]],
  ["a strange id", [ask, said(use("a b")), told2(done("a b"))], ["call"]],
  [
    "a server's result without its call",
    [ask, said({ type: "web_search_tool_result", tool_use_id: "s", content: [] }), ask],
    ["server-tools"],
  ],
  ["white space at the end", [ask, { role: "assistant", content: "so " }], ["content"]],
])("anthropic-messages: %s", (_what, messages, expected) => {
  expect(rules({ messages }, "anthropic")).toEqual(expected);
});

test("anthropic-messages: two of one role in a row are a fault where nothing is to be left to the provider", () => {
  const [fault] = validateRequest({ messages: [ask, ask] }, { format: "anthropic", alternate: true }).faults;
  expect(fault).toMatchObject({ rule: "role-order", path: "messages[1]" });
  expect(validateRequest([ask, ask], { format: "openai", alternate: true }).valid).toBe(true);
});

test("anthropic-messages: thinking, breakpoints and limits of the whole request", () => {
  const thinking = { type: "enabled", budget_tokens: 2048 };
  const atWork = [ask, said(use("a")), told2(done("a"))];
  expect(rules({ messages: atWork, thinking, max_tokens: 4096 }, "anthropic")).toEqual(["thinking"]);
  const thought = [
    ask,
    said({ type: "thinking", thinking: "x", signature: "s" }, use("a")),
    told2(done("a")),
  ];
  expect(rules({ messages: thought, thinking, max_tokens: 4096 }, "anthropic")).toEqual([]);
  expect(rules({ messages: thought, thinking, max_tokens: 1000 }, "anthropic")).toEqual(["thinking"]);
  const marked = Array.from({ length: 5 }, (_, at) => ({
    type: "text",
    text: `${at}`,
    cache_control: { type: "ephemeral" },
  }));
  expect(rules({ messages: [told2(...marked)] }, "anthropic")).toEqual(["limits"]);
  expect(rules({ messages: [ask], max_tokens: 0 }, "anthropic")).toEqual(["limits"]);
});

const item = { type: "function_call", call_id: "a", name: "f", arguments: "{}" };
const output = { type: "function_call_output", call_id: "a", output: "ok" };

test.each<[string, readonly unknown[], readonly string[]]>([
  ["an output of nothing", [ask, output], ["pairing"]],
  ["a call without output", [ask, item], ["pairing"]],
  ["thinking that leads nowhere", [ask, { type: "reasoning", id: "r", summary: [] }, ask], ["thinking"]],
  [
    "an approval that nobody asked for",
    [ask, { type: "mcp_approval_response", approval_request_id: "x", approve: true }],
    ["approvals"],
  ],
  [
    "the user's blocks from the assistant",
    [{ type: "message", role: "assistant", content: [{ type: "input_text", text: "x" }] }],
    ["content"],
  ],
  [
    "an id twice",
    [
      { ...ask, id: "1" },
      { ...ask, id: "1" },
    ],
    ["shape"],
  ],
])("openai-responses: %s", (_what, input, expected) => {
  expect(rules({ input })).toEqual(expected);
});

test("openai-responses: a text is taken for a message of the user", () => {
  const body = { model: "gpt-5", input: "hello there" };
  const valid = { format: "openai-responses", valid: true, faults: [] };
  expect([validateRequest(body), validateRequest(JSON.stringify(body))]).toEqual([valid, valid]);
});

test("openai-responses: what the provider keeps need not be sent again", () => {
  expect(rules({ input: [output], previous_response_id: "resp_1" })).toEqual([]);
});

test("signed thinking is compared with what was signed", () => {
  const before = {
    messages: [ask, said({ type: "thinking", thinking: "x", signature: "s" }, use("a")), told2(done("a"))],
  };
  const edited = {
    messages: [ask, said({ type: "thinking", thinking: "y", signature: "s" }, use("a")), told2(done("a"))],
  };
  const dropped = { messages: [ask, said(use("a")), told2(done("a"))] };
  const check = (body: unknown) =>
    validateRequest(body, { format: "anthropic", before }).faults.map(({ rule }) => rule);
  expect([check(before), check(dropped), check(edited)]).toEqual([[], [], ["thinking"]]);
});

test("openai-responses: what came with thinking and is known by its id is refused without it", () => {
  const thought = { type: "reasoning", id: "rs_1", summary: [] };
  const known = { ...item, id: "fc_1" };
  const before = { input: [ask, thought, known, output] };
  const check = (input: readonly unknown[]) =>
    validateRequest({ input }, { before }).faults.map(({ rule }) => rule);
  expect([check([ask, known, output]), check([ask, item, output]), check(before.input)]).toEqual([
    ["thinking"],
    [],
    [],
  ]);
});

test("a place is named as a person would look it up, and what is no request is an error of its own", () => {
  const [fault] = validateRequest([ask, answer("a")]).faults;
  expect(fault).toMatchObject({ path: "messages[1]", message: expect.stringContaining('"a"') });
  expect(() => validateRequest("{")).toThrow(InputError);
});
