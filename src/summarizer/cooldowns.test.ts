import { expect, test } from "vitest";
import type { FailureClass } from "../errors/summarizer-failed-error.ts";
import {
  initialSummarizerState,
  readSummarizerState,
  type SummarizerState,
} from "../state/summarizer-state.ts";
import { afterBypass, afterFailure, afterStart, afterSuccess, cooldownOf, mayAttempt } from "./cooldowns.ts";

const fail = (state: SummarizerState, failure: FailureClass, now: number, summarizer = "a") =>
  afterFailure(state, { summarizer, failure, now });
const waits = (state: SummarizerState, summarizer = "a") =>
  (state.cooldowns.find((each) => each.summarizer === summarizer)?.until ?? 0) / 1_000;

test.each<readonly [FailureClass, readonly number[]]>([
  ["auth", [600, 600]],
  ["quota", [600, 600]],
  ["timeout", [60, 300, 900, 900]],
  ["truncated", [60, 300, 900, 900]],
  ["malformed", [30, 30]],
  ["empty", [30, 30]],
  ["network", [60, 60]],
  ["overload", [60, 60]],
  ["refused", [60]],
  ["directive", [60]],
  ["other", [60]],
  ["aborted", [0]],
])("[R32] failures of class %s in a row cool down for %j seconds", (failure, seconds) => {
  let state = initialSummarizerState;
  let now = 0;
  for (const wait of seconds) {
    state = fail(state, failure, now);
    expect(waits(state) - now / 1_000).toBe(wait);
    now += wait * 1_000;
    expect(cooldownOf(state, "a", now)).toBe(undefined);
    if (wait > 0) expect(cooldownOf(state, "a", now - 1)).toMatchObject({ failure });
  }
});

test("[R32] each class has a ladder of its own, and each summarizer a cooldown of its own", () => {
  const state = fail(
    fail(fail(initialSummarizerState, "timeout", 0), "truncated", 60_000),
    "timeout",
    120_000,
    "b",
  );
  expect(waits(state, "a")).toBe(120);
  expect(waits(state, "b")).toBe(180);
  expect(cooldownOf(state, "c", 0)).toBe(undefined);
});

test("[R32] a later failure never shortens a cooldown", () => {
  const state = fail(fail(initialSummarizerState, "auth", 0), "empty", 1_000);
  expect(waits(state)).toBe(600);
  expect(cooldownOf(state, "a", 599_000)?.failure).toBe("auth");
});

test("[R32] a person's wish passes by and clears; a proven overflow passes by once", () => {
  const cooling = fail(initialSummarizerState, "quota", 0);
  expect(cooldownOf(cooling, "a", 1, "manual")).toBe(undefined);
  expect(afterStart(cooling, 0, "manual").cooldowns).toEqual([]);
  expect(cooldownOf(cooling, "a", 1, "overflow")).toBe(undefined);
  const used = afterBypass(cooling, "a", 1);
  expect(cooldownOf(used, "a", 2, "overflow")).toMatchObject({ failure: "quota" });
  expect(cooldownOf(fail(used, "timeout", 2), "a", 3, "overflow")).toBeDefined();
  const later = fail(used, "timeout", 700_000);
  expect(cooldownOf(later, "a", 700_001, "overflow")).toBe(undefined);
});

test("[R32] a success forgets the summarizer's failures", () => {
  const state = fail(fail(initialSummarizerState, "timeout", 0), "timeout", 60_000);
  expect(waits(fail(afterSuccess(state, "a"), "timeout", 0))).toBe(60);
  expect(afterSuccess(fail(state, "empty", 0, "b"), "a").cooldowns.length).toBe(1);
});

test("[R34] a turn may try three times, the next turn anew, and a success refills", () => {
  let state = initialSummarizerState;
  for (let attempt = 0; attempt < 3; attempt++) {
    expect(mayAttempt(state, 7)).toBe(true);
    state = afterStart(state, 7);
  }
  expect(mayAttempt(state, 7)).toBe(false);
  expect(mayAttempt(state, 7, "overflow")).toBe(false);
  expect(mayAttempt(state, 7, "manual")).toBe(true);
  expect(mayAttempt(state, 8)).toBe(true);
  expect(mayAttempt(afterSuccess(state, "a"), 7)).toBe(true);
});

test("[R32] the state comes back from JSON as it went in", () => {
  const state = afterBypass(fail(afterStart(initialSummarizerState, 3), "timeout", 5), "a", 6);
  expect(readSummarizerState(JSON.parse(JSON.stringify(state)))).toEqual(state);
  expect(readSummarizerState(undefined)).toBe(initialSummarizerState);
});

const cooldown = { summarizer: "a", until: 1, failure: "auth", strikes: {}, bypassed: false };
const attempts = { turn: 0, count: 0 };

test.each<readonly [string, unknown]>([
  ["state.summarizer", []],
  ["state.summarizer.cooldowns", { attempts }],
  ["state.summarizer.attempts", { cooldowns: [] }],
  ["state.summarizer.attempts.count", { cooldowns: [], attempts: { turn: 0 } }],
  ["state.summarizer.cooldowns[0]", { cooldowns: [null], attempts }],
  ["state.summarizer.cooldowns[0].summarizer", { cooldowns: [{ ...cooldown, summarizer: 1 }], attempts }],
  ["state.summarizer.cooldowns[0].failure", { cooldowns: [{ ...cooldown, failure: "x" }], attempts }],
  ["state.summarizer.cooldowns[0].until", { cooldowns: [{ ...cooldown, until: Number.NaN }], attempts }],
  ["state.summarizer.cooldowns[0].strikes", { cooldowns: [{ ...cooldown, strikes: 4 }], attempts }],
])("a wrong %s is refused by that name", (option, value) => {
  expect(() => readSummarizerState(value)).toThrow(expect.objectContaining({ option }));
});

test("only so many summarizers are remembered", () => {
  let state = initialSummarizerState;
  for (let index = 0; index < 40; index++) state = fail(state, "other", 0, `s${index}`);
  expect(state.cooldowns.length).toBe(16);
});
