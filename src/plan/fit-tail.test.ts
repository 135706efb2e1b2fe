import { expect, test } from "vitest";
import { callsById, type Message } from "../conversation/message.ts";
import { assistant, call, conversation, result, user } from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { fitTail } from "./fit-tail.ts";

const counter = createTokenCounter();
/** Lines of different words: of lines that repeat a few would tell the rest. */
const long = Array.from({ length: 400 }, (_, at) =>
  Array.from({ length: 3 + (at % 7) }, (_, each) => (at * at + each * 7_919 + 4_000).toString(36)).join(
    " of ",
  ),
).join("\n");
const total = (messages: readonly Message[]) =>
  messages.reduce((sum, message) => sum + counter.message(message), 0);

function shrink(messages: readonly Message[], maxTokens: number, maxAskTokens = 0): readonly Message[] {
  return fitTail(messages, { counter, calls: callsById(messages), maxTokens, maxAskTokens });
}

const work = conversation(
  user("Build it."),
  assistant("", call("bash", { command: "make" })),
  result(long),
  assistant("Now the other.", call("bash", { command: "make test" })),
  result(long),
).messages;

test("what fits is the same list", () => {
  expect(shrink(work, 1e6)).toBe(work);
});

test("small messages stay the same objects, large ones share the room", () => {
  const fitted = shrink(work, 800);
  expect(total(fitted)).toBeLessThanOrEqual(800);
  for (const at of [0, 1, 3]) expect(fitted[at]).toBe(work[at]);
  for (const at of [2, 4]) expect(counter.message(fitted[at]!)).toBeGreaterThan(100);
});

test("a tail without a user message shares its room among all it has", () => {
  const fitted = shrink(work.slice(1), 800);
  expect(total(fitted)).toBeLessThanOrEqual(800);
  expect(counter.message(fitted[3]!)).toBeGreaterThan(100);
});

test("[R8] the newest ask stays whole before anything else gets room, up to its limit", () => {
  const ask = `Look at this list. ${"alpha beta gamma. ".repeat(40)}`;
  const { messages } = conversation(user(ask), assistant("", call("ls")), result(long));
  const tokens = counter.message(messages[0]!);
  expect(shrink(messages, tokens + 100, tokens)[0]).toBe(messages[0]);
  expect(shrink(messages, tokens + 100, tokens - 1)[0]).not.toBe(messages[0]);
});

test("[R8] a blank echo is not the newest ask", () => {
  const ask = `Look at this list. ${"alpha beta gamma. ".repeat(40)}`;
  const { messages } = conversation(user(ask), assistant(long), user("  \n"));
  const tokens = counter.message(messages[0]!);
  expect(shrink(messages, tokens + 100, tokens)[0]).toBe(messages[0]);
});

test("a pinned message stays whole, also where there is no room", () => {
  const pinned = work.map((message, at) => (at === 4 ? { ...message, pinned: true } : message));
  const fitted = shrink(pinned, 0);
  expect(fitted[4]).toBe(pinned[4]);
  expect(counter.message(fitted[2]!)).toBeLessThan(30);
});

test("there may be nothing to fit", () => {
  expect(shrink([], 0)).toEqual([]);
});
