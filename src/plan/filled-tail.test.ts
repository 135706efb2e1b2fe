import { expect, test } from "vitest";
import { callsById, type Message, textOfMessage } from "../conversation/message.ts";
import { assistant, call, conversation, result, user, type WireMessage } from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { filledTailStart, filledTailTokens, fillTail, type TailRoom } from "./filled-tail.ts";

const counter = createTokenCounter();
const report = (name: string) =>
  Array.from({ length: 120 }, (_, at) => `The ${name} of week ${at} came to ${at * 37 + 1000} parts.`).join(
    "\n",
  );
const size = (message: Message | undefined) => (message ? counter.message(message) : 0);
const total = (messages: readonly Message[]) => messages.reduce((sum, message) => sum + size(message), 0);
const room = (options: Partial<TailRoom>): TailRoom => ({
  tokens: 0,
  mostEach: Number.POSITIVE_INFINITY,
  toldBefore: 0,
  toldShare: 0,
  ...options,
});

function fill(messages: readonly Message[], maxTokens: number, mostEach: number): readonly Message[] {
  const options = { counter, calls: callsById(messages), maxTokens, maxAskTokens: 0 };
  return fillTail(messages, room({ tokens: maxTokens, mostEach }), options);
}

const start = (told: readonly WireMessage[], options: Partial<TailRoom>) =>
  filledTailStart(conversation(...told).messages, room(options), counter);

test("a long message counts with its part, and so an older one stays", () => {
  const told = [
    user("What came in?"),
    assistant("Two."),
    user("Read."),
    assistant(report("north")),
    user("And?"),
  ];
  const { messages } = conversation(...told);
  expect(start(told, { tokens: 200 })).toBe(4);
  expect(start(told, { tokens: 200, mostEach: 100 })).toBe(0);
  expect(start(told, { tokens: total(messages) })).toBe(0);
});

test("what the story told of a message is free once the message stays", () => {
  const told = [user("Read."), assistant(report("north")), user("And?")];
  const { messages } = conversation(...told);
  const need = total(messages) - size(messages[1]) / 2;
  const half = { tokens: Math.ceil(need), toldBefore: 2, toldShare: 0.5 };
  expect(start(told, { tokens: half.tokens })).toBe(2);
  expect(start(told, half)).toBe(0);
  expect(filledTailTokens(messages, room(half), counter)).toBeGreaterThanOrEqual(total(messages));
});

test("of two long messages the older one is cut, and the room is used", () => {
  const { messages } = conversation(
    user("Compare."),
    assistant(report("north")),
    user("Further."),
    assistant(report("south")),
    user("And?"),
  );
  const most = Math.floor(total(messages) * 0.7);
  const filled = fill(messages, most, 100);
  expect(filled[3]).toBe(messages[3]);
  expect(textOfMessage(filled[1]!)).toContain("of 120 lines");
  expect(total(filled)).toBeLessThanOrEqual(most);
  expect(total(filled)).toBeGreaterThan(most * 0.9);
});

test("of a long result as much stays as there is room for", () => {
  const { messages } = conversation(
    user("Look."),
    assistant("", call("bash", { command: "cat weeks.txt" })),
    result(report("north")),
  );
  const most = Math.floor(total(messages) * 0.9);
  const filled = fill(messages, most, 60);
  expect(total(filled)).toBeLessThanOrEqual(most);
  expect(total(filled)).toBeGreaterThan(most * 0.8);
});

test("what cannot be cut to its part takes of the others", () => {
  const { messages } = conversation(
    user("Write."),
    assistant("", call("write", { path: "a.txt", content: report("north") })),
    result("ok"),
    assistant(report("south")),
  );
  const most = size(messages[1]) + 300;
  const filled = fill(messages, most, 60);
  expect(filled[1]).toBe(messages[1]);
  expect(total(filled)).toBeLessThanOrEqual(most);
});
