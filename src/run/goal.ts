/** Goal: what is to be done about an observation, or why nothing is: the caller's target, or the policy's decision. */

import type { Conversation } from "../conversation/conversation.ts";
import { OptionsError } from "../errors/options-error.ts";
import { UnknownWindowError } from "../errors/unknown-window-error.ts";
import { type Cause, decide, type Go, REFUSED_FOR_SIZE } from "../policy/decide.ts";
import type { Policy, ThresholdAction } from "../policy/policy.ts";
import { triggerSizes } from "../policy/trigger-sizes.ts";
import type { Fill } from "../tokens/fill.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { withArrivals } from "./arrivals.ts";
import type { Observation } from "./observation.ts";
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
      readonly action: ThresholdAction;
      /** Absent when the caller gave a target. */
      readonly decision?: Go;
    };

/** The caller gave the size: it is a ceiling, and whether it can be had is the caller's business. */
export function isCallersTarget(goal: Goal): boolean {
  return goal.act && goal.roomTokens === undefined;
}

/** Throws OptionsError, or UnknownWindowError where there is neither a target nor a window. */
export function goalOf(observation: Observation, options: CompactorOptions, call: CompactOptions): Goal {
  const { conversation, arrived, tokens, fill } = observation;
  const held = arrived
    ? { ...observation, conversation: withArrivals(conversation, arrived), tokens: arrived.tokensAfter }
    : observation;
  const target = call.target === undefined ? options.target : call.target;
  if (target === undefined) return automaticGoal(held, call);
  const goal = targetGoal(held.tokens, targetTokensOf(target, tokens), call);
  if (call.target !== undefined || call.force !== "overflow" || !fill) return goal;
  return within(automaticGoal(held, call), goal);
}

/** What was refused for its size may fit the compactor's own target: the smaller of the two is asked for. */
function within(overflow: Goal, own: Goal): Goal {
  if (!overflow.act || !own.act) return overflow;
  const { targetTokens, roomTokens = targetTokens } = overflow;
  return {
    ...overflow,
    targetTokens: Math.min(targetTokens, own.targetTokens),
    roomTokens: Math.min(roomTokens, own.targetTokens),
  };
}

/** What the goal will be when the first threshold is reached, as far as that is known. */
export function goalWhenDue(observation: Observation, fill: Fill): Goal {
  const { policy, state } = observation;
  const sizes = triggerSizes(policy, fill, state.compactions);
  const { tokens } = sizes.thresholds[0]!;
  const cause = "messages";
  const due = countedSizes(observation, fill, { targetTokens: sizes.targetTokens(tokens), cause });
  return { act: true, reason: "", cause, ...due, action: "hand-off" };
}

/** A share is of what came in, whatever of it was shaped on arrival. Throws OptionsError. */
export function targetTokensOf(target: number | `${number}%`, cameIn: number): number {
  const targetTokens = typeof target === "number" ? target : Math.floor((cameIn * percentOf(target)) / 100);
  if (!Number.isSafeInteger(targetTokens) || targetTokens < 0) {
    throw new OptionsError(
      "target",
      `target is ${target}; it must be a whole number of tokens or a share such as "30%".`,
    );
  }
  return targetTokens;
}

/** What the provider refused was due for that, whoever says how small it shall be. */
function targetGoal(tokens: number, targetTokens: number, { force }: CompactOptions): Goal {
  if (tokens <= targetTokens) {
    return {
      act: false,
      reason: `The conversation has ${tokens} tokens, and the target is ${targetTokens}.`,
    };
  }
  const sizes = `conversation had ${tokens} tokens; the target was ${targetTokens}.`;
  const why =
    force === "overflow"
      ? ({ cause: "overflow", reason: `${REFUSED_FOR_SIZE}: the ${sizes}` } as const)
      : ({ cause: "target", reason: `The ${sizes}` } as const);
  return { act: true, ...why, targetTokens, action: "trim" };
}

function percentOf(target: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*%$/.exec(String(target).trim());
  const percent = match ? Number(match[1]) : Number.NaN;
  return percent > 0 && percent <= 100 ? percent : Number.NaN;
}

function automaticGoal(observation: Observation, { force }: CompactOptions): Goal {
  const { conversation, counter, fill, model } = observation;
  if (!fill) throw new UnknownWindowError(model);
  const decision = decide({
    ...observation,
    fill,
    force,
    requested: observation.requested !== undefined,
    largestResultTokens: () => largestResult(conversation, counter),
  });
  if (!decision.act) return decision;
  return {
    act: true,
    reason: decision.reason,
    cause: decision.cause,
    ...countedSizes(observation, fill, decision),
    action: decision.action,
    decision,
  };
}

/** The decision speaks of the whole request as the provider sizes it; a plan counts messages, as our counter does. */
function countedSizes(
  { conversation, counter, tokens, policy }: Observation,
  fill: Fill,
  { targetTokens, cause }: Pick<Go, "targetTokens" | "cause">,
): { readonly targetTokens: number; readonly roomTokens: number } {
  const counted = counter.conversation(conversation);
  const wanted = (targetTokens * counted) / fill.tokens;
  const overhead = counted - tokens;
  const budget = (fill.budget * counted) / fill.tokens;
  // What was refused for its size did not fit, whatever the window is said to be.
  const held = cause === "overflow" ? Math.min(budget, counted) : budget;
  return {
    targetTokens: messagesTarget(policy, { wanted, overhead, budget }),
    roomTokens: Math.max(0, Math.floor(held - overhead)),
  };
}

/** What the messages get of the size that is wanted, where system prompt and tools take `overhead` of a budget. */
export function messagesTarget(
  policy: Policy,
  {
    wanted,
    overhead,
    budget,
  }: { readonly wanted: number; readonly overhead: number; readonly budget: number },
): number {
  // A system prompt and tools that take the target for themselves must not starve the conversation of the room beside them.
  const least = (wanted / 2) * Math.max(0, 1 - overhead / budget);
  return Math.floor(Math.max(wanted - shareOfFixed(policy) * overhead, least));
}

/** How much of the system prompt and the tools the target pays for. They cannot shrink. */
function shareOfFixed({ targetOf, targetRatio, thresholds }: Policy): number {
  return targetOf === "messages" ? targetRatio / thresholds[0]!.at : 1;
}

function largestResult({ messages }: Conversation, counter: TokenCounter): number {
  let largest = 0;
  for (const message of messages) {
    if (message.pinned || !message.parts.some((part) => part.type === "tool-result")) continue;
    largest = Math.max(largest, counter.message(message));
  }
  return largest;
}
