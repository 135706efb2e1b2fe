import { expect, test } from "vitest";
import { OptionsError } from "../errors/options-error.ts";
import type { Policy } from "../policy/policy.ts";
import { presets } from "../policy/presets.ts";
import { readConversation } from "../providers/detect.ts";
import { initialState } from "../state/compaction-state.ts";
import {
  assistant,
  call,
  rawConversation,
  result,
  system,
  user,
  type WireMessage,
} from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import type { Goal } from "./goal.ts";
import { lastAnswer } from "./observation.ts";
import { readOccasion } from "./occasion.ts";
import type { CompactOptions, CompactorOptions } from "./options.ts";
import { planFor } from "./plan-for.ts";

const counter = createTokenCounter();
const chat = (turns: number): readonly WireMessage[] =>
  Array.from({ length: turns }, (_, at) => [user(`Ask ${at}.`), assistant(`Say ${at}. `.repeat(30))]).flat();
const tokensOf = (messages: readonly WireMessage[]) => counter.conversation(readConversation(messages));

function occasion(
  messages: readonly WireMessage[],
  call: CompactOptions = {},
  options: CompactorOptions = {},
) {
  return readOccasion(messages, options, call, 5000);
}

function targetOf(goal: Goal): number {
  expect(goal.act).toBe(true);
  return goal.act ? goal.targetTokens : -1;
}

test("a target is tokens, or a share of what came in without its system prompt", () => {
  const messages = [system("word ".repeat(500)), ...chat(10)];
  const { tokens } = occasion(messages, { target: 5 });
  expect(tokens).toBe(tokensOf(chat(10)));
  expect(targetOf(occasion(messages, { target: 100 }).goal)).toBe(100);
  expect(targetOf(occasion(messages, { target: "30%" }).goal)).toBe(Math.floor(tokens * 0.3));
  expect(targetOf(occasion(messages, { target: " 12.5 %" as "12.5%" }).goal)).toBe(
    Math.floor(tokens * 0.125),
  );
});

test("a conversation at its target needs nothing, one token above it something", () => {
  const tokens = tokensOf(chat(10));
  expect(occasion(chat(10), { target: tokens }).goal).toEqual({
    act: false,
    reason: `The conversation has ${tokens} tokens, and the target is ${tokens}.`,
  });
  expect(occasion(chat(10), { target: tokens - 1 }).goal).toMatchObject({
    act: true,
    cause: "target",
    action: "trim",
  });
});

test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "0%", "101%", "30", "x%", "", null, {}, true])(
  "the target %j is refused by name",
  (target) => {
    expect(() => occasion(chat(2), { target: target as number })).toThrow(OptionsError);
    expect(() => occasion(chat(2), { target: target as number })).toThrow(/^target is /);
  },
);

test("pins mark their messages; one that is not there is refused", () => {
  const { conversation } = occasion(chat(3), { target: 10, pins: [1, 4] });
  expect(conversation.messages.filter((message) => message.pinned).map(({ position }) => position)).toEqual([
    1, 4,
  ]);
  for (const pin of [6, -1, 0.5]) {
    expect(() => occasion(chat(3), { target: 10, pins: [pin] })).toThrow(/pins names message .* 0 to 5/);
  }
});

test("tool definitions that come beside the conversation count", () => {
  const tools = [{ name: "read_file", description: "Reads a file. ".repeat(50), parameters: {} }];
  const filled = (call: CompactOptions) => occasion(chat(3), call, { window: 100_000 }).fill!.tokens;
  expect(filled({ tools })).toBe(filled({}) + counter.tools(tools));
});

test("the window is the given one, or the model's, and leaves room for the answer", () => {
  expect(occasion(chat(1), {}, { window: 80_000 }).fill).toMatchObject({ window: 80_000, reserve: 8192 });
  expect(occasion(chat(1), {}, { window: 8000 }).fill).toMatchObject({ reserve: 1000, budget: 7000 });
  expect(occasion(chat(1), {}, { window: 8000, reserve: 0 }).fill).toMatchObject({ budget: 8000 });
  const known = occasion(chat(1), {}, { model: "gpt-4o" });
  expect(known).toMatchObject({ model: "gpt-4o", fill: { window: 128_000 } });
  expect(occasion(chat(1), { target: 5 }).fill).toBeUndefined();
});

test("the body's own model is used unless another is named", () => {
  const body = { model: "gpt-4o", messages: chat(1) };
  expect(readOccasion(body, {}, {}, 0).model).toBe("gpt-4o");
  expect(readOccasion(body, { model: "gpt-4.1" }, {}, 0).model).toBe("gpt-4.1");
});

test.each([
  ["gptme", 0.35],
  ["hermes-lean", 0.25],
] as const)(
  "the target of %s is of the whole request, as in its source: the messages get what system prompt and tools leave of it",
  (preset, share) => {
    const messages = [system("word ".repeat(1000)), ...chat(100)];
    const all = tokensOf(messages);
    const { goal, tokens } = occasion(messages, {}, { window: all, reserve: 0, preset });
    expect(targetOf(goal)).toBe(Math.floor(share * all - (all - tokens)));
  },
);

