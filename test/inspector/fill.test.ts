import { expect, test } from "vitest";
import { fillOf } from "../../inspector/src/fill.ts";
import type { CompactionMark, ConversationView, KindTokens } from "../../src/inspect/views.ts";

const none: KindTokens = { system: 0, user: 0, assistant: 0, reasoning: 0, calls: 0, results: 0, handOff: 0 };

function mark(position: number, kindsAfter: Partial<KindTokens>, undone = false): CompactionMark {
  return {
    id: `pith:${position}`,
    at: 0,
    position,
    tokensBefore: 0,
    tokensAfter: 0,
    kindsAfter: { ...none, ...kindsAfter },
    preset: "balanced",
    undone,
  };
}

function view(user: readonly number[], more: Partial<ConversationView> = {}): ConversationView {
  const empty = { system: [], assistant: [], reasoning: [], calls: [], results: [], handOff: [] };
  return {
    id: "a",
    messages: user.length,
    exact: true,
    tokens: 0,
    saidTokens: 0,
    toolTokens: 0,
    preset: "balanced",
    thresholds: [],
    kinds: { ...empty, user },
    compactions: [],
    usage: [],
    firstAt: 0,
    lastAt: 0,
    pins: [],
    problems: [],
    ...more,
  };
}

test("the fill grows by each message", () => {
  expect(fillOf(view([10, 20, 30]))).toEqual({
    x: [0, 1, 2],
    layers: [{ kind: "user", tokens: [10, 30, 60], top: [10, 30, 60] }],
    most: 60,
  });
});

test("a compaction sets the fill to what it left, and messages add to that", () => {
  const { x, layers, most } = fillOf(view([10, 20, 30], { compactions: [mark(2, { user: 1, handOff: 4 })] }));
  expect(x).toEqual([0, 1, 1.5, 2]);
  expect(layers).toEqual([
    { kind: "handOff", tokens: [0, 0, 4, 4], top: [0, 0, 4, 4] },
    { kind: "user", tokens: [10, 30, 1, 31], top: [10, 30, 5, 35] },
  ]);
  expect(most).toBe(35);
});

test("of two compactions at one place the later one counts", () => {
  const compactions = [mark(1, { user: 5 }), mark(1, { user: 2 })];
  const { x, layers } = fillOf(view([10, 20], { compactions }));
  expect([x, layers[0]!.tokens]).toEqual([
    [0, 0.5, 1],
    [10, 2, 22],
  ]);
});

test("a compaction that was undone changes nothing", () => {
  expect(fillOf(view([10, 20], { compactions: [mark(1, { user: 5 }, true)] })).layers[0]!.tokens).toEqual([
    10, 30,
  ]);
});

test("tools are in every request, after a compaction as well", () => {
  const { layers } = fillOf(view([10, 20], { toolTokens: 7, compactions: [mark(1, { user: 5 })] }));
  expect(layers).toEqual([
    { kind: "system", tokens: [7, 7, 7], top: [7, 7, 7] },
    { kind: "user", tokens: [10, 5, 25], top: [17, 12, 32] },
  ]);
});

test("a long conversation has fewer points than messages, and none of its peaks is lost", () => {
  const compactions = [mark(4001, { user: 5 })];
  const usage = [{ position: 700, tokens: 1 }];
  const { x, layers, most } = fillOf(view(new Array(10_000).fill(1), { compactions, usage }));
  expect(x.length).toBeLessThan(1250);
  expect(x).toEqual(expect.arrayContaining([0, 700, 4000, 4000.5, 9999]));
  const at = (point: number) => layers[0]!.tokens[x.indexOf(point)];
  expect([at(0), at(700), at(4000), at(4000.5), at(9999)]).toEqual([1, 701, 4001, 5, 6004]);
  expect(most).toBe(6004);
});
