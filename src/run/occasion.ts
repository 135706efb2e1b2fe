/** Occasion: one call of the compactor, read and observed: the conversation, how full it is, and what is to be done. */

import { type CompressRequest, requestedCompaction } from "../agent-control/compress-context.ts";
import { createMarks, type Marks, marksAfter } from "../archive/marks.ts";
import { type Conversation, withMessages } from "../conversation/conversation.ts";
import { OptionsError } from "../errors/options-error.ts";
import { TargetUnreachableError } from "../errors/target-unreachable-error.ts";
import { UnknownWindowError } from "../errors/unknown-window-error.ts";
import type { Written } from "../handoff/story.ts";
import { countedTokensIn } from "../plan/counted-tokens.ts";
import { originalsNamed } from "../plan/originals-named.ts";
import { emptyPlan, type Plan, type Step } from "../plan/plan.ts";
import { planCompaction } from "../plan/plan-compaction.ts";
import type { PlanRequest } from "../plan/plan-request.ts";
import { type Cause, decide, type Go } from "../policy/decide.ts";
import { reclaimsEnough } from "../policy/minimum-reclaim.ts";
import type { Action, Policy } from "../policy/policy.ts";
import { resolvePolicy } from "../policy/resolve-policy.ts";
import { triggerSizes } from "../policy/trigger-sizes.ts";
import { forModel, judge } from "../policy/verdict.ts";
import { formatNamed, readConversation } from "../providers/detect.ts";
import type { CompactionState } from "../state/compaction-state.ts";
import { readState } from "../state/read-state.ts";
import { promptTokensOf } from "../tokens/anchor.ts";
import { counterForModel } from "../tokens/counter.ts";
import { defaultReserve, type Fill, observeFill } from "../tokens/fill.ts";
import { modelProfile } from "../tokens/models.ts";
import { roughEstimateCounter } from "../tokens/rough-estimate.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { type Lessons, noLessons } from "../weights/lessons.ts";
import { shapedOnArrival, withArrivals } from "./arrivals.ts";
import type { CompactOptions, CompactorOptions } from "./options.ts";

/** What is to be done, or why nothing is. */
export type Goal =
  | { readonly act: false; readonly reason: string }
  | {
      readonly act: true;
      readonly reason: string;
      readonly cause: Cause | "target";
      /** A ceiling of counted tokens. */
      readonly targetTokens: number;
      /** What the window holds, in counted tokens; absent when the caller gave a target. */
      readonly roomTokens?: number;
      readonly action: Action;
      /** Absent when the caller gave a target. */
      readonly decision?: Go;
    };

export interface Occasion {
  readonly conversation: Conversation;
  readonly counter: TokenCounter;
  /** What the fill is judged by. */
  readonly estimator: TokenCounter;
  readonly policy: Policy;
  readonly model: string | undefined;
  /** Counted tokens that came in. */
  readonly tokens: number;
  /** Absent when the window is not known. */
  readonly fill: Fill | undefined;
  /** The prompt size that the provider reported since the last compaction. */
  readonly reported: number | undefined;
  /** What the agent asked for by compress_context, in the newest batch of calls. */
  readonly requested: CompressRequest | undefined;
  readonly state: CompactionState;
  readonly now: number;
  readonly goal: Goal;
  /** What the policy shapes on arrival (F31); fill and goal are of the conversation with it. */
  readonly arrived?: Step | undefined;
  /** With `adaptive`: what was learned so far. */
  readonly lessons?: Lessons | undefined;
  /** The conversation's name, where it has one. */
  readonly name?: string | undefined;
  /** The archive's name, and the ids of what goes there; absent without an archive. */
  readonly archive?: string | undefined;
  readonly marks?: Marks | undefined;
}

