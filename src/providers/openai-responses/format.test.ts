import { expect, test } from "vitest";
import { createCompactor } from "../../compactor.ts";
import { withMessages } from "../../conversation/conversation.ts";
import { textOfMessage, withParts } from "../../conversation/message.ts";
import type { Part } from "../../conversation/part.ts";
import { TargetUnreachableError } from "../../errors/target-unreachable-error.ts";
import { assistant, call, conversation, result, system, user } from "../../testing/builders.ts";
import { createTokenCounter } from "../../tokens/counter.ts";
import { convertConversation } from "../convert.ts";
import { readConversation, writeConversation } from "../detect.ts";
import { validateRequest } from "../validate/index.ts";
import { openAIResponses } from "./format.ts";

const said = (text: string) => ({
  type: "message",
  role: "assistant",
  id: "msg_1",
  content: [{ type: "output_text", text }],
});

type Item = Readonly<Record<string, unknown>>;
const answer: readonly Item[] = [
  {
    type: "reasoning",
    id: "rs_1",
    summary: [{ type: "summary_text", text: "Two files." }],
    encrypted_content: "e",
  },
  {
    type: "message",
    id: "msg_1",
    role: "assistant",
    content: [{ type: "output_text", text: "Reading both.", annotations: [] }],
  },
  { type: "function_call", id: "fc_1", call_id: "c1", name: "read", arguments: '{"path":"a.ts"}' },
  { type: "custom_tool_call", id: "ct_1", call_id: "c2", name: "apply", input: "*** patch" },
  { type: "web_search_call", id: "ws_1", status: "completed", action: { query: "x" } },
];
const outputs: readonly Item[] = [
  { type: "function_call_output", call_id: "c1", output: "one" },
  {
    type: "custom_tool_call_output",
    call_id: "c2",
    output: [
      { type: "input_text", text: "two" },
      { type: "input_image", image_url: "data:," },
    ],
  },
];
const body = {
  model: "gpt-5",
  instructions: "Be brief.",
  input: [
    { role: "user", content: "Compare." },
    ...answer,
    ...outputs,
    { role: "developer", content: "Careful." },
  ],
};

test("the items of one answer are one message, and each part says what it is", () => {
  const { format, messages, model } = readConversation(body);
  expect([format, model]).toEqual(["openai-responses", "gpt-5"]);
  expect(messages.map(({ role, parts }) => [role, ...parts.map((part) => part.type)])).toEqual([
    ["system", "text"],
    ["user", "text"],
    ["assistant", "reasoning", "text", "tool-call", "tool-call", "opaque"],
    ["tool", "tool-result"],
    ["tool", "tool-result"],
    ["system", "text"],
  ]);
  expect(messages[2]!.parts[0]).toMatchObject({ text: "Two files.", signed: true, sealed: 1 });
  expect(messages[2]!.parts[3]).toMatchObject({ pairId: "c2", name: "apply", arguments: "*** patch" });
  expect(messages[4]!.parts[0]).toMatchObject({
    pairId: "c2",
    text: "two",
    attachments: [{ type: "media" }],
  });
});

test.each([
  ["a value", body],
  ["text", JSON.stringify(body, null, 2)],
] as const)("in %s a changed part is exchanged and everything around it stays", (_kind, given) => {
  const read = readConversation(given);
  const parts = read.messages[2]!.parts.map((part) => {
    if (part.type === "text") return { ...part, text: "Reading." };
    return part.type === "tool-call" && part.pairId === "c1" ? { ...part, arguments: "{}" } : part;
  });
  const changed = read.messages.with(2, withParts(read.messages[2]!, parts));
  const result = changed[4]!.parts[0]!;
  const shorter = changed.with(4, withParts(changed[4]!, [{ ...result, text: "2" } as typeof result]));
  const written = writeConversation(withMessages(read, shorter));
  const { input } = (typeof written === "string" ? JSON.parse(written) : written) as {
    input: readonly Item[];
  };
  expect(input).toEqual([
    body.input[0],
    answer[0],
    { ...answer[1], content: [{ type: "output_text", text: "Reading.", annotations: [] }] },
    { ...answer[2], arguments: "{}" },
    answer[3],
    answer[4],
    outputs[0],
    {
      ...outputs[1],
      output: [
        { type: "input_text", text: "2" },
        { type: "input_image", image_url: "data:," },
      ],
    },
    body.input.at(-1),
  ]);
});

