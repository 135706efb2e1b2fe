import { expect, test } from "vitest";
import type { Retention } from "../policy/policy.ts";
import {
  assistant,
  call,
  conversation,
  result,
  system,
  user,
  type WireMessage,
} from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { newestTokens, restatedAsk, type TailOptions, tailStart } from "./tail.ts";

const counter = createTokenCounter();
const chat = (turns: number) =>
  Array.from({ length: turns }, (_, turn) => [
    user(`Question ${turn}.`),
    assistant(`Answer ${turn}.`),
  ]).flat();

function start(
  told: readonly WireMessage[],
  retention: Partial<Retention>,
  options: Partial<TailOptions> = {},
) {
  return tailStart(conversation(...told).messages, {
    retention: { messages: 0, turns: 0, ceiling: 1, ...retention },
    budgetTokens: 1000,
    ceilingTokens: 100_000,
    messageCapTokens: 100_000,
    counter,
    ...options,
  });
}

test("[F26] keeps the wanted number of messages, at a turn's start", () => {
  expect(start([...chat(5), user("Last.")], { messages: 3 })).toBe(8);
  expect(start([...chat(5), user("Last.")], { messages: 4 })).toBe(6);
});

test("[F54] keeps the wanted number of turns", () => {
  expect(start(chat(5), { turns: 3 })).toBe(4);
  expect(start(chat(2), { turns: 3 })).toBe(0);
});

test("[F77] keeps a share of the budget where that is more than the turns", () => {
  const turn = counter.conversation(conversation(...chat(1)));
  expect(start(chat(9), { turns: 1, percent: (4 * turn) / 1000 })).toBe(10);
  expect(start(chat(9), { turns: 6, percent: (4 * turn) / 1000 })).toBe(6);
  expect(start(chat(9), { tokens: 5 * turn })).toBe(8);
});

test("[R44] takes no more than the ceiling, its last group aside, with large messages counted as they will be fitted", () => {
  const turn = counter.conversation(conversation(...chat(1)));
  expect(start(chat(9), { turns: 9 }, { ceilingTokens: 2 * turn })).toBe(14);
  expect(start(chat(9), { turns: 9 }, { ceilingTokens: 0 })).toBe(17);
  const huge = [...chat(4), user("Go."), assistant("word ".repeat(5000))];
  expect(start(huge, { turns: 3 }, { ceilingTokens: 200 })).toBe(9);
  expect(start(huge, { turns: 3 }, { ceilingTokens: 200, messageCapTokens: 60 })).toBe(4);
  expect(start(huge, { turns: 3 }, { ceilingTokens: 200, maxAskTokens: 20 })).toBe(8);
  expect(start(huge, { turns: 3 }, { ceilingTokens: 200, maxAskTokens: 2 })).toBe(9);
});

const step = (name: string) => [assistant("", call(name), call("ls")), result("a"), result("b")];

test("[R1] never cuts a tool group, and keeps the last one whole", () => {
  const told = [user("go"), ...step("a"), ...step("b")];
  for (const messages of [1, 2, 3]) expect(start(told, { messages })).toBe(4);
  expect(start(told, { messages: 4 })).toBe(1);
});

test("[R12] cuts the turn under way between its groups, an earlier turn not at all", () => {
  const told = [user("one"), ...step("a"), assistant("done"), user("two"), ...step("b"), ...step("c")];
  expect(start(told, { messages: 4 })).toBe(6);
  expect(start(told, { messages: 7 })).toBe(5);
  expect(start(told, { messages: 8 })).toBe(0);
});

test("[R2] a call under way is the last group", () => {
  expect(start([...chat(3), user("go"), assistant("", call("deploy"))], { messages: 1 })).toBe(7);
});

test("system messages at the end or between are not what stays of the talk", () => {
  expect(start([...chat(3), system("Be brief.")], {}, { ceilingTokens: 0 })).toBe(5);
  const told = [...chat(3), system("word ".repeat(500)), ...chat(1), system("Be brief.")];
  expect(start(told, { messages: 3 }, { ceilingTokens: 60 })).toBe(4);
});

test("there may be nothing, or only system messages", () => {
  expect(start([], { messages: 3 })).toBe(0);
  expect(start([system("a"), system("b")], { messages: 3 })).toBe(0);
});

test("[R10] in a small target the hand-off tells a last group that would not stay whole, and the ask is restated", () => {
  const { messages } = conversation(
    user("What does it cost?"),
    assistant("", call("get", { id: 7 })),
    result("word ".repeat(300)),
  );
  const restated = (targetTokens: number) =>
    restatedAsk(messages, { ceilingTokens: 200, targetTokens }, counter);
  expect(restated(1_000)).toBe(0);
  expect(restated(10_000)).toBeUndefined();
});

test("the newest group is whole up to half of the target; of longer words half of it stays, of longer results less", () => {
  const newest = (...told: readonly WireMessage[]) =>
    newestTokens(conversation(user("Go."), ...told).messages, 4_000, counter);
  const short = conversation(assistant("word ".repeat(1_500))).messages;
  expect(newest(assistant("word ".repeat(1_500)))).toBe(counter.message(short[0]!));
  expect(newest(assistant("word ".repeat(5_000)))).toBe(2_000);
  expect(newest(assistant("", call("cat")), result("word ".repeat(5_000)))).toBe(240);
});
