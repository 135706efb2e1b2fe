/** draftFor: the Plan of an occasion, and the same Plan with a model's text in its hand-off. */

import { marksAfter } from "../archive/marks.ts";
import type { Message } from "../conversation/message.ts";
import { violations as violationsOfEngine } from "../engine/invariants/index.ts";
import { draftByEngine, isBare, plansByEngine } from "../engine/planner.ts";
import { sumOfParts, TargetUnreachableError } from "../errors/target-unreachable-error.ts";
import { draftBesidePlaced } from "../plan/beside-placed.ts";
import { changedDraft, type Draft } from "../plan/draft.ts";
import { originalsNamed } from "../plan/originals-named.ts";
import { emptyPlan, type Plan } from "../plan/plan.ts";
import { draftCompaction as draftWithStages } from "../plan/plan-compaction.ts";
import type { PlanRequest } from "../plan/plan-request.ts";
import { violations as violationsOfStages } from "../plan/violations.ts";
import { reclaimsEnough } from "../policy/minimum-reclaim.ts";
import type { Policy } from "../policy/policy.ts";
import { presets } from "../policy/presets.ts";
import { formatNamed } from "../providers/detect.ts";
import { withArrivals } from "./arrivals.ts";
import { isCallersTarget } from "./goal.ts";
import type { Occasion } from "./occasion.ts";

/** Two planners stand while the engine is moved in; judges and tests choose. The bare form is the engine's alone. */
const isChosen = Boolean(process.env.PITH_ENGINE);
const isEngine = (policy: Pick<Policy, "handoff">): boolean =>
  (isChosen || isBare(policy)) && plansByEngine(policy);
const draftCompaction = (request: PlanRequest): Draft =>
  draftBesidePlaced(request, isEngine(request.policy) ? draftByEngine : draftWithStages);

/** A model's text is in the hand-off whole or not at all, instead of line by line as far as there is room. */
export function tellsWhole(policy: Pick<Policy, "handoff">): boolean {
  return isEngine(policy);
}

/** Every rule that a compaction by this policy has broken, as its planner reads what came in; empty when all hold. */
export function violations(
  before: readonly Message[],
  after: readonly Message[],
  policy: Pick<Policy, "handoff"> = presets.balanced,
): readonly string[] {
  return isEngine(policy)
    ? violationsOfEngine(before, after, { carriesRules: !isBare(policy) })
    : violationsOfStages(before, after);
}

/** No steps when there is nothing to do. */
export function draftFor(occasion: Occasion): Draft {
  const { arrived, tokens, marks } = occasion;
  const draft = draftRest(occasion);
  if (!arrived) return draft;
  return changedDraft(draft, (plan) => {
    const steps = [arrived, ...plan.steps];
    return { ...plan, tokensBefore: tokens, steps, originals: originalsNamed(steps, marks, plan.span) };
  });
}

export function planFor(occasion: Occasion): Plan {
  return draftFor(occasion).plan;
}

/** The draft for the conversation with what was shaped on arrival. */
function draftRest(occasion: Occasion): Draft {
  const { goal, policy, counter, state, fill, arrived, marks } = occasion;
  const conversation = withArrivals(occasion.conversation, arrived);
  const tokensBefore = arrived?.tokensAfter ?? occasion.tokens;
  if (!goal.act) {
    const sizes = { targetTokens: tokensBefore, tokensBefore, tokensAfter: tokensBefore };
    return { plan: { ...emptyPlan(policy.name), ...sizes } };
  }
  const request: PlanRequest = {
    conversation,
    policy,
    counter,
    targetTokens: goal.targetTokens,
    ...(goal.roomTokens !== undefined && { roomTokens: goal.roomTokens }),
    ...(goal.cause === "overflow" && { isRefused: true }),
    action: goal.action,
    mustHandOff:
      goal.cause === "messages" || policy.handoff.always === true || policy.handoff.archiveOnly === true,
    ...(occasion.lessons && { lessons: occasion.lessons }),
    ...(state.ledger && { ledger: state.ledger }),
    ...(occasion.ours && { ours: occasion.ours }),
    compactions: state.compactions,
    systemNoted: state.systemNoted === true,
    marks: marks && marksAfter(marks, originalsNamed(arrived ? [arrived] : [], marks)),
    format: formatNamed(conversation.format),
    ...(fill ? { budgetTokens: fill.base * countedPerEstimated(occasion) } : {}),
  };
  try {
    const draft = draftCompaction(request);
    const { tokensBefore, tokensAfter } = draft.plan;
    // A light action that would not be worth the broken cache gives way to the hand-off (SPEC A.1).
    if (goal.action === "extract" && !reclaimsEnough(policy, tokensBefore, tokensAfter)) {
      return draftCompaction({ ...request, action: "hand-off" });
    }
    return draft;
  } catch (error) {
    // A threshold asks for the nearest size that can be had; only a target given by the caller is a ceiling.
    if (!(error instanceof TargetUnreachableError) || isCallersTarget(goal)) throw error;
    const beyond =
      goal.cause === "overflow"
        ? undefined
        : beyondWindow({ ...occasion, conversation }, tokensBefore, error);
    if (beyond) throw beyond;
    const action = goal.action === "extract" ? "hand-off" : goal.action;
    return draftCompaction({ ...request, action, targetTokens: sumOfParts(error) });
  }
}

/**
 * Where system prompt, tools and the floor alone are over the window, no compaction makes the request fit: the messages are
 * not given away for nothing. A window that the provider refused a request for is not as it was said to be.
 *
 * @param occasion its conversation with what was shaped on arrival, as the fill and the floor are of it
 */
function beyondWindow(
  { conversation, counter, fill, goal }: Occasion,
  messageTokens: number,
  { floorTokens, parts }: TargetUnreachableError,
): TargetUnreachableError | undefined {
  if (!fill || !goal.act) return undefined;
  const counted = counter.conversation(conversation);
  const tools = counter.tools(conversation.tools);
  const fixed = counted - messageTokens;
  const window = (fill.window * counted) / Math.max(1, fill.tokens);
  // The last calls and answers are handed off as soon as others follow: what else there is must not wait for that.
  const passing = parts.find(({ name }) => name === "last tool group")?.tokens ?? 0;
  if (fixed + floorTokens - passing <= window) return undefined;
  return new TargetUnreachableError({
    targetTokens: goal.targetTokens,
    floorTokens: fixed + floorTokens,
    parts: [
      { name: "system prompt" as const, tokens: fixed - tools },
      { name: "tools" as const, tokens: tools },
      ...parts,
    ].filter(({ tokens }) => tokens > 0),
    windowTokens: fill.window,
  });
}

/** What the policy's estimate takes for one token, counted; 1 where it is the count. */
function countedPerEstimated({ conversation, counter, estimator }: Occasion): number {
  if (estimator === counter) return 1;
  return counter.conversation(conversation) / Math.max(1, estimator.conversation(conversation));
}
