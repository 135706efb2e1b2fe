/** policyLines: when a policy compacts and how far, for people, in tokens where the window is known. */
import type { Policy, Threshold } from "../policy/policy.ts";
import { sizesFor, triggerSizes } from "../policy/trigger-sizes.ts";
import { defaultReserve } from "../tokens/fill.ts";
import { modelProfile } from "../tokens/models.ts";
import { counted, percent } from "../tokens/number-words.ts";
import type { Settings } from "./settings.ts";

export function policyLines(policy: Policy, settings: Settings): readonly string[] {
  const sizes = sizesIn(policy, settings);
  const tokens = new Map(sizes?.later.thresholds.map((each) => [each.threshold, each.tokens]));
  const waits = new Set(policy.thresholds.filter(({ again }) => again));
  // Where the cap decides, every threshold counts from the start.
  for (const { threshold } of sizes?.first.thresholds ?? []) waits.delete(threshold);
  return [
    ...policy.thresholds.map((threshold) => thresholdLine(policy, threshold, tokens.get(threshold), waits)),
    targetLine(policy),
  ];
}

function thresholdLine(
  { base = "budget" }: Policy,
  threshold: Threshold,
  tokens: number | undefined,
  waits: ReadonlySet<Threshold>,
): string {
  const { at, action, messages, needsResultOver } = threshold;
  return [
    `at ${percent(at, 0)} of the ${base}`,
    tokens === undefined ? "" : `, here ${counted(tokens, "token")}`,
    needsResultOver === undefined ? "" : ` with a tool result over ${counted(needsResultOver, "token")}`,
    messages === undefined ? "" : `, or more than ${counted(messages, "message")}`,
    `: ${action}`,
    waits.has(threshold) ? ", after the first compaction" : "",
  ].join("");
}

function targetLine({ base = "budget", targetOf, targetRatio, thresholds }: Policy): string {
  const { at } = thresholds[0]!;
  return targetOf === "messages"
    ? `a compaction at ${percent(at, 0)} leaves ${percent(targetRatio / at, 0)} of the messages; system prompt and tools stay whole`
    : `a compaction leaves a request of ${percent(targetRatio, 0)} of the ${base}`;
}

/** For the first compaction and for those after it; undefined where nobody knows the window. */
function sizesIn(policy: Policy, { model, window = modelProfile(model).window, reserve }: Settings) {
  if (window === undefined) return undefined;
  const budget = window - (reserve ?? defaultReserve(window, policy.base));
  const sizes = sizesFor(policy, { window, budget });
  return { first: triggerSizes(policy, sizes, 0), later: triggerSizes(policy, sizes, 1) };
}
