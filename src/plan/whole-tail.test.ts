import { expect, test } from "vitest";
import type { Retention } from "../policy/policy.ts";
import { assistant, call, conversation, result, user, type WireMessage } from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { type WholeTailOptions, wholeTailStart } from "./whole-tail.ts";

const counter = createTokenCounter();
const long = "word ".repeat(1000);
const work = (count: number) => Array.from({ length: count }, (_, at) => assistant(`Step ${at}.`));

function start(
  told: readonly WireMessage[],
  retention: Partial<Retention>,
  options: Partial<WholeTailOptions> = {},
) {
  return wholeTailStart(conversation(...told).messages, {
    retention: { messages: 0, turns: 0, ceiling: 0.5, ...retention },
    wantedTokens: 0,
    counter,
    ...options,
  });
}

test("[F26 F57] keeps as many messages as are counted, whatever they take", () => {
  const told = [user("Go."), ...work(6), assistant(long), assistant(long), assistant(long)];
  expect(start(told, { messages: 3 })).toBe(7);
  expect(start(told, { messages: 6 })).toBe(4);
  expect(start(told, { messages: 99 })).toBe(0);
  expect(start(told, {})).toBe(9);
});

test("[F50] keeps a call and its results together", () => {
  const told = [user("Go."), ...work(3), assistant("", call("read")), result(long), assistant("Done.")];
  expect(start(told, { messages: 2 })).toBe(4);
});

test("[F26] counts across turns, and turns where those are counted", () => {
  const told = [user("First."), ...work(4), user("Second."), assistant("Yes.")];
  expect(start(told, { messages: 3 })).toBe(4);
  expect(start(told, { messages: 1, turns: 1 })).toBe(5);
  expect(start(told, { turns: 2 })).toBe(0);
});

test("[F62] fills its tokens with messages that fit whole, and stops before the one that does not", () => {
  const told = [user("Go."), assistant(long), ...work(8)];
  const each = counter.message(conversation(...told).messages.at(-1)!);
  expect(start(told, { messages: 1 }, { wantedTokens: 5 * each })).toBe(5);
  expect(start(told, { messages: 1 }, { wantedTokens: 6 * each - 1 })).toBe(5);
  expect(start(told, { messages: 7 }, { wantedTokens: 5 * each })).toBe(3);
});
