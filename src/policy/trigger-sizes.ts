/** Trigger sizes: a policy's shares turned into tokens for one window, the absolute cap and the reserve included. */
import type { Policy, Threshold } from "./policy.ts";

export interface TriggerSizes {
  /** Tokens at which each threshold that is in force is reached, in the policy's order. */
  readonly thresholds: readonly { readonly threshold: Threshold; readonly tokens: number }[];
  /** Tokens at which the net of an agent-controlled policy catches (F76). */
  readonly safetyTokens?: number;
  /** What to come back to: the policy's target, or the same proportion of what is there when that is less. */
  readonly targetTokens: (tokens: number) => number;
}

export interface Sizes {
  /** What the shares are of. */
  readonly base: number;
  /** What a prompt may have, whatever the shares say. */
  readonly budget: number;
}

/** The window as it was given, or what the reserve leaves of it. */
export function sizesFor(
  { base }: Pick<Policy, "base">,
  { window, budget }: { readonly window: number; readonly budget: number },
): Sizes {
  return { base: base === "window" ? window : budget, budget };
}

/**
 * On a very large window the cap (R29) takes the place of the first threshold, and the others and the target keep their
 * proportion to it: were only the thresholds clipped, they would all fall on the cap and the harshest would act first.
 * The safety net stays where it is: it is about the window.
 */
export function triggerSizes(policy: Policy, { base, budget }: Sizes, compactions: number): TriggerSizes {
  const first = policy.thresholds[0]!.at;
  const capped = Math.min(base, (policy.triggerCapTokens ?? Number.POSITIVE_INFINITY) / first);
  // Where the cap decides, nobody wants to see the window full before anything is done.
  const isFirst = compactions === 0 && capped === base;
  const inForce = policy.thresholds.filter(({ again }) => !(again && isFirst));
  const within = (share: number, of: number) => Math.min(tokensAt(share, of), budget);
  return {
    thresholds: inForce.map((threshold) => ({ threshold, tokens: within(threshold.at, capped) })),
    ...(policy.agentControlled && { safetyTokens: within(policy.agentControlled.safetyAt, base) }),
    targetTokens: (tokens) => {
      const proportion = policy.targetRatio / first;
      const target = Math.min(policy.targetRatio * capped, proportion * Math.min(tokens, budget));
      return Math.max(1, Math.floor(target + 1e-6));
    },
  };
}

/** The smallest whole number of tokens that is at or above the share. */
function tokensAt(share: number, base: number): number {
  return Math.max(1, Math.ceil(share * base - 1e-6));
}