test("what was thought may go; what came with it then stands as new", () => {
  const read = readConversation(body);
  const parts = read.messages[2]!.parts.filter((part) => part.type !== "reasoning");
  const written = writeConversation(
    withMessages(read, read.messages.with(2, withParts(read.messages[2]!, parts))),
  );
  const { input } = written as { input: readonly Item[] };
  expect(input.some(({ type }) => type === "reasoning")).toBe(false);
  expect(input.filter(({ type }) => type === "function_call")).toEqual([
    { type: "function_call", call_id: "c1", name: "read", arguments: '{"path":"a.ts"}' },
  ]);
});

const told = conversation(
  system("You are an agent."),
  ...Array.from({ length: 15 }, (_, at) => [
    user(`Look at module ${at}.`),
    assistant(
      `Reading ${at}.`,
      call("read", { path: `src/${at}.ts` }, `a${at}`),
      call("stat", { path: `src/${at}.ts` }, `b${at}`),
    ),
    result(Array.from({ length: 30 }, (_, line) => `export const v${at}x${line} = ${line};`).join("\n"), {
      id: `a${at}`,
    }),
    result("30 lines", { id: `b${at}` }),
    assistant(`Module ${at} exports thirty values.`),
  ]).flat(),
);

test.each(["80%", "50%", "20%"] as const)(
  "at %s calls and outputs stay paired, and the latest ask stays",
  async (target) => {
    const given = writeConversation(convertConversation(told, "responses")) as { input: readonly Item[] };
    for (const sent of [given, JSON.stringify(given)]) {
      const { body: output, report } = await createCompactor({ target: "50%" }).compact(sent, { target });
      expect(report).toMatchObject({ compacted: true, format: "openai-responses" });
      const { input } = (typeof output === "string" ? JSON.parse(output) : output) as {
        input: readonly Item[];
      };
      const open = new Set<unknown>();
      for (const { type, call_id } of input) {
        if (type === "function_call") open.add(call_id);
        if (type === "function_call_output") expect(open.delete(call_id)).toBe(true);
      }
      expect([...open]).toEqual([]);
      expect(JSON.stringify(input)).toContain("Look at module 14.");
      expect(openAIResponses.detect({ input })).toBe(1);
    }
  },
);

test("without its thinking, what the provider ran and what it asked approval for is told in words", async () => {
  const thought = {
    type: "reasoning",
    id: "rs_1",
    summary: [{ type: "summary_text", text: "The rollout is what they want. ".repeat(100) }],
  };
  const asked = {
    type: "mcp_approval_request",
    id: "mcpr_1",
    name: "deploy",
    server_label: "ops",
    arguments: "{}",
  };
  const allowed = { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: true };
  const searched = { type: "web_search_call", id: "ws_1", status: "completed", action: { query: "node 24" } };
  const later = Array.from({ length: 12 }, (_, at) => [
    { role: "user", content: `And number ${at}?` },
    { role: "assistant", content: "Fine." },
  ]).flat();
  const before = {
    input: [{ role: "user", content: "Deploy." }, thought, searched, asked, allowed, said("Done."), ...later],
  };
  const { body: output, report } = await createCompactor({ target: "50%", preset: "balanced" }).compact(
    before,
    {
      target: "60%",
    },
  );
  expect(report.compacted).toBe(true);
  const { input } = output as { input: readonly Item[] };
  const text = JSON.stringify(input);
  expect(text).not.toContain("rs_1");
  expect(text).toContain("node 24");
  expect(input.some(({ type }) => type === "mcp_approval_response")).toBe(false);
  expect(validateRequest(output, { before }).faults).toEqual([]);
});

test("a call in a shape of the provider's own keeps it, however large its values were", async () => {
  const operation = { type: "update_file", path: "a.ts", diff: "+ line of the patch\n".repeat(2000) };
  const patch = { type: "apply_patch_call", call_id: "p", status: "completed", operation };
  const done = { type: "apply_patch_call_output", call_id: "p", status: "completed", output: "ok" };
  const body = { input: [{ role: "user", content: "Patch it." }, patch, done] };
  const { body: output, report } = await createCompactor({ target: "50%" }).compact(body, { target: 400 });
  const { input } = output as { input: readonly Item[] };
  expect(report.compacted).toBe(true);
  const written = input.find(({ type }) => type === "apply_patch_call")?.operation as Item;
  expect(written).toMatchObject({ type: "update_file", path: "a.ts" });
  expect(String(written.diff).length).toBeLessThan(500);
});

