import { expect, test } from "vitest";
import { type CompactionState, initialState } from "../state/compaction-state.ts";
import { readState } from "../state/read-state.ts";
import {
  afterCompaction,
  afterNothing,
  afterRefusal,
  blockMs,
  type Compaction,
  forModel,
  judge,
} from "./verdict.ts";

const automatic = { cause: "threshold", thresholdTokens: 6_000 } as const;

test("[R16] a compaction is judged once, by the next real prompt size", () => {
  const compacted = compact(initialState);
  expect(compacted.pendingVerdict).toEqual({ thresholdTokens: 6_000 });
  const judged = judge(compacted, 6_000);
  expect(judged).toMatchObject({ strikes: 1 });
  expect(judge(judged, 6_000)).toBe(judged);
});

test("[R16] two compactions that leave the prompt over the threshold stop automatic compaction", () => {
  const once = judge(compact(initialState, { now: 1_000 }), 7_000);
  expect(once.blockedUntil).toBeUndefined();
  const twice = judge(compact(once, { now: 2_000 }), 7_000);
  expect(twice).toMatchObject({ strikes: 2, blockedUntil: 2_000 + blockMs });
  expect(twice.blockedReason).toContain("7000 tokens");
});

test("[R16] one that works wipes the strikes out", () => {
  const struck = judge(compact(initialState), 7_000);
  expect(judge(compact(struck), 5_999)).toMatchObject({ strikes: 0 });
});

test("[R23] messages that went do not count when the tokens stayed", () => {
  const compacted = compact(initialState, { tokensBefore: 3_000, tokensAfter: 100 });
  expect(judge(compacted, 6_500).strikes).toBe(1);
});

test("[R17] after the block one probe is made, and the next waits for its verdict", () => {
  const blocked = { ...initialState, strikes: 2, blockedUntil: 300_000 };
  const probed = compact(blocked, { now: 400_000 });
  expect(probed.blockedUntil).toBe(400_000 + blockMs);
  const helped = judge(probed, 5_000, 401_000);
  expect(helped).toMatchObject({ strikes: 0 });
  expect(helped).not.toHaveProperty("blockedUntil");
  expect(judge(probed, 6_500, 402_000)).toMatchObject({ strikes: 3, blockedUntil: 402_000 + blockMs });
});

test("[R17] strikes and blocks survive a restart", () => {
  const blocked = judge(compact(judge(compact(initialState), 7_000)), 7_000);
  expect(readState(JSON.parse(JSON.stringify(blocked)))).toEqual(blocked);
});

test("[R17] a compaction by hand ends a block, wipes the strikes out and is not judged", () => {
  const blocked = judge(compact(judge(compact(initialState), 7_000)), 7_000);
  const byHand = compact(blocked, { decision: { cause: "manual", thresholdTokens: 6_000 } });
  expect(byHand).toMatchObject({ strikes: 0, compactions: 3, recentResults: [] });
  expect(byHand).not.toHaveProperty("blockedUntil");
  expect(byHand).not.toHaveProperty("blockedReason");
  expect(judge(byHand, 7_999)).toBe(byHand);
});

test("a compaction for an explicit target is not judged either", () => {
  expect(judge(compact(initialState, { decision: undefined }), 1e6).strikes).toBe(0);
});

test("[R17] another model starts without strikes, blocks and sizes", () => {
  const blocked: CompactionState = {
    ...compact(judge(compact(initialState, { model: "a" }), 7_000), { model: "a" }),
    blockedUntil: 9e9,
    blockedReason: "x",
    anchor: { promptTokens: 1, messages: 1 },
    systemNoted: true,
  };
  expect(forModel(blocked, "b")).toEqual({
    version: 1,
    compactions: 2,
    strikes: 0,
    recentResults: [],
    lastAttemptAt: 0,
    systemNoted: true,
    model: "b",
  });
  expect(forModel(blocked, "a")).toBe(blocked);
  expect(forModel(blocked, undefined)).toBe(blocked);
  expect(forModel({ ...initialState, strikes: 1 }, "a")).toMatchObject({ strikes: 1, model: "a" });
});

