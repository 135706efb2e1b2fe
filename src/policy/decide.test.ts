import { expect, test } from "vitest";
import type { Conversation } from "../conversation/conversation.ts";
import type { Message, Role } from "../conversation/message.ts";
import type { Part } from "../conversation/part.ts";
import { type CompactionState, initialState } from "../state/compaction-state.ts";
import type { Fill } from "../tokens/fill.ts";
import { type Decision, decide } from "./decide.ts";
import type { Policy } from "./policy.ts";
import { presets } from "./presets.ts";
import { resolvePolicy } from "./resolve-policy.ts";
import type { Situation } from "./situation.ts";

test("[F22] factor3 leaves 3,999 of 8,000 tokens alone and summarises at 4,000", () => {
  expect(at(3_999, "factor3")).toMatchObject({ act: false, code: "BELOW_THRESHOLD" });
  expect(at(4_000, "factor3")).toMatchObject({
    act: true,
    cause: "threshold",
    action: "hand-off",
    thresholdTokens: 4_000,
  });
});

test("[F12 F14] gptme starts at half of the window and comes back to 35 %", () => {
  expect(at(3_999, "gptme").act).toBe(false);
  expect(at(4_000, "gptme")).toMatchObject({ act: true, action: "extract", targetTokens: 2_800 });
});

test("[F17] the trigger moves with a policy of one's own", () => {
  const tuned: Policy = { ...presets.gptme, thresholds: [{ at: 0.6, action: "extract" }] };
  expect(decide(situation({ tokens: 4_799, policy: tuned })).act).toBe(false);
  expect(decide(situation({ tokens: 4_800, policy: tuned })).act).toBe(true);
});

test("the highest reached threshold acts, the lowest reached one is what the result must stay under", () => {
  expect(at(7_500, "balanced")).toMatchObject({
    action: "trim",
    thresholdTokens: 6_000,
    targetTokens: 2_800,
  });
});

test("[F17] balanced waits for the window the first time, and for three quarters of it from then on", () => {
  const first = { state: initialState };
  expect(at(7_999, "balanced", first)).toMatchObject({
    act: false,
    code: "BELOW_THRESHOLD",
    reason: expect.stringContaining("from 8,000 tokens"),
  });
  expect(at(8_000, "balanced", first)).toMatchObject({ act: true, action: "trim", targetTokens: 2_800 });
  expect(at(5_999, "balanced").act).toBe(false);
  expect(at(6_000, "balanced")).toMatchObject({ act: true, action: "hand-off" });
});

test("[F71] degraded waits for nine tenths the first time", () => {
  const first = { state: initialState };
  expect(at(7_199, "balanced+degraded", first).act).toBe(false);
  expect(at(7_200, "balanced+degraded", first).act).toBe(true);
});

test("a threshold that needs a large result waits for one", () => {
  const policy: Policy = {
    ...presets.gptme,
    thresholds: [
      { at: 0.5, action: "extract", needsResultOver: 2_000 },
      { at: 0.9, action: "hand-off" },
    ],
  };
  const refused = decide(situation({ tokens: 5_000, policy, largestResultTokens: () => 2_000 }));
  expect(refused).toMatchObject({
    act: false,
    reason: expect.stringContaining("a tool result over 2,000 tokens"),
  });
  expect(decide(situation({ tokens: 5_000, policy, largestResultTokens: () => 2_001 }))).toMatchObject({
    action: "extract",
  });
  expect(decide(situation({ tokens: 7_200, policy }))).toMatchObject({ action: "hand-off" });
});

test("[F40] factor3 summarises above 20 messages and trims above 30, whatever the fill", () => {
  const withMessages = (count: number) => at(400, "factor3", { conversation: talk(count) });
  expect(withMessages(20).act).toBe(false);
  expect(withMessages(21)).toMatchObject({ act: true, cause: "messages", action: "hand-off" });
  expect(withMessages(30)).toMatchObject({ action: "hand-off" });
  expect(withMessages(31)).toMatchObject({
    cause: "messages",
    action: "trim",
    reason: expect.stringMatching(/31.*30/),
  });
});

test("a compaction of a small conversation aims at the same proportion of what is there", () => {
  expect(at(400, "factor3", { conversation: talk(21) })).toMatchObject({ targetTokens: 280 });
  expect(at(1_000, "balanced", { force: "manual" })).toMatchObject({ targetTokens: 466 });
});

test("[F55] nothing happens while a tool call at the end is unanswered", () => {
  const open = conversation(...talk(8).messages, call("a", "b"), result("a"));
  expect(at(7_900, "synthorg", { conversation: open })).toMatchObject({ act: false, code: "TOOL_CALL_OPEN" });
  expect(at(7_900, "synthorg", { conversation: open, requested: true })).toMatchObject({
    code: "TOOL_CALL_OPEN",
  });
  const whole = conversation(...open.messages, result("b"));
  expect(at(7_900, "synthorg", { conversation: whole }).act).toBe(true);
});