test("a conversation goes to the other formats and back", () => {
  const there = convertConversation(told, "responses");
  expect(there.messages.map(textOfMessage)).toEqual(told.messages.map(textOfMessage));
  const chat = convertConversation(there, "openai");
  expect(writeConversation(chat)).toEqual({ messages: writeConversation(told) });
  const anthropic = convertConversation(there, "anthropic");
  expect(
    anthropic.messages.flatMap(({ parts }) => parts).filter(({ type }) => type === "tool-result"),
  ).toHaveLength(30);
});

test("an item without a type or a role stays one message when a text of it is changed", () => {
  const blocks = [
    { type: "input_text", text: "A long story." },
    { type: "input_text", text: "Small commits." },
  ];
  const read = readConversation({ input: [{ role: "user", content: "Go." }, { content: blocks }] });
  const [ask, untyped] = read.messages;
  const cut = withParts(untyped!, [{ type: "text", text: "[not shown]" }, untyped!.parts[1]!]);
  const written = writeConversation(withMessages(read, [ask!, cut])) as { input: readonly Item[] };
  expect(written.input[1]).toEqual({ content: [{ type: "input_text", text: "[not shown]" }, blocks[1]] });
  expect(readConversation(written).messages.map(textOfMessage)).toEqual([ask!, cut].map(textOfMessage));
});

/** The body with some parts changed, as it is written. */
function withChanged(input: readonly Item[], change: (part: Part) => Part): readonly Item[] {
  const read = readConversation({ input });
  const messages = read.messages.map((message) => withParts(message, message.parts.map(change)));
  const { input: written } = writeConversation(withMessages(read, messages)) as { input: readonly Item[] };
  expect(readConversation({ input: written }).messages.map(textOfMessage)).toEqual(
    messages.map(textOfMessage),
  );
  return written;
}

test("of two calls with one id each keeps its own item", () => {
  const calls = ["read", "write_everything"].map((name) => ({
    type: "function_call",
    call_id: "c1",
    name,
    arguments: '{"path":"a.ts"}',
  }));
  expect(
    withChanged(calls, (part) => (part.type === "tool-call" ? { ...part, arguments: "{}" } : part)),
  ).toEqual(calls.map((each) => ({ ...each, arguments: "{}" })));
});

test("changed arguments are JSON text, whatever they were", () => {
  const odd = { type: "function_call", call_id: "c1", name: "wait", arguments: 9.5 };
  expect(
    withChanged([odd], (part) => (part.type === "tool-call" ? { ...part, arguments: "{}" } : part)),
  ).toEqual([{ ...odd, arguments: "{}" }]);
});

test("a changed output is text, even if it was an object", () => {
  const odd = { type: "function_call_output", call_id: "c1", output: { rows: [1, 2, 3] } };
  expect(
    withChanged([odd], (part) => (part.type === "tool-result" ? { ...part, text: "[not shown]" } : part)),
  ).toEqual([{ ...odd, output: "[not shown]" }]);
});

test("the screenshot of a computer has no other form: if there is no room for it, the target is refused", async () => {
  const screenshot = { type: "computer_screenshot", image_url: "data:image/png;base64,AAAA" };
  const input = [
    { role: "assistant", content: "I opened the page and looked around. ".repeat(200) },
    { type: "computer_call", call_id: "c1", id: "cu_1", action: { type: "screenshot" } },
    { type: "computer_call_output", call_id: "c1", output: screenshot },
  ];
  const counter = createTokenCounter({ model: "gpt-5" });
  const compactor = createCompactor({ target: "50%" });
  const { report } = await compactor.compact({ model: "gpt-5", input }, { target: 300 });
  expect(report.error).toBeInstanceOf(TargetUnreachableError);
  const { floorTokens } = report.error as TargetUnreachableError;
  const met = await compactor.compact({ model: "gpt-5", input }, { target: floorTokens });
  expect((met.body as { input: readonly Item[] }).input.at(-1)).toEqual(input.at(-1));
  expect(counter.conversation(readConversation(met.body))).toBeLessThanOrEqual(floorTokens);
});
