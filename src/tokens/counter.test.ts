import { countTokens as reference } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import type { Conversation } from "../conversation/conversation.ts";
import { type Message, type Role, textOfMessage } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import { OptionsError } from "../errors/options-error.ts";
import { createTokenCounter } from "./counter.ts";

const counter = createTokenCounter();
const message = (role: Role, ...parts: readonly Part[]): Message => ({ role, parts, position: 0 });
const text = (value: string): Part => ({ type: "text", text: value });
const call = (name: string, value: string): Part => ({
  type: "tool-call",
  pairId: "c1",
  name,
  arguments: value,
  server: false,
});
const result = (
  value: string,
  attachments: Extract<Part, { type: "tool-result" }>["attachments"] = [],
): Part => ({
  type: "tool-result",
  pairId: "c1",
  text: value,
  attachments,
  isError: false,
  server: false,
});
const conversation = (messages: readonly Message[], tools: readonly unknown[] = []): Conversation => ({
  format: "openai",
  messages,
  tools,
  envelope: undefined,
});

const weatherTool = { type: "function", function: { name: "weather", parameters: { type: "object" } } };

test("a message is its text plus 4", () => {
  expect(counter.message(message("user", text("Hello, world")))).toBe(4 + 3);
  expect(counter.message(message("user"))).toBe(4);
  expect(counter.message(message("user", text("Hello, world"), text(""), text("Hello, world")))).toBe(
    4 + 3 + 1 + 3,
  );
});

test("[R26] counts the whole call, its name as well as its arguments", () => {
  const input = '{"path":"a.ts"}';
  const tokens = counter.message(message("assistant", call("read_file", input)));
  expect(tokens).toBe(4 + counter.text("read_file") + 1 + counter.text(input));
  expect(tokens).toBeGreaterThanOrEqual(4 + reference(`\nread_file ${input}`));
});

test("[R26] counts replayed reasoning by its text or by its seal, whichever is more", () => {
  const text = "The test fails because the clock is mocked too late.";
  const thought = (sealed?: number) =>
    message("assistant", { type: "reasoning", text, signed: true, ...(sealed && { sealed }) });
  expect(counter.message(thought())).toBe(4 + counter.text(text));
  expect(counter.message(thought(12))).toBe(4 + counter.text(text));
  expect(counter.message(thought(3_000))).toBe(4 + 1_000);
  expect(counter.message(message("assistant", { type: "opaque", kind: "compaction", text: "" }))).toBe(4);
  const sealed = { type: "opaque", kind: "compaction", text: "", sealed: 300 } as const;
  expect(counter.message(message("assistant", sealed))).toBe(4 + 100);
});

test("a seal is counted in the provider's tokens, whatever the factor", () => {
  const claude = createTokenCounter({ model: "claude-opus-5" });
  const sealed = { type: "reasoning", text: "", signed: true, sealed: 3_000 } as const;
  expect(claude.message(message("assistant", sealed, text("Hello, world")))).toBe(4 + 1_000 + 5);
});

test("[R26] prices images, also those inside a tool result", () => {
  const image = { type: "media", kind: "image" } as const;
  const words = { type: "opaque", kind: "search_result", text: "Hello, world" } as const;
  expect(counter.message(message("user", text("Hello, world"), image))).toBe(4 + 3 + 1600);
  expect(counter.message(message("tool", result("Hello, world", [image, words])))).toBe(4 + 3 + 1600 + 1 + 3);
});

test("is never below the count of the joined text", () => {
  const samples = [
    message(
      "assistant",
      text("Reading it now."),
      call("read", '{"path":"/tmp/x"}'),
      call("read", '{"path":"y"}'),
    ),
    message("user", text("one\n"), text("\ntwo"), text("  three")),
    message("tool", result("exit code 1\n\n")),
    message("assistant", call("done", "")),
  ];
  for (const sample of samples) {
    expect(counter.message(sample)).toBeGreaterThanOrEqual(4 + reference(textOfMessage(sample)));
  }
});

test("[R27] the sum over the messages is the conversation without its tools", () => {
  const messages = [
    message("system", text("You are a careful engineer.")),
    message("user", text("Fix the build.")),
    message("assistant", text("Looking."), call("bash", '{"command":"make"}')),
    message("tool", result("make: *** [all] Error 2")),
  ];
  for (const one of [counter, createTokenCounter({ model: "claude-sonnet-4" })]) {
    const sum = messages.reduce((total, each) => total + one.message(each), 0);
    expect(one.conversation(conversation(messages, [weatherTool]))).toBe(sum + one.tools([weatherTool]));
    expect(one.conversation(conversation(messages))).toBe(sum);
  }
});

test("tool definitions cost their JSON and a little more, whatever they are", () => {
  const json = JSON.stringify(weatherTool);
  expect(counter.tools([weatherTool])).toBe(4 + reference(json));
  expect(counter.tools([weatherTool, weatherTool])).toBe(2 * (4 + reference(json)));
  expect(counter.tools([undefined, null, "search"])).toBe(4 + (4 + 1) + (4 + reference('"search"')));
});

test("a message that was counted before is not counted again", () => {
  let reads = 0;
  const part: Part = {
    type: "text",
    get text() {
      reads++;
      return "Hello, world";
    },
  };
  const counted = message("user", part);
  counter.message(counted);
  const readsOfOneCount = reads;
  counter.message(counted);
  counter.conversation(conversation([counted]));
  expect(reads).toBe(readsOfOneCount);
});

test("counts in the model's own encoding where it is public", () => {
  expect(createTokenCounter()).toMatchObject({ encoding: "o200k_base", exact: true });
  expect(createTokenCounter({ model: "gpt-4" })).toMatchObject({ encoding: "cl100k_base", exact: true });
  expect(createTokenCounter({ encoding: "cl100k_base" })).toMatchObject({
    encoding: "cl100k_base",
    exact: true,
  });
  expect(createTokenCounter({ model: "our-own-model" })).toMatchObject({
    encoding: "o200k_base",
    exact: false,
  });
});

test("scales the count for a private tokenizer, rounds up, and leaves media and envelope alone", () => {
  const claude = createTokenCounter({ model: "claude-sonnet-4" });
  expect(claude.exact).toBe(false);
  expect(claude.text("Hello, world")).toBe(4);
  const image = { type: "media", kind: "image", size: [750, 100] } as const;
  expect(claude.message(message("user", text("Hello, world"), image))).toBe(4 + 4 + 100);
});

test("a calibrated factor takes the place of the model's", () => {
  const calibrated = createTokenCounter({ model: "claude-sonnet-4", factor: 2 });
  expect(calibrated.text("Hello, world")).toBe(6);
  expect(createTokenCounter({ factor: 1.5 }).exact).toBe(false);
});

test("refuses an encoding or a factor that cannot be", () => {
  expect(() => createTokenCounter({ encoding: "p50k" as never })).toThrow(OptionsError);
  expect(() => createTokenCounter({ encoding: "toString" as never })).toThrow(/o200k_base or cl100k_base/);
  expect(() => createTokenCounter({ factor: 0 })).toThrow(OptionsError);
  expect(() => createTokenCounter({ factor: Number.NaN })).toThrow(/factor is NaN/);
});
