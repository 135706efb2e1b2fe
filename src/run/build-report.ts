/** Builds the Report of an occasion: what the plan did to each message, and what the request costs now. */

import type { Conversation } from "../conversation/conversation.ts";
import { agentOf } from "../conversation/message.ts";
import { placesAfter, type Rewrite, rewriteOf } from "../conversation/rewrite.ts";
import { isBare } from "../engine/planner.ts";
import type { CompactionError } from "../errors/compaction-error.ts";
import {
  type Edit,
  emptyPlan,
  type HandedOff,
  type Plan,
  type StageName,
  type YieldsTo,
} from "../plan/plan.ts";
import { commonPrefixTokens, estimateCost } from "../report/cost.ts";
import { health } from "../report/health.ts";
import { readAgain } from "../report/read-again.ts";
import type { MessageReport, MustKeepReport, Report, StageReport } from "../report/report.ts";
import { rolesRead } from "../report/role-report.ts";
import { type SentenceCount, sumOf } from "../sources/gptme/extract-text.ts";
import { agentReport } from "./agent-report.ts";
import { lastAnswer } from "./observation.ts";
import type { Occasion } from "./occasion.ts";

export interface BuildOptions {
  readonly occasion: Occasion;
  readonly plan: Plan;
  readonly after: Conversation;
  /** How `after` came of the occasion's conversation. */
  readonly rewrite: Rewrite;
  readonly reason: string;
}

export function buildReport({ occasion, plan, after, rewrite, reason }: BuildOptions): Report {
  const { conversation, counter, estimator, policy, fill, goal, tokens, arrived } = occasion;
  const compacted = after !== conversation;
  const roles = rolesRead(conversation.messages);
  const shaped = arrived ? arrived.tokensBefore - arrived.tokensAfter : 0;
  const promptTokensBefore = fill ? fill.tokens + shaped : estimator.conversation(conversation);
  const promptTokensAfter = compacted ? estimator.conversation(after) : promptTokensBefore;
  // The last answer and what followed it have never been in a request, so no cache has them.
  const fresh = conversation.messages.slice(lastAnswer(conversation));
  return {
    preset: policy.name,
    format: conversation.format,
    encoding: counter.encoding,
    exact: counter.exact,
    reason,
    compacted,
    ...(goal.act && { cause: goal.cause }),
    tokensBefore: tokens,
    tokensAfter: compacted ? plan.tokensAfter : tokens,
    ...(goal.act ? { targetTokens: goal.targetTokens } : {}),
    ...(compacted && plan.inViewTokens !== undefined && { inViewTokens: plan.inViewTokens }),
    messagesBefore: conversation.messages.length,
    messagesAfter: after.messages.length,
    promptTokensBefore,
    promptTokensAfter,
    ...(fill ? { window: fill.window, budget: fill.budget, base: fill.base } : {}),
    stages: compacted ? stageReports(plan, tokens) : [],
    messages: compacted ? messageReports(occasion, plan, after, rewrite) : [],
    ...(roles.length > 0 && { roles }),
    cost: estimateCost({
      promptTokensBefore,
      promptTokensAfter,
      newestTurnTokens: fresh.reduce((sum, message) => sum + counter.message(message), 0),
      commonPrefixTokens: compacted ? commonPrefixTokens(rewrite, after, counter) : promptTokensBefore,
    }),
    archive: occasion.archive ?? "none",
    ...agentReport(occasion),
    ...(compacted && { health: health({ conversation, fill, sessionId: occasion.name }) }),
    ...(compacted && plan.span && isBare(policy) && { opens: plan.span.id }),
    // In bare form none is promised.
    ...(compacted && plan.handedOff && !isBare(policy) && { mustKeeps: mustKeepReport(plan.handedOff) }),
    ...(compacted && readAgainReport(conversation, after)),
  };
}

function readAgainReport(before: Conversation, after: Conversation): Pick<Report, "readAgain"> {
  const paths = readAgain(before.messages, after.messages);
  return paths.length > 0 ? { readAgain: paths } : {};
}

function mustKeepReport({ mustKeep, told, verbatim }: HandedOff): MustKeepReport {
  return { total: mustKeep.length + verbatim, told: told.length + verbatim };
}

/** When even reading failed there is nothing to report but the error. */
export function failureReport(
  error: CompactionError,
  preset: string,
  occasion: Occasion | undefined,
): Report {
  if (occasion) {
    const { conversation: after } = occasion;
    const rewrite = rewriteOf(after.messages);
    const plan = emptyPlan(preset);
    return { ...buildReport({ occasion, plan, after, rewrite, reason: error.message }), error };
  }
  return {
    preset,
    format: "unknown",
    encoding: "unknown",
    exact: false,
    reason: error.message,
    compacted: false,
    tokensBefore: 0,
    tokensAfter: 0,
    messagesBefore: 0,
    messagesAfter: 0,
    promptTokensBefore: 0,
    promptTokensAfter: 0,
    stages: [],
    messages: [],
    cost: { before: 0, after: 0 },
    archive: "none",
    error,
  };
}

function stageReports(plan: Plan, tokens: number): readonly StageReport[] {
  return plan.steps.map(({ stage, edits, tokensBefore, tokensAfter }) => ({
    stage,
    tokensSaved: tokensBefore - tokensAfter,
    ratioSaved: tokens === 0 ? 0 : (tokensBefore - tokensAfter) / tokens,
    messages: positionsIn(edits).size,
    ...sentencesOf(edits),
  }));
}

function positionsIn(edits: readonly Edit[]): ReadonlySet<number> {
  const positions = new Set<number>();
  edits.forEach((edit) => {
    if (edit.kind !== "insert") positions.add(edit.position);
  });
  return positions;
}

function sentencesOf(edits: readonly Edit[]): Pick<StageReport, "sentences"> {
  const counts: SentenceCount[] = [];
  edits.forEach((edit) => {
    if (edit.kind === "replace" && edit.sentences) counts.push(edit.sentences);
  });
  return counts.length === 0 ? {} : { sentences: sumOf(counts) };
}

interface Touch {
  readonly stage: StageName;
  readonly reason: string;
  readonly yieldsTo?: YieldsTo | undefined;
}

function messageReports(
  { conversation, counter }: Occasion,
  plan: Plan,
  after: Conversation,
  rewrite: Rewrite,
): readonly MessageReport[] {
  const touched = new Map<number, Touch>();
  for (const { stage, edits } of plan.steps) {
    edits.forEach((edit) => {
      if (edit.kind === "insert") return;
      const { reason, yieldsTo } = edit;
      touched.set(edit.position, { stage, reason, yieldsTo });
    });
  }
  const places = placesAfter(rewrite);
  return conversation.messages.map((message): MessageReport => {
    const { position } = message;
    const role = agentOf(message) ?? message.role;
    const place = places.get(position);
    const tokensBefore = counter.message(message);
    const tokensAfter = place === undefined ? 0 : counter.message(after.messages[place]!);
    const fate = place === undefined ? "removed" : rewrite[place]!.written ? "changed" : "kept";
    const touch = touched.get(position);
    if (touch === undefined) return { position, role, tokensBefore, tokensAfter, fate };
    const { stage, reason, yieldsTo } = touch;
    return {
      ...{ position, role, tokensBefore, tokensAfter, fate, stage, reason },
      ...(yieldsTo && { yieldsTo }),
    };
  });
}