test("force does not wait for the turn boundary", () => {
  const open = conversation(...talk(8).messages, call("a"));
  expect(at(100, "synthorg", { conversation: open, force: "overflow" })).toMatchObject({ cause: "overflow" });
  expect(at(100, "synthorg", { conversation: open, force: "manual" })).toMatchObject({ cause: "manual" });
});

test("[F54] synthorg compacts at 80 % and leaves fewer than 4 messages alone", () => {
  expect(at(6_399, "synthorg").act).toBe(false);
  expect(at(6_400, "synthorg").act).toBe(true);
  expect(at(7_900, "synthorg", { conversation: talk(3) })).toMatchObject({
    act: false,
    code: "TOO_FEW_MESSAGES",
  });
});

test("a request that does not fit is compacted, however few its messages", () => {
  const few = { conversation: talk(3) };
  const { budget } = situation({ tokens: 0, policy: presets.balanced }).fill;
  expect(at(budget, "balanced", few)).toMatchObject({ act: false, code: "TOO_FEW_MESSAGES" });
  expect(at(budget + 1, "balanced", few).act).toBe(true);
});

test("[F26] with no more messages than those that stay there is nothing to summarise", () => {
  const policy = { ...presets.factor3, minMessages: 0 };
  const few = decide(situation({ tokens: 5_000, policy, conversation: talk(3) }));
  expect(few).toMatchObject({ act: false, code: "NOTHING_TO_SUMMARIZE" });
  expect(decide(situation({ tokens: 5_000, policy, conversation: talk(1) }))).toMatchObject({
    reason: expect.stringContaining("there is 1 message,"),
  });
  expect(decide(situation({ tokens: 5_000, policy, conversation: talk(4) })).act).toBe(true);
});

test("one tool result too large for the tail is dealt with even among few messages", () => {
  const few = conversation(message("user", "read it"), call("a"), result("a"));
  expect(at(7_000, "balanced", { conversation: few, largestResultTokens: () => 6_000 }).act).toBe(true);
  expect(at(7_000, "balanced", { conversation: few, largestResultTokens: () => 500 }).act).toBe(false);
});

test("a conversation of system messages alone is never compacted", () => {
  const empty = conversation(message("system", "You are terse."));
  expect(at(9_000, "balanced", { conversation: empty, force: "overflow" })).toMatchObject({ code: "EMPTY" });
});

test("[F76] with agent control automatic compaction waits from 80 % to 95 %, then the net catches", () => {
  expect(at(6_400, "synthorg-agent")).toMatchObject({ act: false, code: "AGENT_CONTROLLED" });
  expect(at(7_599, "synthorg-agent")).toMatchObject({ act: false, code: "AGENT_CONTROLLED" });
  expect(at(7_600, "synthorg-agent")).toMatchObject({
    act: true,
    cause: "safety-net",
    thresholdTokens: 7_600,
  });
  expect(at(6_399, "synthorg-agent")).toMatchObject({ act: false, code: "BELOW_THRESHOLD" });
  expect(at(6_400, "synthorg")).toMatchObject({ act: true, cause: "threshold" });
});

test("[F71] degraded acts ten points earlier, and its net stays at 95 %", () => {
  expect(at(5_599, "synthorg+degraded").act).toBe(false);
  expect(at(5_600, "synthorg+degraded").act).toBe(true);
  expect(at(7_599, "synthorg-agent+degraded").act).toBe(false);
  expect(at(7_600, "synthorg-agent+degraded").act).toBe(true);
});

test("[F36 F38] in debug only an overflow compacts", () => {
  expect(at(7_999, "balanced+debug")).toMatchObject({ act: false, code: "DEBUG" });
  expect(at(7_999, "balanced+debug", { force: "manual" })).toMatchObject({ act: false, code: "DEBUG" });
  expect(at(7_999, "balanced+debug", { requested: true })).toMatchObject({ act: false, code: "DEBUG" });
  expect(at(7_999, "balanced+debug", { force: "overflow" })).toMatchObject({ act: true, cause: "overflow" });
});

test("[F38] factor3 summarises at 50 % so that the trim at 80 % is the exception", () => {
  expect(at(6_399, "factor3")).toMatchObject({ action: "hand-off" });
  expect(at(6_400, "factor3")).toMatchObject({ action: "trim" });
});

