/** draftCompaction: from a conversation and a target to a Plan. Pure: no calls, no writes, no clock. */
import { carriesResults, type Message } from "../conversation/message.ts";
import { applyEdits } from "./apply-edits.ts";
import { draftBesideView } from "./beside-view.ts";
import { countedTokens } from "./counted-tokens.ts";
import { changedDraft, type Draft, type Telling } from "./draft.ts";
import { layOut } from "./layout.ts";
import { originalsNamed } from "./originals-named.ts";
import type { Plan, PlanStep, Regions } from "./plan.ts";
import { draftHandoff } from "./plan-handoff.ts";
import type { PlanRequest } from "./plan-request.ts";
import { dropDuplicates } from "./stages/drop-duplicates.ts";
import { extractSentences } from "./stages/extract-sentences.ts";
import { shapeToolResults } from "./stages/shape-tool-results.ts";
import { shrinkCallArguments } from "./stages/shrink-call-arguments.ts";
import type { Stage } from "./stages/stage.ts";
import { stripReasoning } from "./stages/strip-reasoning.ts";

/** From least loss to most; what they cannot do, the hand-off does. */
const STAGES: readonly Stage[] = [
  stripReasoning,
  dropDuplicates,
  shapeToolResults,
  shrinkCallArguments,
  extractSentences,
];

/** Throws TargetUnreachableError when the action allows everything and even the floor is above the target. */
export function draftCompaction(request: PlanRequest): Draft {
  return changedDraft(draftBesideView(request, draftRest), (plan) => ({
    ...plan,
    originals: originalsNamed(plan.steps, request.marks),
  }));
}

export function planCompaction(request: PlanRequest): Plan {
  return draftCompaction(request).plan;
}

function draftRest(request: PlanRequest): Draft {
  const { conversation, counter, targetTokens, action } = request;
  const { messages } = conversation;
  const tokensBefore = countedTokens(messages, counter, messages);
  const plan = { preset: request.policy.name, targetTokens, tokensBefore, originals: [] };
  const isMet = tokensBefore <= targetTokens && !request.mustHandOff;
  const mayHandOff = action === "hand-off" || action === "trim";
  if (isMet || !mayHandOff || !(request.mustHandOff || targetTokens < untouchable(request))) {
    // Nothing is handed off here, and so the last group is in the tail.
    const { regions } = layOut(request, { share: 1, restates: false, isLight: true });
    if (isMet)
      return {
        plan: { ...plan, tokensAfter: tokensBefore, regions, steps: [], fingerprints: {}, passes: 0 },
      };
    const light = planStages(request, regions, tokensBefore);
    if (light.tokensAfter <= targetTokens || !mayHandOff) {
      return { plan: { ...plan, ...light, regions, fingerprints: {}, passes: 1 } };
    }
  }
  const tell = draftHandoff(request);
  const told = (telling?: Telling): Plan => {
    const handoff = tell(telling);
    return { ...plan, ...handoff, fingerprints: {}, passes: handoff.passes + 1 };
  };
  return { plan: told(), told };
}

/** What no lighter stage takes anything from: words, and calls where the policy leaves them whole. Below it only a hand-off gets. */
function untouchable({ conversation, counter, policy }: PlanRequest): number {
  if (policy.extract || policy.shrinkArguments) return 0;
  const strips = policy.stripReasoning !== undefined;
  const isUntouchable = (message: Message): boolean =>
    message.role !== "system" && !carriesResults(message) && !(strips && mayReason(message));
  return conversation.messages.reduce(
    (tokens, message) => (isUntouchable(message) ? tokens + counter.message(message) : tokens),
    0,
  );
}

function mayReason({ parts }: Message): boolean {
  return parts.some(
    (part) => part.type === "reasoning" || (part.type === "text" && part.text.includes("<think")),
  );
}

/** Runs the stages in order and stops as soon as the target is met. */
function planStages(
  { conversation, policy, counter, targetTokens, action, marks, lessons }: PlanRequest,
  regions: Regions,
  tokensBefore: number,
): { readonly steps: readonly PlanStep[]; readonly tokensAfter: number } {
  const editable = new Set(regions.archivable);
  const steps: PlanStep[] = [];
  let messages: readonly Message[] = conversation.messages;
  let tokens = tokensBefore;
  for (const stage of STAGES) {
    if (tokens <= targetTokens) break;
    if (stage === extractSentences && action === "shrink") continue;
    const tokensToSave = tokens - targetTokens;
    const edits = stage.propose(messages, { policy, counter, editable, tokensToSave, marks, lessons });
    if (edits.length === 0) continue;
    messages = applyEdits(messages, edits);
    const after = countedTokens(messages, counter, conversation.messages);
    steps.push({ stage: stage.name, edits, tokensBefore: tokens, tokensAfter: after });
    tokens = after;
  }
  return { steps, tokensAfter: tokens };
}
