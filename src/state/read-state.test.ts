import { expect, test } from "vitest";
import { OptionsError } from "../errors/options-error.ts";
import { type CompactionState, initialState } from "./compaction-state.ts";
import { readState } from "./read-state.ts";

const full: CompactionState = {
  version: 1,
  compactions: 3,
  strikes: 1,
  recentResults: [{ at: 1, tokensBefore: 10, tokensAfter: 5 }],
  lastAttemptAt: 1,
  pendingVerdict: { thresholdTokens: 8 },
  blockedUntil: 2,
  blockedReason: "x",
  blockEndsAtTokens: 9,
  rearmTokens: 6,
  anchor: { promptTokens: 5, messages: 2 },
  actedOnUsage: 7,
  model: "m",
  systemNoted: true,
  conversation: "c-1",
  lastCompaction: "pith:0g1q2v3j4x5z",
};

test("nothing means the initial state", () => {
  expect(readState(undefined)).toBe(initialState);
  expect(readState(null)).toBe(initialState);
});

test("[F60] a state comes back from JSON as it went in", () => {
  expect(readState(JSON.parse(JSON.stringify(full)))).toEqual(full);
  expect(readState(JSON.parse(JSON.stringify(initialState)))).toEqual(initialState);
});

test("fields of a null and unknown fields are left out", () => {
  expect(readState({ ...initialState, model: null, colour: "red" })).toEqual(initialState);
});

const wrong: readonly [field: string, value: unknown][] = [
  ["state", "text"],
  ["state", []],
  ["state.version", {}],
  ["state.version", { ...full, version: 2 }],
  ["state.compactions", { ...full, compactions: "3" }],
  ["state.strikes", { ...full, strikes: -1 }],
  ["state.recentResults", { ...full, recentResults: {} }],
  ["state.recentResults[0]", { ...full, recentResults: [null] }],
  ["state.recentResults[0].at", { ...full, recentResults: [{}] }],
  ["state.pendingVerdict", { ...full, pendingVerdict: true }],
  ["state.pendingVerdict.thresholdTokens", { ...full, pendingVerdict: {} }],
  ["state.blockedUntil", { ...full, blockedUntil: Number.POSITIVE_INFINITY }],
  ["state.blockedReason", { ...full, blockedReason: 1 }],
  ["state.rearmTokens", { ...full, rearmTokens: Number.NaN }],
  ["state.anchor.messages", { ...full, anchor: { promptTokens: 1 } }],
  ["state.systemNoted", { ...full, systemNoted: "yes" }],
];

test.each(wrong)("a wrong %s is refused by that name", (field, value) => {
  expect(() => readState(value)).toThrow(OptionsError);
  expect(() => readState(value)).toThrow(expect.objectContaining({ option: field }));
});

test("a state of a newer release says so", () => {
  expect(() => readState({ ...full, version: 2 })).toThrow(/a newer one wrote this state/);
});
