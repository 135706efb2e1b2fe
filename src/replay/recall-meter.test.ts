import { expect, test } from "vitest";
import type { Message } from "../conversation/message.ts";
import { assistant, conversation, system, user } from "../testing/builders.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { createRecallMeter } from "./recall-meter.ts";
import { readSent } from "./sent-request.ts";

const counter = createTokenCounter();
const setting = { window: 1000, reserve: 0, format: "openai", counter };
const told = user("The nightly order 48213 for customer Miller failed.");
const filler = user("something else ".repeat(100));
const answer = messageOf(assistant("Looking at 48213."));

function messageOf(wire: ReturnType<typeof user>): Message {
  return conversation(wire).messages[0]!;
}

function heard(view: readonly unknown[] | undefined, added = [told, filler]) {
  const meter = createRecallMeter({ counter, gapTokens: 100 });
  meter.hear({ added: added.map(messageOf), answer, sent: view && readSent(view, setting) });
  return meter.count();
}

test("a specific that the agent uses after a gap is held when its message is still in view", () => {
  expect(heard([told, filler])).toEqual({ used: 1, held: 1 });
  expect(heard([filler])).toEqual({ used: 1, held: 0 });
});

test("a rewritten message holds it beside two of its words, and not without them", () => {
  expect(heard([user("Order 48213, Miller."), filler])).toEqual({ used: 1, held: 1 });
  expect(heard([user("48213"), filler])).toEqual({ used: 1, held: 0 });
});

test("what was said just now, or stands in the system prompt, is no question of memory", () => {
  expect(heard([told], [filler, told])).toEqual({ used: 0, held: 0 });
  expect(heard([filler], [system("Order 48213"), told, filler])).toEqual({ used: 0, held: 0 });
});

test("a refused request had nothing in view", () => {
  expect(heard(undefined)).toEqual({ used: 1, held: 0 });
});
