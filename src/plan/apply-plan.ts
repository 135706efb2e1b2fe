/** Carries out a Plan: does what its steps say and nothing else. */
import { type Conversation, withMessages } from "../conversation/conversation.ts";
import { PlanStaleError } from "../errors/plan-stale-error.ts";
import { applyEdits } from "./apply-edits.ts";
import { fingerprint } from "./fingerprint.ts";
import type { Plan } from "./plan.ts";

/** Throws PlanStaleError when a message that the plan touches is not the one it was made for. */
export function applyPlan(conversation: Conversation, plan: Plan): Conversation {
  checkFingerprints(conversation, plan);
  return carryOut(conversation, plan);
}

export function checkFingerprints({ messages }: Conversation, { fingerprints }: Plan): void {
  for (const [position, expected] of Object.entries(fingerprints)) {
    const message = messages[Number(position)];
    if (!message || fingerprint(message) !== expected) throw new PlanStaleError(Number(position));
  }
}

/** The same for a plan that was made for this very conversation a moment ago. */
export function carryOut(conversation: Conversation, plan: Plan): Conversation {
  if (plan.steps.length === 0) return conversation;
  const messages = plan.steps.reduce(
    (current, step) => applyEdits(current, step.edits),
    conversation.messages,
  );
  return withMessages(conversation, messages);
}
