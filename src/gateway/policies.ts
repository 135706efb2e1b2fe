/** The policies that requests are judged by, each resolved once. */
import type { Policy } from "../policy/policy.ts";
import type { PresetExpression } from "../policy/presets.ts";
import { resolvePolicy } from "../policy/resolve-policy.ts";

const policies = new Map<string, Policy>();

export function policyOf(preset: string, window: number | undefined): Policy {
  const key = `${preset} ${window}`;
  const policy = policies.get(key) ?? resolvePolicy(preset as PresetExpression, window);
  if (policies.size >= MOST_POLICIES) policies.clear();
  policies.set(key, policy);
  return policy;
}

/** More windows than there are models. */
const MOST_POLICIES = 256;

/** Nothing but the size of a request makes a compaction due: no count of messages, no agent, no shaping on arrival; and size is tokens. */
export function decidesBySize({ thresholds, agentControlled, shapeOnArrival, estimator }: Policy): boolean {
  return (
    !agentControlled &&
    !shapeOnArrival &&
    !estimator &&
    thresholds.every(({ messages }) => messages === undefined)
  );
}
