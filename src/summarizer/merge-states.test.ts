import { expect, test } from "vitest";
import { type Cooldown, initialSummarizerState, type SummarizerState } from "../state/summarizer-state.ts";
import { mergeStates } from "./merge-states.ts";

const cooling = (summarizer: string, until: number, more: Partial<Cooldown> = {}): Cooldown => ({
  summarizer,
  until,
  failure: "timeout",
  strikes: { timeout: 1 },
  bypassed: false,
  ...more,
});
const stateOf = (...cooldowns: readonly Cooldown[]): SummarizerState => ({
  cooldowns,
  attempts: { turn: 4, count: 1 },
});
const at = (turn: number, count: number, ...cooldowns: readonly Cooldown[]): SummarizerState => ({
  cooldowns,
  attempts: { turn, count },
});

test("with nothing changed meanwhile the summary's own state stands", () => {
  const before = stateOf(cooling("a", 100));
  for (const state of [initialSummarizerState, stateOf(cooling("a", 900)), stateOf(cooling("b", 5))]) {
    expect(mergeStates(before, { before, state }).cooldowns).toEqual(state.cooldowns);
  }
});

test("[R32] a cooldown that began meanwhile is not forgotten by a late success", () => {
  const late = { before: initialSummarizerState, state: stateOf() };
  expect(mergeStates(stateOf(cooling("a", 600)), late).cooldowns).toEqual([cooling("a", 600)]);
});

test("[R32] a cooldown that changed on both sides is never shortened, and keeps the strikes of both", () => {
  const before = stateOf(cooling("a", 100));
  const quota = cooling("a", 900, { failure: "quota", strikes: { quota: 1, timeout: 1 } });
  const timeout = cooling("a", 300, { strikes: { timeout: 2 } });
  const merged = [{ ...quota, strikes: { quota: 1, timeout: 2 } }];
  expect(mergeStates(stateOf(quota), { before, state: stateOf(timeout) }).cooldowns).toEqual(merged);
  expect(mergeStates(stateOf(timeout), { before, state: stateOf(quota) }).cooldowns).toEqual(merged);
});

test("[R32] what only the newer state forgot stays forgotten, and a late failure after that is told", () => {
  const before = stateOf(cooling("a", 100));
  expect(mergeStates(stateOf(), { before, state: before }).cooldowns).toEqual([]);
  const failed = { before, state: stateOf(cooling("a", 500)) };
  expect(mergeStates(stateOf(), failed).cooldowns).toEqual([cooling("a", 500)]);
});

test("[R34] attempts of a later turn are not overwritten by those of an earlier one", () => {
  const late = { before: initialSummarizerState, state: at(4, 0) };
  expect(mergeStates(at(6, 2), late).attempts).toEqual({ turn: 6, count: 2 });
  expect(mergeStates(at(2, 3), late).attempts).toEqual({ turn: 4, count: 0 });
});