test("[R18] nothing to do is a pause of 300 seconds and not a strike", () => {
  const paused = afterNothing(initialState, 1_000, "Only 3 messages.");
  expect(paused).toMatchObject({ strikes: 0, blockedUntil: 301_000, lastAttemptAt: 1_000 });
  expect(paused.blockedReason).toBe("there was nothing to compact (Only 3 messages)");
  expect(paused).not.toHaveProperty("blockEndsAtTokens");
  expect(afterNothing(initialState, 0, "x", 5_000)).toMatchObject({ blockEndsAtTokens: 5_500 });
});

test("[R19] a refused result is a strike, and two of them stop automatic compaction", () => {
  const once = afterRefusal(initialState, 1_000, "598,862 tokens instead of 427,948.");
  expect(once).toMatchObject({ strikes: 1, compactions: 0 });
  expect(afterRefusal(once, 2_000, "again")).toMatchObject({ strikes: 2, blockedUntil: 302_000 });
});

test("[R20] three compactions that end at about the same size for little gain stop automatic compaction", () => {
  const sizes = { tokensBefore: 7_000, tokensAfter: 6_200 };
  let state = compact(initialState, { ...sizes, now: 0 });
  state = judge(compact(state, { ...sizes, now: 1e6, tokensAfter: 6_250 }), 5_000);
  expect(state.blockedUntil).toBeUndefined();
  state = compact(state, { ...sizes, now: 2e6 });
  expect(state).toMatchObject({ strikes: 2, blockedUntil: 2e6 + blockMs });
  expect(state.blockedReason).toBe("the last 3 compactions all ended at about 6200 tokens");
  expect(judge(state, 100).blockedUntil).toBe(2e6 + blockMs);
});

test("[R20] more than six small gains in ten minutes stop automatic compaction, although each worked", () => {
  const after = (count: number) => {
    let state: CompactionState = initialState;
    for (let index = 0; index < count; index++) {
      const tokensAfter = index % 2 ? 9_100 : 9_900;
      state = judge(compact(state, { now: index * 60_000, tokensBefore: 10_000, tokensAfter }), 100);
    }
    return state;
  };
  expect(after(6).blockedUntil).toBeUndefined();
  expect(after(7)).toMatchObject({ strikes: 2, blockedUntil: 6 * 60_000 + blockMs });
});

test("a healthy rhythm, the same deep cut every few minutes, is left alone", () => {
  let state: CompactionState = initialState;
  for (let index = 0; index < 20; index++) {
    state = judge(compact(state, { now: index * 30_000, tokensBefore: 6_000, tokensAfter: 2_800 }), 2_900);
  }
  expect(state).toMatchObject({ strikes: 0, compactions: 20 });
  expect(state.blockedUntil).toBeUndefined();
  expect(state.recentResults).toHaveLength(8);
});

test("[R22] what the provider reported before a compaction is forgotten", () => {
  const anchored = { ...initialState, anchor: { promptTokens: 6_000, messages: 12 } };
  expect(compact(anchored)).not.toHaveProperty("anchor");
});

test("[R48] the next compaction waits until a tenth of the threshold, at most 4,096 tokens, has been added", () => {
  expect(compact(initialState, { promptTokensAfter: 3_000 }).rearmTokens).toBe(3_600);
  const large = { decision: { ...automatic, thresholdTokens: 150_000 }, promptTokensAfter: 148_000 };
  expect(compact(initialState, large).rearmTokens).toBe(152_096);
});

test("counts every compaction", () => {
  expect(compact(compact(initialState)).compactions).toBe(2);
});

function compact(state: CompactionState, change: Partial<Compaction> = {}): CompactionState {
  return afterCompaction(state, {
    decision: automatic,
    tokensBefore: 6_500,
    tokensAfter: 2_800,
    now: 0,
    ...change,
  });
}