test("the target of a policy made from balanced stays of what can shrink, and of the whole request where it says so", () => {
  const messages = [system("word ".repeat(1000)), ...chat(100)];
  const all = tokensOf(messages);
  const paid = (more: Partial<Policy>) => {
    const preset = { ...presets.balanced, name: "mine", ...more };
    const { goal, tokens } = occasion(messages, {}, { window: all, reserve: 0, preset });
    return (0.35 * all - targetOf(goal)) / (all - tokens);
  };
  expect(paid({ base: "window" })).toBeCloseTo(0.35 / 0.75, 2);
  expect(paid({ targetOf: "request" })).toBeCloseTo(1, 2);
});

test("our own target is of what can shrink: a long system prompt costs the messages no more than its part", () => {
  const messages = [system("word ".repeat(1000)), ...chat(40)];
  const all = tokensOf(messages);
  const { goal, tokens } = occasion(messages, {}, { window: all, reserve: 0 });
  expect(targetOf(goal)).toBe(Math.floor(0.35 * all - (0.35 / 0.75) * (all - tokens)));
});

test("where the provider counts otherwise than we do, the target is scaled to our count", () => {
  const messages = [...chat(40), user("And?")];
  const half = Math.floor(tokensOf(messages) / 2);
  const usage = { prompt_tokens: tokensOf(messages) * 2 };
  const { goal, fill } = occasion(messages, { usage }, { window: half * 4, reserve: 0 });
  const scale = tokensOf(messages) / fill!.tokens;
  expect(scale).toBeLessThan(0.55);
  expect(targetOf(goal)).toBe(Math.floor(0.35 * fill!.budget * scale));
});

test("[R22] a reported size is anchored where it was measured: before the last answer", () => {
  const messages = [...chat(3), user("New."), assistant("", call("ls")), result("a b c")];
  const { conversation, fill } = occasion(
    rawConversation(...messages),
    { usage: { prompt_tokens: 700 } },
    { window: 1e6 },
  );
  expect(lastAnswer(conversation)).toBe(7);
  const since = conversation.messages.slice(7).reduce((sum, message) => sum + counter.message(message), 0);
  expect(fill!.tokens).toBe(700 + since);
  expect(lastAnswer(readConversation([user("a")]))).toBe(1);
});

test("[R16] a pending verdict is given by the reported size, and only by one", () => {
  const state = { ...initialState, pendingVerdict: { thresholdTokens: 500 } };
  const judged = (usage?: unknown) => occasion(chat(1), { state, usage }, { window: 1e6 }).state;
  expect(judged().pendingVerdict).toBeDefined();
  expect(judged({}).pendingVerdict).toBeDefined();
  expect(judged({ prompt_tokens: 499 })).toMatchObject({ strikes: 0 });
  expect(judged({ prompt_tokens: 500 })).toMatchObject({ strikes: 1 });
});

test("a damaged state is refused by name", () => {
  expect(() => occasion(chat(1), { state: { version: 9 } as never }, { window: 1e6 })).toThrow(OptionsError);
});

test("only an unpinned result wakes a rule for large results", () => {
  const log = Array.from({ length: 500 }, (_, at) => `INFO worker ${at} finished its share`).join("\n");
  const messages = rawConversation(...chat(3), assistant("", call("bash")), result(log), assistant("Done."));
  const preset = {
    ...presets.balanced,
    thresholds: [{ at: 0.01, action: "shrink" as const, needsResultOver: 2000 }],
    targetRatio: 0.005,
  };
  const options = { preset, window: 100_000 };
  expect(occasion(messages, {}, options).goal.act).toBe(true);
  expect(occasion(messages, { pins: [7] }, options).goal.act).toBe(false);
  expect(occasion(chat(30), {}, options).goal.act).toBe(false);
});

test("an extraction that would not be worth it gives way to the hand-off", () => {
  const messages = chat(40);
  const options = { preset: "gptme" as const, window: Math.floor(tokensOf(messages) / 0.6), reserve: 0 };
  const { goal } = occasion(messages, {}, options);
  expect(goal).toMatchObject({ act: true, action: "extract" });
  const stages = planFor(occasion(messages, {}, options)).steps.map((step) => step.stage);
  expect(stages).toContain("hand-off");
});

test("no goal, no steps, and the sizes are still told", () => {
  const plan = planFor(occasion(chat(2), { target: "100%" }));
  expect(plan).toMatchObject({ steps: [], tokensBefore: tokensOf(chat(2)), tokensAfter: tokensOf(chat(2)) });
});

test("a system prompt that takes the whole target leaves the conversation a part of the room beside it", () => {
  const messages = [system("word ".repeat(2000)), ...chat(20)];
  const instructions = tokensOf(messages.slice(0, 1));
  const window = Math.floor(instructions * 2);
  const { goal, fill } = occasion(messages, {}, { window, reserve: 0 });
  expect(fill!.budget * presets.balanced.targetRatio).toBeLessThan(instructions);
  const room = window - instructions;
  expect(targetOf(goal)).toBeGreaterThan(room / 8);
  expect(targetOf(goal)).toBeLessThan(room / 2);
});

test("the call names the model where neither the options nor the body do", () => {
  const claude = { model: "anthropic/claude-opus-5" };
  const { model, fill } = occasion(chat(10), claude);
  expect(model).toBe(claude.model);
  expect(fill).toMatchObject({ window: 1_000_000, exact: false });
  expect(fill!.tokens).toBeGreaterThan(tokensOf(chat(10)) * 1.4);
  expect(occasion(chat(10), claude, { model: "gpt-5" }).model).toBe("gpt-5");
  const body = { model: "gpt-4o", messages: chat(10) };
  expect(readOccasion(body, {}, claude, 5000).model).toBe("gpt-4o");
});