test("[R29] on a very large window the first threshold lies at the cap, and the rest keeps its proportion", () => {
  const large = { budget: 1_000_000, policy: presets.balanced };
  expect(decide(situation({ ...large, tokens: 255_999 })).act).toBe(false);
  expect(decide(situation({ ...large, tokens: 256_000 }))).toMatchObject({
    action: "hand-off",
    thresholdTokens: 256_000,
    targetTokens: 119_466,
  });
  expect(decide(situation({ ...large, tokens: 308_000 }))).toMatchObject({ action: "trim" });
});

test("[F85] caps are only where a source has them", () => {
  const large = { budget: 1_000_000, tokens: 499_999 };
  const act = (preset: string) =>
    decide(situation({ ...large, policy: resolvePolicy(preset as "hermes") })).act;
  expect(["gptme", "factor3", "hermes", "synthorg", "deepagents"].map(act)).toEqual(Array(5).fill(false));
  expect(act("hermes-lean")).toBe(true);
});

test("[F22 F85] shares of the window as given go no further than what the reserve leaves of it", () => {
  const fill = (tokens: number, reserve: number): Fill => ({
    ...{ tokens, window: 8_000, reserve, budget: 8_000 - reserve, base: 8_000 },
    ...{ ratio: tokens / 8_000, exact: true },
  });
  const near = (tokens: number, reserve: number) => at(0, "factor3", { fill: fill(tokens, reserve) });
  expect([near(3_999, 1_000).act, near(4_000, 1_000).act]).toEqual([false, true]);
  expect(near(4_000, 1_000)).toMatchObject({ targetTokens: 2_800, reason: expect.stringContaining("8,000") });
  expect([near(999, 7_000).act, near(1_000, 7_000).act]).toEqual([false, true]);
  expect(near(3_000, 7_000)).toMatchObject({ thresholdTokens: 1_000, targetTokens: 700 });
});

test("[F85] the percentage of the safety net is of the number beside it, also under a cap", () => {
  const policy = { ...presets.balanced, agentControlled: { safetyAt: 0.95 } };
  const { reason } = decide(situation({ tokens: 900_000, budget: 1_000_000, policy })) as { reason: string };
  expect(reason).toContain("waits for 950,000 tokens (95%)");
});

test("[R48] after a compaction the conversation must have grown before the next automatic one", () => {
  const state = { ...compactedBefore, rearmTokens: 6_500 };
  expect(at(6_499, "balanced", { state })).toMatchObject({ act: false, code: "NOT_REGROWN" });
  expect(at(6_500, "balanced", { state }).act).toBe(true);
  expect(at(8_000, "balanced", { state: { ...compactedBefore, rearmTokens: 9_000 } }).act).toBe(true);
});

test("[R17] a block holds until its time, and then one attempt is made", () => {
  const state = {
    ...compactedBefore,
    strikes: 2,
    blockedUntil: 400_000,
    blockedReason: "two compactions did not help",
  };
  const refused = at(7_000, "balanced", { state, now: 399_000 });
  expect(refused).toMatchObject({ act: false, code: "BLOCKED" });
  expect(at(7_000, "balanced", { state, now: 400_000 }).act).toBe(true);
});

test("[R32] what is forced passes a block, and so does what the agent asks for", () => {
  const state = { ...compactedBefore, strikes: 2, blockedUntil: 400_000, lastAttemptAt: 1_000 };
  expect(at(7_000, "gptme", { state, now: 2_000, force: "manual" }).act).toBe(true);
  expect(at(7_000, "gptme", { state, now: 2_000, force: "overflow" })).toMatchObject({
    act: true,
    action: "trim",
  });
  expect(at(7_000, "gptme", { state, now: 2_000, requested: true })).toMatchObject({
    act: true,
    cause: "request",
  });
});

test("[R18] a block for want of anything to do ends early when there is more", () => {
  const state = { ...compactedBefore, blockedUntil: 400_000, blockEndsAtTokens: 7_000 };
  expect(at(6_999, "balanced", { state, now: 1 })).toMatchObject({ code: "BLOCKED" });
  expect(at(7_000, "balanced", { state, now: 1 }).act).toBe(true);
});

test("gptme waits 60 seconds between attempts, also when the clock was set back", () => {
  const state = { ...compactedBefore, lastAttemptAt: 100_000 };
  expect(at(5_000, "gptme", { state, now: 159_999 })).toMatchObject({ act: false, code: "PAUSED" });
  expect(at(5_000, "gptme", { state, now: 160_000 }).act).toBe(true);
  expect(at(5_000, "gptme", { state, now: 50_000 }).act).toBe(true);
});

