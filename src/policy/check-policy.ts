/** checkPolicy: refuses a policy that cannot be right, naming the field and what it may be. */
import { OptionsError } from "../errors/options-error.ts";
import { actions, densityMeasures, type Policy, type ThresholdAction } from "./policy.ts";
import { templateNames } from "./template-names.ts";

/** Also guards against what no type checker saw: a policy from a JSON file may hold anything. Throws OptionsError. */
export function checkPolicy(policy: Policy): void {
  isObject("preset", policy, "a preset's name or a policy object");
  must(
    "name",
    typeof policy.name === "string" && policy.name.trim() !== "",
    "a name for the Report",
    policy.name,
  );
  must(
    "base",
    [undefined, "window", "budget"].includes(policy.base),
    'one of "window", "budget"',
    policy.base,
  );
  checkThresholds(policy);
  positive("triggerCapTokens", policy.triggerCapTokens, "optional");
  const first = policy.thresholds[0]!.at;
  share("targetRatio", policy.targetRatio);
  must(
    "targetRatio",
    policy.targetRatio < first,
    `under the first threshold (${first}), or every compaction would call for the next`,
    policy.targetRatio,
  );
  must(
    "targetOf",
    [undefined, "messages", "request"].includes(policy.targetOf),
    'one of "messages", "request"',
    policy.targetOf,
  );
  isObject("minReclaim", policy.minReclaim, "{ ratio, tokens }");
  atLeastZero("minReclaim.ratio", policy.minReclaim.ratio);
  atLeastZero("minReclaim.tokens", policy.minReclaim.tokens);
  atLeastZero("minMessages", policy.minMessages);
  atLeastZero("intervalMs", policy.intervalMs);
  checkWhatStays(policy);
  checkStages(policy);
  checkSummary(policy);
  positive("offloadOver", policy.offloadOver, "optional");
  must("estimator", [undefined, "rough"].includes(policy.estimator), '"rough", or absent', policy.estimator);
  must("enabled", typeof policy.enabled === "boolean", "true or false", policy.enabled);
}

function checkThresholds({ thresholds, agentControlled }: Policy): void {
  must(
    "thresholds",
    Array.isArray(thresholds) && thresholds.length > 0,
    "a list with at least one",
    thresholds,
  );
  for (const [index, threshold] of thresholds.entries()) {
    const field = `thresholds[${index}]`;
    isObject(field, threshold, "{ at, action }");
    share(`${field}.at`, threshold.at);
    const below = thresholds[index - 1]?.at ?? 0;
    must(
      `${field}.at`,
      threshold.at > below,
      `above the one before it (${below}): list them ascending`,
      threshold.at,
    );
    must(`${field}.action`, isAction(threshold.action), `one of ${actions.join(", ")}`, threshold.action);
    must(
      `${field}.again`,
      [undefined, true, false].includes(threshold.again),
      "true or false",
      threshold.again,
    );
    positive(`${field}.messages`, threshold.messages, "optional");
    positive(`${field}.needsResultOver`, threshold.needsResultOver, "optional");
  }
  must(
    "thresholds",
    thresholds.some(({ again }) => !again),
    "a list with at least one that also holds for the first compaction",
    thresholds,
  );
  if (agentControlled === undefined) return;
  isObject("agentControlled", agentControlled, "{ safetyAt }");
  // A threshold at the whole budget is a net itself.
  const last = thresholds.findLast(({ at }) => at < 1)?.at ?? 0;
  share("agentControlled.safetyAt", agentControlled.safetyAt);
  must(
    "agentControlled.safetyAt",
    agentControlled.safetyAt > last,
    `above the last threshold (${last}): it is the net under it`,
    agentControlled.safetyAt,
  );
}

function checkWhatStays({ retention, head, handoff, markers, density }: Policy): void {
  isObject("retention", retention, "{ messages, turns, ceiling }");
  atLeastZero("retention.messages", retention.messages);
  atLeastZero("retention.turns", retention.turns);
  if (retention.percent !== undefined) share("retention.percent", retention.percent);
  positive("retention.tokens", retention.tokens, "optional");
  share("retention.ceiling", retention.ceiling);
  if (retention.relative !== undefined) share("retention.relative", retention.relative);
  must(
    "retention.whole",
    [undefined, true, false].includes(retention.whole),
    "true or false",
    retention.whole,
  );
  if (retention.tolerance !== undefined) share("retention.tolerance", retention.tolerance);
  isObject("head", head, "{ messages, decays }");
  atLeastZero("head.messages", head.messages);
  isObject("handoff", handoff, "{ form, prefix, role, systemNote, ceiling }");
  must(
    "handoff.form",
    ["sections", "text", "bare"].includes(handoff.form),
    'one of "sections", "text", "bare"',
    handoff.form,
  );
  must(
    "handoff.form",
    handoff.form !== "bare" || handoff.prefix !== "synthorg",
    'bare only under a prefix that opens a line: "pith", "factor3" or "hermes"; without one a hand-off would not be known as one',
    handoff.form,
  );
  share("handoff.ceiling", handoff.ceiling);
  isObject("markers", markers, "{ annotate }");
  positive("markers.promoteAt", markers.promoteAt, "optional");
  if (density === undefined) return;
  isObject("density", density, "{ by, promote, slight }");
  must(
    "density.by",
    densityMeasures.includes(density.by),
    `one of ${densityMeasures.join(", ")}`,
    density.by,
  );
  for (const field of ["promote", "slight"] as const) atLeastZero(`density.${field}`, density[field]);
}

function checkSummary({ summary }: Policy): void {
  if (summary === undefined) return;
  isObject("summary", summary, "{ template, tokens }");
  const names = templateNames;
  must(
    "summary.template",
    (names as readonly unknown[]).includes(summary.template),
    `one of ${names.join(", ")}`,
    summary.template,
  );
  positive("summary.tokens", summary.tokens, "optional");
  if (summary.share !== undefined) share("summary.share", summary.share);
  positive("summary.mostTokens", summary.mostTokens, "optional");
}

function checkStages({ stripReasoning, shape, shrinkArguments, extract }: Policy): void {
  if (stripReasoning !== undefined) atLeastZero("stripReasoning.distance", stripReasoning?.distance);
  if (shape !== undefined) positive("shape.minTokens", shape?.minTokens);
  if (shrinkArguments !== undefined) {
    positive("shrinkArguments.leafChars", shrinkArguments?.leafChars);
    atLeastZero("shrinkArguments.minChars", shrinkArguments?.minChars);
  }
  if (extract !== undefined) {
    share("extract.ratio", extract?.ratio);
    atLeastZero("extract.minTokens", extract?.minTokens);
    atLeastZero("extract.distance", extract?.distance);
  }
}

function isAction(value: unknown): value is ThresholdAction {
  return (actions as readonly unknown[]).includes(value);
}

function isObject(field: string, value: unknown, expected: string): void {
  must(field, typeof value === "object" && value !== null && !Array.isArray(value), expected, value);
}

function share(field: string, value: unknown): void {
  must(field, typeof value === "number" && value > 0 && value <= 1, "a share above 0 and at most 1", value);
}

function positive(field: string, value: unknown, optional?: "optional"): void {
  if (optional && value === undefined) return;
  must(field, typeof value === "number" && value > 0, "a number above 0", value);
}

function atLeastZero(field: string, value: unknown): void {
  must(field, typeof value === "number" && value >= 0, "a number, 0 or more", value);
}

function must(field: string, holds: boolean, expected: string, found: unknown): void {
  if (holds) return;
  throw new OptionsError(field, `Policy: \`${field}\` must be ${expected}; it is ${describe(found)}.`);
}

function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
