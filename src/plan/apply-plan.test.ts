import { expect, test } from "vitest";
import { withMessages } from "../conversation/conversation.ts";
import { PlanStaleError } from "../errors/plan-stale-error.ts";
import { assistant, call, conversation, user } from "../testing/builders.ts";
import { applyPlan } from "./apply-plan.ts";
import { fingerprint } from "./fingerprint.ts";
import { emptyPlan, type Plan } from "./plan.ts";

const told = conversation(user("a"), assistant("b", call("ls", { path: "src" })), user("c"));
const plan: Plan = {
  ...emptyPlan("balanced"),
  steps: [
    { stage: "trim", edits: [{ kind: "remove", position: 1, reason: "" }], tokensBefore: 9, tokensAfter: 5 },
  ],
  fingerprints: { 1: fingerprint(told.messages[1]!) },
};

test("does what the steps say; an empty plan gives the same conversation", () => {
  expect(applyPlan(told, plan).messages).toEqual([told.messages[0], told.messages[2]]);
  expect(applyPlan(told, emptyPlan("balanced"))).toBe(told);
});

test("a plan for other messages is refused, and says which one is not what it was", () => {
  const others = [
    conversation(user("a"), assistant("B", call("ls", { path: "src" })), user("c")),
    conversation(user("a"), assistant("b", call("ls", { path: "lib" })), user("c")),
    conversation(user("a")),
  ];
  for (const other of others) {
    expect(() => applyPlan(other, plan)).toThrow(PlanStaleError);
    expect(() => applyPlan(other, plan)).toThrow(/message 1/);
  }
  const grown = withMessages(told, [...told.messages, ...conversation(user("new")).messages]);
  expect(applyPlan(grown, plan).messages).toHaveLength(3);
});

test("a fingerprint tells kinds, roles, lengths and media apart", () => {
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
  const { messages } = conversation(
    user("x"),
    assistant("x"),
    user("xx"),
    { role: "user", content: [image] },
    { role: "user", content: null },
    user("x".repeat(5000)),
    user("x".repeat(5001)),
  );
  expect(new Set(messages.map(fingerprint)).size).toBe(messages.length);
});
