/** Trigger sizes: a policy's shares turned into tokens for one budget, the absolute cap included. */
import type { Policy, Threshold } from "./policy.ts";

export interface TriggerSizes {
  /** Tokens at which each threshold that is in force is reached, in the policy's order. */
  readonly thresholds: readonly { readonly threshold: Threshold; readonly tokens: number }[];
  /** Tokens at which the net of an agent-controlled policy catches (F76). */
  readonly safetyTokens?: number;
  /** What to come back to: the policy's target, or the same proportion of what is there when that is less. */
  readonly targetTokens: (tokens: number) => number;
}

/**
 * On a very large window the cap (R29) takes the place of the first threshold, and everything else keeps its proportion
 * to it: were only the thresholds clipped, they would all fall on the cap and the harshest would act first.
 */
export function triggerSizes(policy: Policy, budget: number, compactions: number): TriggerSizes {
  const first = policy.thresholds[0]!.at;
  const base = Math.min(budget, (policy.triggerCapTokens ?? Number.POSITIVE_INFINITY) / first);
  // Where the cap decides, nobody wants to see the window full before anything is done.
  const isFirst = compactions === 0 && base === budget;
  const inForce = policy.thresholds.filter(({ again }) => !(again && isFirst));
  return {
    thresholds: inForce.map((threshold) => ({ threshold, tokens: tokensAt(threshold.at, base) })),
    ...(policy.agentControlled && { safetyTokens: tokensAt(policy.agentControlled.safetyAt, base) }),
    targetTokens: (tokens) =>
      Math.max(
        1,
        Math.floor(Math.min(policy.targetRatio * base, (tokens * policy.targetRatio) / first) + 1e-6),
      ),
  };
}

/** The smallest whole number of tokens that is at or above the share. */
function tokensAt(share: number, base: number): number {
  return Math.max(1, Math.ceil(share * base - 1e-6));
}
