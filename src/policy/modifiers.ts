/** Modifiers: small changes that go on top of any preset, named after a plus sign: `synthorg+degraded`. */
import type { Policy } from "./policy.ts";
import type { ModifierName } from "./presets.ts";

/** F71: every threshold so many points earlier, so many turns less kept. */
const DEGRADED = { points: 10, turns: 1 };
/** F65: so many groups of epistemic markers keep a message on complex tasks. */
const COMPLEX = 1;

export const modifiers: Readonly<Record<ModifierName, (policy: Policy) => Policy>> = {
  /** Under quota pressure. The safety net stays. */
  degraded: (policy) => ({
    ...policy,
    thresholds: policy.thresholds.map((threshold) => ({
      ...threshold,
      at: pointsLower(threshold.at, DEGRADED.points),
    })),
    retention: {
      ...policy.retention,
      turns: Math.min(policy.retention.turns, Math.max(1, policy.retention.turns - DEGRADED.turns)),
      // A turn pair is two messages; one pair always stays.
      messages: Math.min(
        policy.retention.messages,
        Math.max(2, policy.retention.messages - 2 * DEGRADED.turns),
      ),
    },
  }),
  /** F65: on complex and epic tasks a single group of epistemic markers keeps a message verbatim. */
  complex: promoteAtOneMarker,
  /** F80: the same for agents that decide deliberately or speak at length, whatever their task. */
  deliberative: promoteAtOneMarker,
  verbose: promoteAtOneMarker,
  /** F93: the prefix and the summary, and nothing around it. */
  bare: (policy) => ({ ...policy, handoff: { ...policy.handoff, form: "bare" } }),
  /** F36, F38: nothing shrinks, except to recover from an overflow. */
  debug: (policy) => ({ ...policy, enabled: false }),
};

function promoteAtOneMarker(policy: Policy): Policy {
  return { ...policy, markers: { ...policy.markers, promoteAt: COMPLEX } };
}

/** In whole hundredths, so that 80 % less 10 points is 0.7 and not 0.7000000000000001. */
function pointsLower(share: number, points: number): number {
  return Math.max(1, Math.round(share * 100) - points) / 100;
}
