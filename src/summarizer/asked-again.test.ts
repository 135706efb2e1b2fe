import { expect, test } from "vitest";
import { askedAgain } from "./asked-again.ts";
import type { SummaryRequest } from "./summarizer.ts";

const request: SummaryRequest = {
  prompt: "Sum it up.",
  targetTokens: 100,
  signal: new AbortController().signal,
  ride: { messages: [], fields: {} },
};
const transcript: SummaryRequest = { prompt: "Sum it up.", targetTokens: 100, signal: request.signal };
const message = '{"role":"user","content":"Sum it up."}';

test("all that was sent stays in its very characters, and one message is added", () => {
  const sent = `{"model": "m", "tools":[{"name":"a","max":1.0}],
    "messages": [ {"role":"user", "content":"\\u0041 [1]"} ], "provider":{"only":["x"]}, "temperature":0.20}`;
  expect(askedAgain(sent, "openai-chat", request)).toBe(
    `{"model":"m","tools":[{"name":"a","max":1.0}],"messages":[ {"role":"user", "content":"\\u0041 [1]"},${message}],"provider":{"only":["x"]},"temperature":0.20,"tool_choice":"none"}`,
  );
});

test.each([
  [
    "openai-chat",
    { stream: true, max_completion_tokens: 9, stop: ["a"], response_format: { type: "json_object" }, n: 2 },
    { stream: true, stream_options: { include_usage: true } },
  ],
  [
    "openai-responses",
    { max_output_tokens: 9, text: { format: { type: "json_object" }, verbosity: "low" }, store: false },
    { text: { verbosity: "low" }, store: false },
  ],
  ["openai-responses", { text: { format: { type: "json_object" } } }, {}],
  [
    "anthropic-messages",
    {
      max_tokens: 9,
      stop_sequences: ["a"],
      thinking: { type: "enabled", budget_tokens: 2_000 },
      tool_choice: { type: "auto" },
      tools: [{ name: "a" }],
    },
    {
      max_tokens: 6_096,
      thinking: { type: "enabled", budget_tokens: 2_000 },
      tool_choice: { type: "auto" },
      tools: [{ name: "a" }],
    },
  ],
  [
    "anthropic-messages",
    { max_tokens: 9, tools: [{ name: "a" }], tool_choice: { type: "any" } },
    { max_tokens: 4_096, tools: [{ name: "a" }], tool_choice: { type: "none" } },
  ],
  // Not more than the client allows, where that is enough.
  ["anthropic-messages", { max_tokens: 5_000 }, { max_tokens: 5_000 }],
  ["anthropic-messages", { max_tokens: 64_000 }, { max_tokens: 8_192 }],
  [
    "anthropic-messages",
    { max_tokens: 9_000, thinking: { type: "enabled", budget_tokens: 2_000 } },
    { max_tokens: 9_000, thinking: { type: "enabled", budget_tokens: 2_000 } },
  ],
] as const)("on the wire of %s what shapes the agent's answers is left out (%j)", (format, given, kept) => {
  const list = format === "openai-responses" ? "input" : "messages";
  const body: unknown = JSON.parse(
    askedAgain(JSON.stringify({ model: "m", [list]: [{}], ...given }), format, request),
  );
  expect(body).toEqual({ model: "m", [list]: [{}, JSON.parse(message)], ...kept });
});

test("a transcript goes without the conversation that it is of", () => {
  const sent = {
    model: "m",
    system: "S",
    tools: [{}],
    tool_choice: { type: "auto" },
    max_tokens: 1,
    messages: [{}],
  };
  expect(JSON.parse(askedAgain(JSON.stringify(sent), "anthropic-messages", transcript))).toEqual({
    model: "m",
    max_tokens: 4_096,
    messages: [JSON.parse(message)],
  });
});

test.each([
  ["openai-chat", "messages", { functions: [{}], function_call: "auto" }],
  ["openai-responses", "input", { instructions: "S", max_tool_calls: 3 }],
] as const)("on the wire of %s a transcript goes without all that is about tools", (format, list, given) => {
  const calls = { tools: [{}], tool_choice: "required", parallel_tool_calls: true };
  const sent = JSON.stringify({ model: "m", ...given, ...calls, [list]: [{}] });
  const body: unknown = JSON.parse(askedAgain(sent, format, transcript));
  expect(body).toEqual({ model: "m", [list]: [JSON.parse(message)] });
});

test("a program's words at the end of an Anthropic request are left out: the user may not come after them", () => {
  const [ask, told] = ['{"role":"user","content":"Go."}', '{"role":"system","content":"Plan mode is on."}'];
  const again = (list: string) => askedAgain(`{"messages":[${list}]}`, "anthropic-messages", request);
  const asked = `{"messages":[${ask},{"role":"user","content":${JSON.stringify(request.prompt)}}]`;
  expect(again(`${ask}, ${told} `)).toContain(asked);
  expect(again(ask)).toContain(asked);
  const said = '{"role":"assistant","content":"Yes."}';
  expect(again(`${ask},${told},${said}`)).toContain(`${ask},${told},${said},{"role":"user"`);
});