/** Throws InputError, OptionsError or UnknownWindowError. */
export function readOccasion(
  input: unknown,
  options: CompactorOptions,
  call: CompactOptions,
  now: number,
): Occasion {
  const conversation = withCallOptions(readConversation(input, { format: options.format ?? "auto" }), call);
  const model = options.model ?? conversation.model;
  const profile = modelProfile(model);
  const window = options.window ?? profile.window;
  const policy = resolvePolicy(options.preset, window, options);
  const counter = options.counter ?? counterForModel(model);
  const tokens = countedTokensIn(conversation, counter);
  const marks = options.archive && createMarks();
  // One's own counter comes before the policy's estimate.
  const estimator = !options.counter && policy.estimator === "rough" ? roughEstimateCounter : counter;
  const arrived = shapedOnArrival({ conversation, policy, counter, marks });
  const current = withArrivals(conversation, arrived);
  const known = forModel(readState(call.state), model);
  const usage = promptTokensOf(call.usage);
  // What was reported before a compaction says nothing about what came out of it.
  const reported = usage === known.actedOnUsage ? undefined : usage;
  const state = reported === undefined ? known : judge(known, reported, now);
  const anchor =
    reported === undefined ? state.anchor : { promptTokens: reported, messages: lastAnswer(conversation) };
  const fill =
    window === undefined
      ? undefined
      : observeFill({
          conversation: current,
          counter: estimator,
          window,
          reserve: options.reserve ?? defaultReserve(window, policy.base),
          base: policy.base,
          anchor,
        });
  if (call.requested && call.requested.reason.trim() === "") {
    throw new OptionsError("requested", "requested.reason is blank; say why this is a good moment.");
  }
  const asked = call.requested?.callId === known.honouredRequest ? undefined : call.requested;
  const requested = asked ?? requestedCompaction(conversation.messages, known.honouredRequest);
  // Honoured once, whatever comes of it: a request that was declined does not come back (R50).
  const next = requested ? { ...state, honouredRequest: requested.callId } : state;
  const occasion = {
    conversation,
    counter,
    estimator,
    policy: requested ? asRequested(policy, requested, options.archive !== undefined) : policy,
    model,
    tokens,
    fill,
    reported,
    requested,
    state: next,
    now,
    lessons: options.adaptive ? lessonsOf(options.adaptive, next) : undefined,
    name: call.conversation ?? next.conversation,
    archive: options.archive?.name,
    marks,
    arrived,
  };
  // What was refused for its size may fit the compactor's own target: the policy says how much smaller it has to be.
  const usual = call.force === "overflow" && fill ? undefined : options.target;
  const target = call.target === undefined ? usual : call.target;
  const held = arrived ? { ...occasion, conversation: current, tokens: arrived.tokensAfter } : occasion;
  return {
    ...occasion,
    goal: target === undefined ? automaticGoal(held, call) : targetGoal(held.tokens, target, tokens),
  };
}

/** Those of this conversation; until it has any, those that the caller starts from. */
function lessonsOf(adaptive: true | Lessons, { lessons }: CompactionState): Lessons {
  return lessons ?? (adaptive === true ? noLessons : adaptive);
}

/**
 * The agent may say that the points of doubt need not be kept, and that the originals shall go to the archive without a
 * summary (F84). Where there is no archive, nothing could be recalled: then there is a summary all the same.
 */
function asRequested(
  policy: Policy,
  { preserveMarkers, strategy }: CompressRequest,
  hasArchive: boolean,
): Policy {
  const isArchived = strategy === "archive" && hasArchive;
  return {
    ...policy,
    ...(isArchived && {
      handoff: { ...policy.handoff, archiveOnly: true },
      markers: { ...policy.markers, annotate: true },
    }),
    ...(!preserveMarkers && { markers: { annotate: false } }),
  };
}

/** The plan for an occasion; no steps when there is nothing to do. `story` goes into the hand-off, or a place is kept for it. */
export function planFor(occasion: Occasion, story?: Written | "reserved"): Plan {
  const { arrived, tokens, marks } = occasion;
  const plan = planRest(occasion, story);
  if (!arrived) return plan;
  const steps = [arrived, ...plan.steps];
  return { ...plan, tokensBefore: tokens, steps, originals: originalsNamed(steps, marks) };
}

/** The plan for the conversation with what was shaped on arrival. */
function planRest(occasion: Occasion, story?: Written | "reserved"): Plan {
  const { goal, policy, counter, state, fill, arrived, marks } = occasion;
  const conversation = withArrivals(occasion.conversation, arrived);
  const tokensBefore = arrived?.tokensAfter ?? occasion.tokens;
  if (!goal.act) return { ...emptyPlan(policy.name), tokensBefore, tokensAfter: tokensBefore };
  const request: PlanRequest = {
    conversation,
    policy,
    counter,
    targetTokens: goal.targetTokens,
    ...(goal.roomTokens !== undefined && { roomTokens: goal.roomTokens }),
    action: goal.action,
    mustHandOff:
      goal.cause === "messages" || policy.handoff.always === true || policy.handoff.archiveOnly === true,
    ...(story === "reserved" ? { reservesStory: true } : story && { story }),
    ...(occasion.lessons && { lessons: occasion.lessons }),
    ...(state.ledger && { ledger: state.ledger }),
    compactions: state.compactions,
    systemNoted: state.systemNoted === true,
    marks: marks && marksAfter(marks, originalsNamed(arrived ? [arrived] : [], marks)),
    format: formatNamed(conversation.format),
    ...(fill ? { budgetTokens: fill.base * countedPerEstimated(occasion) } : {}),
  };
  try {
    const plan = planCompaction(request);
    const { tokensBefore, tokensAfter } = plan;
    // A light action that would not be worth the broken cache gives way to the hand-off (SPEC A.1).
    if (goal.action === "extract" && !reclaimsEnough(policy, tokensBefore, tokensAfter)) {
      return planCompaction({ ...request, action: "hand-off" });
    }
    return plan;
  } catch (error) {
    // A threshold asks for the nearest size that can be had; only a target given by the caller is a ceiling.
    if (!(error instanceof TargetUnreachableError) || goal.cause === "target") throw error;
    const action = goal.action === "extract" ? "hand-off" : goal.action;
    return planCompaction({ ...request, action, targetTokens: error.floorTokens });
  }
}

