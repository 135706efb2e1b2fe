import { expect, test } from "vitest";
import type { Conversation } from "../conversation/conversation.ts";
import { OptionsError } from "../errors/options-error.ts";
import { createTokenCounter } from "./counter.ts";
import { defaultReserve, observeFill } from "./fill.ts";

const counter = createTokenCounter();
const conversation: Conversation = {
  format: "openai",
  messages: [{ role: "user", parts: [{ type: "text", text: "Hello, world" }], position: 0 }],
  tools: [],
  envelope: undefined,
};

test("[R24] the budget is the window without the room for the answer", () => {
  expect(observeFill({ conversation, counter, window: 34, reserve: 20 })).toEqual({
    tokens: 7,
    budget: 14,
    window: 34,
    reserve: 20,
    base: 14,
    ratio: 0.5,
    exact: true,
  });
  expect(observeFill({ conversation, counter, window: 14, reserve: 0 }).ratio).toBe(0.5);
});

test("[F85] the share is of the window as given where the policy counts so", () => {
  expect(observeFill({ conversation, counter, window: 14, reserve: 7, base: "window" })).toMatchObject({
    budget: 7,
    base: 14,
    ratio: 0.5,
  });
});

test("[F76] the reserve that nobody gave leaves room for 95 % of the window where the shares are of it", () => {
  for (const window of [100, 8_000, 200_000]) {
    expect(window - defaultReserve(window, "window")).toBeGreaterThanOrEqual(0.95 * window);
  }
  expect([8_000, 200_000].map((window) => defaultReserve(window))).toEqual([1_000, 8_192]);
});

test("[R25] fill starts from the usage that the provider reported", () => {
  const anchor = { promptTokens: 900, messages: 1 };
  expect(observeFill({ conversation, counter, window: 1_200, reserve: 200, anchor })).toMatchObject({
    tokens: 900,
    ratio: 0.9,
  });
});

test("says when the figure is an estimate", () => {
  const claude = createTokenCounter({ model: "claude-sonnet-4" });
  expect(observeFill({ conversation, counter: claude, window: 100, reserve: 10 }).exact).toBe(false);
});

test.each([
  [0, 0],
  [-1, 0],
  [1.5, 0],
  [Number.NaN, 0],
  [Number.POSITIVE_INFINITY, 0],
  [100, 100],
  [100, 200],
  [100, -1],
  [100, 0.5],
])("refuses a window of %d with a reserve of %d", (window, reserve) => {
  expect(() => observeFill({ conversation, counter, window, reserve })).toThrow(OptionsError);
});
