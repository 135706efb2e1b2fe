import { expect, test } from "vitest";
import type { Message } from "../conversation/message.ts";
import type { Plan } from "../plan/plan.ts";
import { printPlan } from "./print-plan.ts";

const message: Message = { role: "assistant", parts: [], position: -1 };

const plan: Plan = {
  preset: "balanced",
  targetTokens: 3_000,
  tokensBefore: 10_000,
  tokensAfter: 2_900,
  regions: { head: [0], pinned: [], archivable: [1, 2, 3], recent: [4, 5] },
  steps: [
    {
      stage: "shape-tool-results",
      edits: [{ kind: "replace", position: 3, message, reason: "a long\nlisting" }],
      tokensBefore: 10_000,
      tokensAfter: 8_000,
    },
    {
      stage: "hand-off",
      edits: [
        { kind: "insert", before: 1, message, reason: "the hand-off" },
        { kind: "remove", position: 1, reason: "handed off" },
        { kind: "remove", position: 2, reason: "handed off" },
      ],
      tokensBefore: 8_000,
      tokensAfter: 2_900,
    },
  ],
  fingerprints: {},
  originals: [],
  passes: 1,
};

test("prints a few lines per step, the first edits with their reasons", () => {
  expect(printPlan(plan, { edits: 2 })).toBe(`\
10,000 → 2,900 tokens (71% saved), target 3,000
preset balanced; messages: head 1, pinned 0, archivable 3, recent 2; 1 attempt

shape-tool-results: 10,000 → 8,000 tokens, 1 message
  change message 3: a long listing

hand-off: 8,000 → 2,900 tokens, 2 messages
  insert before message 1: the hand-off
  remove message 1: handed off
  and 1 more`);
});

test("an empty plan says so", () => {
  expect(printPlan({ ...plan, steps: [] })).toBe("Nothing to do (balanced): 10,000 tokens, target 3,000.");
  const reason = "Not due: 10 of 119,808 tokens.";
  expect(printPlan({ ...plan, steps: [], reason })).toBe(`Nothing to do (balanced): ${reason}`);
  expect(printPlan({ ...plan, reason })).toContain(`\ncompact would leave it as it is: ${reason}\n`);
});

test("colours come only when asked for", () => {
  expect(printPlan(plan)).not.toContain("\u001b");
  expect(printPlan(plan, { color: true })).toContain("\u001b");
});