test("a request that no longer fits does not wait for a pause, but for the end of a block after two strikes", () => {
  const paused = { ...compactedBefore, lastAttemptAt: 0, blockedUntil: 300_000 };
  expect(at(7_999, "gptme", { state: paused, now: 1_000 }).act).toBe(false);
  expect(at(8_000, "gptme", { state: paused, now: 1_000 })).toMatchObject({ act: true, action: "hand-off" });
  const struck = { ...paused, strikes: 2 };
  expect(at(8_000, "gptme", { state: struck, now: 1_000 })).toMatchObject({ act: false, code: "BLOCKED" });
});

test("[R50] an agent's request is declined when there is nothing to gain", () => {
  expect(at(100, "synthorg", { requested: true, conversation: talk(6) })).toMatchObject({ act: false });
  expect(
    at(100, "synthorg", { requested: true, state: { ...compactedBefore, rearmTokens: 101 } }),
  ).toMatchObject({
    code: "NOT_REGROWN",
  });
  expect(at(100, "synthorg", { requested: true })).toMatchObject({
    act: true,
    cause: "request",
    action: "hand-off",
  });
});

test("what is asked for does at least a hand-off, and more when the fill calls for it", () => {
  expect(at(100, "gptme", { force: "manual" })).toMatchObject({ action: "hand-off" });
  expect(at(7_900, "factor3", { force: "manual" })).toMatchObject({ action: "trim" });
});

test("[R51] every refusal says what would change it", () => {
  const blocked: CompactionState = {
    ...compactedBefore,
    blockedUntil: 61_000,
    blockedReason: "compaction left 7000 tokens",
    blockEndsAtTokens: 7_100,
  };
  const reasons = [
    at(3_999, "factor3"),
    at(7_000, "balanced", { state: blocked, now: 1_000 }),
    at(7_000, "gptme", { state: { ...compactedBefore, lastAttemptAt: 0 }, now: 20_000 }),
    at(7_000, "synthorg-agent"),
    at(7_000, "balanced+debug"),
    at(7_000, "synthorg", { conversation: talk(2) }),
  ].map((decision) => decision.reason);
  expect(reasons).toEqual([
    "Not due: 3,999 of 8,000 tokens, 50%. Compacts from 4,000 tokens, or with more than 20 messages (now 12).",
    "Compaction is due (7,000 of 8,000 tokens, 87.5%) but blocked: compaction left 7000 tokens. " +
      "The next automatic attempt is in 60 s, or at 7,100 tokens; " +
      "a compaction by hand or another model ends the block.",
    "Compaction is due (7,000 of 8,000 tokens, 87.5%), but the last attempt was 20 s ago and the preset waits 60 s " +
      "between two: the next is in 40 s.",
    "The agent compacts by itself here: automatic compaction waits for 7,600 tokens (95%); " +
      "it is at 7,000 of 8,000 tokens, 87.5%.",
    'The preset "balanced+debug" does not compact, as with the modifier debug: nothing shrinks except to recover ' +
      "from an overflow. Choose the preset without it, or give a target.",
    "Only 2 messages: the preset leaves fewer than 4 alone. More messages, a target or an overflow change that.",
  ]);
});

/** A conversation that was compacted before: every threshold is in force. */
const compactedBefore: CompactionState = { ...initialState, compactions: 1 };

function at(tokens: number, preset: string, rest: Partial<Situation> = {}): Decision {
  return decide(situation({ tokens, policy: resolvePolicy(preset as "balanced"), ...rest }));
}

function situation({
  tokens,
  budget = 8_000,
  ...rest
}: { tokens: number; budget?: number; policy: Policy } & Partial<Situation>): Situation {
  const fill: Fill = {
    tokens,
    budget,
    window: budget,
    reserve: 0,
    base: budget,
    ratio: tokens / budget,
    exact: true,
  };
  return { fill, conversation: talk(12), state: compactedBefore, now: 0, ...rest };
}

function talk(count: number): Conversation {
  const spoken = Array.from({ length: count }, (_, index) =>
    message(index % 2 ? "assistant" : "user", `word ${index}`),
  );
  return conversation(message("system", "You are terse."), ...spoken);
}

function conversation(...messages: Message[]): Conversation {
  return { format: "openai", messages, tools: [], envelope: undefined };
}

function message(role: Role, text: string): Message {
  return withPart(role, { type: "text", text });
}

function call(...pairIds: string[]): Message {
  const parts = pairIds.map(
    (pairId): Part => ({ type: "tool-call", pairId, name: "read", arguments: "{}", server: false }),
  );
  return { role: "assistant", parts, position: 0 };
}

function result(pairId: string): Message {
  return withPart("tool", {
    type: "tool-result",
    pairId,
    text: "…",
    attachments: [],
    isError: false,
    server: false,
  });
}

function withPart(role: Role, part: Part): Message {
  return { role, parts: [part], position: 0 };
}
