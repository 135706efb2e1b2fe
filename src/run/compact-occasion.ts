/** compactOccasion: plans and applies what an occasion asks for, checks the result, and reports on it. */

import { withMessages } from "../conversation/conversation.ts";
import { unmaskedMessage } from "../conversation/masked-messages.ts";
import { rewriteOf } from "../conversation/rewrite.ts";
import { CompactionError } from "../errors/compaction-error.ts";
import { carryOut } from "../plan/apply-plan.ts";
import type { Draft } from "../plan/draft.ts";
import { emptyPlan, type Plan } from "../plan/plan.ts";
import { reclaimsEnough } from "../policy/minimum-reclaim.ts";
import { afterCompaction, afterNothing, afterRefusal } from "../policy/verdict.ts";
import { writeConversation } from "../providers/detect.ts";
import type { CompactionEvent } from "../report/event.ts";
import type { CompactionState } from "../state/compaction-state.ts";
import { noteDropped } from "../weights/note-dropped.ts";
import { agentReport } from "./agent-report.ts";
import { buildReport } from "./build-report.ts";
import type { Occasion } from "./occasion.ts";
import { planArrivals } from "./offload.ts";
import { handoffKey, handoffTexts } from "./own-handoffs.ts";
import { draftFor, planFor, violations } from "./plan-for.ts";
import { type Result, returned } from "./result.ts";

type Emit = (event: CompactionEvent) => void;

/** What a compaction gives, and the draft that it comes of; there is none where nothing was planned. */
export interface Compacted {
  readonly result: Result;
  readonly draft?: Draft;
}

/** Gives the input back when there is nothing to do or the result is no better. */
export function compactOccasion(input: unknown, occasion: Occasion, emit: Emit): Compacted {
  const { goal, state } = occasion;
  if (!goal.act) return { result: untouched(input, occasion, { reason: goal.reason, next: state }, emit) };
  const { request, safetyNet } = agentReport(occasion);
  emit({
    type: "compaction-start",
    tokens: occasion.tokens,
    targetTokens: goal.targetTokens,
    cause: goal.cause,
    ...(request && { request }),
  });
  if (safetyNet) emit({ type: "safety-net", ...safetyNet });
  const draft = draftFor(occasion);
  emit({ type: "plan-made", plan: draft.plan });
  return { result: resultOf(input, occasion, draft.plan, emit), draft };
}

/** The result of a plan of this occasion's draft. */
export function resultOf(input: unknown, occasion: Occasion, plan: Plan, emit: Emit): Result {
  const refused = refusalOf(occasion, plan);
  return refused
    ? untouched(input, occasion, { ...refused, plan }, emit)
    : carriedOut(input, occasion, plan, occasion.goal.reason, emit);
}

/** What came in, but for what is shaped on arrival. */
function untouched(
  input: unknown,
  occasion: Occasion,
  { reason, next, plan = emptyPlan(occasion.policy.name) }: Refused & { readonly plan?: Plan },
  emit: Emit,
): Result {
  const { conversation, state } = occasion;
  const arrivals = planArrivals(occasion);
  if (arrivals.steps.length > 0) {
    // What was sent before stays as it was, so what is known about it holds.
    return { ...carriedOut(input, occasion, arrivals, ARRIVED, emit), state: next };
  }
  emit({ type: "compaction-skip", reason });
  const rewrite = rewriteOf(conversation.messages);
  const report = buildReport({ occasion, plan, after: conversation, rewrite, reason });
  const original = { body: input, state };
  return { ...returned(input), original, conversation, rewrite, plan, report, state: next };
}

/** The plan that would be carried out: of one that is not worth it, what is shaped on arrival is left. */
export function duePlan(occasion: Occasion): Plan {
  const plan = planFor(occasion);
  const refused = occasion.goal.act ? refusalOf(occasion, plan) : occasion.goal;
  if (!refused) return plan;
  return occasion.arrived ? planArrivals(occasion) : { ...plan, reason: refused.reason };
}

interface Refused {
  readonly reason: string;
  readonly next: CompactionState;
}

/** Why a plan is not carried out, and what is remembered of that. */
function refusalOf({ goal, state, now, policy, fill, arrived }: Occasion, plan: Plan): Refused | undefined {
  if (plan.steps.length === (arrived ? 1 : 0)) {
    const reason = `Nothing was left to take away: ${goal.reason}`;
    const isDecided = goal.act && goal.decision;
    return { reason, next: isDecided ? afterNothing(state, now, reason, fill?.tokens) : state };
  }
  // What is shaped on arrival is no merit of the compaction.
  const tokensBefore = arrived?.tokensAfter ?? plan.tokensBefore;
  const saved = tokensBefore - plan.tokensAfter;
  const automatic = goal.act && (goal.cause === "threshold" || goal.cause === "messages");
  if (saved > 0 && !(automatic && !reclaimsEnough(policy, tokensBefore, plan.tokensAfter))) return undefined;
  const reason = `The plan would save ${Math.max(0, saved)} of ${tokensBefore} tokens, which is not worth breaking the prompt cache.`;
  const next = saved <= 0 ? afterRefusal(state, now, reason) : afterNothing(state, now, reason, fill?.tokens);
  return { reason, next };
}

const ARRIVED = "Tool results were shaped, or went to the archive, when they arrived.";

/** The result of carrying out a plan that was made for this conversation. Throws CompactionError where it would not be valid. */
export function carriedOut(
  input: unknown,
  occasion: Occasion,
  plan: Plan,
  reason: string,
  emit: Emit,
): Result {
  const { conversation, goal, state, now } = occasion;
  const after = carryOut(conversation, plan);
  const broken = violations(conversation.messages, after.messages, occasion.policy);
  if (broken.length > 0) {
    throw new CompactionError(
      "COMPACTION_FAILED",
      `The compacted conversation would not be valid: ${broken.join("; ")}. The original stays.`,
    );
  }
  for (const step of plan.steps) {
    emit({
      type: "stage-end",
      stage: step.stage,
      tokensBefore: step.tokensBefore,
      tokensAfter: step.tokensAfter,
    });
  }
  const sent = withMessages(after, after.messages.map(unmaskedMessage));
  const rewrite = rewriteOf(sent.messages);
  const report = buildReport({ occasion, plan, after, rewrite, reason });
  const next = afterCompaction(state, {
    decision: goal.act ? goal.decision : undefined,
    tokensBefore: plan.tokensBefore,
    tokensAfter: plan.tokensAfter,
    promptTokensAfter: report.promptTokensAfter,
    now,
    model: occasion.model,
  });
  // What was there before was not written now, whatever it looks like.
  const before = new Set(handoffTexts(conversation.messages));
  const written = handoffTexts(after.messages).find((text) => !before.has(text));
  const handoff = plan.handedOff?.bareStory ?? written;
  const hasHandoff = plan.steps.some((step) => step.stage === "hand-off");
  return {
    ...returned(writeConversation(sent)),
    original: { body: input, state },
    conversation: sent,
    rewrite,
    plan,
    report,
    state: {
      ...next,
      ...(occasion.reported !== undefined && { actedOnUsage: occasion.reported }),
      ...(plan.handedOff && { ledger: plan.handedOff.ledger }),
      ...(handoff !== undefined && { handoff: handoffKey(handoff) }),
      ...(occasion.lessons && {
        lessons: noteDropped(occasion.lessons, {
          before: conversation.messages,
          after: after.messages,
        }),
      }),
      ...(hasHandoff && occasion.policy.handoff.systemNote && { systemNoted: true }),
    },
  };
}