/** What the policy's estimate takes for one token, counted; 1 where it is the count. */
function countedPerEstimated({ conversation, counter, estimator }: Occasion): number {
  if (estimator === counter) return 1;
  return counter.conversation(conversation) / Math.max(1, estimator.conversation(conversation));
}

function withCallOptions(
  conversation: Conversation,
  { tools, model, pins = [] }: CompactOptions,
): Conversation {
  const { messages } = conversation;
  for (const position of pins) {
    if (messages[position] === undefined) {
      throw new OptionsError(
        "pins",
        `pins names message ${position}; the conversation has messages 0 to ${messages.length - 1}.`,
      );
    }
  }
  const wanted = new Set(pins);
  const pinned =
    wanted.size === 0
      ? conversation
      : withMessages(
          conversation,
          messages.map((message) => (wanted.has(message.position) ? { ...message, pinned: true } : message)),
        );
  const named = model === undefined || pinned.model !== undefined ? pinned : { ...pinned, model };
  return tools === undefined ? named : { ...named, tools };
}

/** A share is of what came in, whatever of it was shaped on arrival. */
function targetGoal(tokens: number, target: number | `${number}%`, cameIn: number): Goal {
  const targetTokens = typeof target === "number" ? target : Math.floor((cameIn * percentOf(target)) / 100);
  if (!Number.isSafeInteger(targetTokens) || targetTokens < 0) {
    throw new OptionsError(
      "target",
      `target is ${target}; it must be a whole number of tokens or a share such as "30%".`,
    );
  }
  if (tokens <= targetTokens) {
    return {
      act: false,
      reason: `The conversation has ${tokens} tokens, and the target is ${targetTokens}.`,
    };
  }
  return {
    act: true,
    reason: `The conversation had ${tokens} tokens; the target was ${targetTokens}.`,
    cause: "target",
    targetTokens,
    action: "trim",
  };
}

function percentOf(target: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*%$/.exec(String(target).trim());
  const percent = match ? Number(match[1]) : Number.NaN;
  return percent > 0 && percent <= 100 ? percent : Number.NaN;
}

function automaticGoal(occasion: Omit<Occasion, "goal">, { force }: CompactOptions): Goal {
  const { conversation, counter, fill, model } = occasion;
  if (!fill) throw new UnknownWindowError(model);
  const decision = decide({
    ...occasion,
    fill,
    force,
    requested: occasion.requested !== undefined,
    largestResultTokens: () => largestResult(conversation, counter),
  });
  if (!decision.act) return decision;
  return {
    act: true,
    reason: decision.reason,
    cause: decision.cause,
    ...countedSizes(occasion, fill, decision),
    action: decision.action,
    decision,
  };
}

/** The decision speaks of the whole request as the provider sizes it; a plan counts messages, as our counter does. */
function countedSizes(
  { conversation, counter, tokens }: Pick<Occasion, "conversation" | "counter" | "tokens">,
  fill: Fill,
  { targetTokens, cause }: Pick<Go, "targetTokens" | "cause">,
): { readonly targetTokens: number; readonly roomTokens: number } {
  const counted = counter.conversation(conversation);
  const wanted = (targetTokens * counted) / fill.tokens;
  const overhead = counted - tokens;
  const budget = (fill.budget * counted) / fill.tokens;
  // A system prompt and tools that take the target for themselves must not starve the conversation of the room beside them.
  const least = (wanted / 2) * Math.max(0, 1 - overhead / budget);
  // What was refused for its size did not fit, whatever the window is said to be.
  const held = cause === "overflow" ? Math.min(budget, counted) : budget;
  return {
    targetTokens: Math.floor(Math.max(wanted - overhead, least)),
    roomTokens: Math.max(0, Math.floor(held - overhead)),
  };
}

/** The occasion as it will be when its first threshold is reached, as far as that is known. */
export function whenDue(occasion: Occasion): Occasion {
  const { fill, policy, state } = occasion;
  if (!fill || occasion.goal.act) return occasion;
  const sizes = triggerSizes(policy, fill, state.compactions);
  const { tokens } = sizes.thresholds[0]!;
  const cause = "messages";
  const due = countedSizes(occasion, fill, { targetTokens: sizes.targetTokens(tokens), cause });
  return { ...occasion, goal: { act: true, reason: "", cause, ...due, action: "hand-off" } };
}

function largestResult({ messages }: Conversation, counter: TokenCounter): number {
  let largest = 0;
  for (const message of messages) {
    if (message.pinned || !message.parts.some((part) => part.type === "tool-result")) continue;
    largest = Math.max(largest, counter.message(message));
  }
  return largest;
}

/** How many messages stand before the last answer: that request's usage was measured on them. */
export function lastAnswer({ messages }: Conversation): number {
  const last = messages.findLastIndex((message) => message.role === "assistant");
  return last < 0 ? messages.length : last;
}
