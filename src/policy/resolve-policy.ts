/** resolvePolicy: from what a person typed, or a policy of their own, to one checked and frozen Policy. */
import { OptionsError } from "../errors/options-error.ts";
import { checkPolicy } from "./check-policy.ts";
import { closestName } from "./closest-name.ts";
import { modifiers } from "./modifiers.ts";
import type { Policy } from "./policy.ts";
import { leanFit, type ModifierName, type PresetExpression, type PresetName, presets } from "./presets.ts";
import type { TemplateName } from "./template-names.ts";

/**
 * `"synthorg+degraded"` → synthorg at 70 % with 2 turn pairs. Absent: `balanced`.
 * The window fits the presets whose numbers depend on it. Throws OptionsError naming what there is.
 */
export function resolvePolicy(
  expression: PresetExpression | Policy | undefined,
  window?: number,
  wish: SummaryWish = {},
): Policy {
  const policy =
    expression === undefined || typeof expression === "string"
      ? fromExpression(expression ?? "balanced", window)
      : expression;
  const wished = withWish(policy, wish);
  checkPolicy(wished);
  return frozenCopy(wished);
}

/** What a caller wants of the summary and the hand-off it is in, whatever the preset brings. */
export interface SummaryWish {
  readonly handoff?: "bare" | undefined;
  readonly template?: TemplateName | undefined;
  readonly summaryTokens?: number | undefined;
}

function withWish(asked: Policy, { handoff, template, summaryTokens }: SummaryWish): Policy {
  const policy = handoff === undefined ? asked : modifiers[handoff](asked);
  if (template === undefined && summaryTokens === undefined) return policy;
  const own = policy.summary ?? { template: policy.handoff.form === "text" ? "brief" : "story" };
  const { template: named } = own;
  return {
    ...policy,
    summary: {
      ...(summaryTokens === undefined ? own : { tokens: summaryTokens }),
      template: template ?? named,
    },
  };
}

function fromExpression(expression: string, window: number | undefined): Policy {
  const [presetName = "", ...modifierNames] = expression.split("+").map((name) => name.trim());
  if (!isPresetName(presetName)) throw unknownName("preset", presetName, Object.keys(presets));
  let policy: Policy = fitWindow(presets[presetName], window);
  for (const [order, name] of modifierNames.entries()) {
    if (!isModifierName(name)) throw unknownName("modifier", name, Object.keys(modifiers));
    if (modifierNames.indexOf(name) < order) {
      throw new OptionsError(
        "preset",
        `The modifier "${name}" is named twice in "${expression}". Name it once.`,
      );
    }
    policy = modifiers[name](policy);
  }
  return { ...policy, name: [presetName, ...modifierNames].join("+") };
}

function fitWindow(policy: Policy, window: number | undefined): Policy {
  if (policy.name !== "hermes-lean" || window === undefined || !(window > 0)) return policy;
  const { smallBelow, smallAt, tail, summaryMostShare } = leanFit;
  const { retention, summary } = policy;
  const tokens = Math.min(Math.max(tail.share * window, tail.least), tail.most, tail.mostShare * window);
  const mostTokens = Math.min(summary!.mostTokens!, summaryMostShare * window);
  return {
    ...policy,
    thresholds: policy.thresholds.map((threshold) =>
      window < smallBelow ? { ...threshold, at: Math.max(threshold.at, smallAt) } : threshold,
    ),
    retention: { ...retention, tokens: Math.max(1, Math.floor(tokens)) },
    summary: { ...summary!, mostTokens: Math.max(1, Math.floor(mostTokens)) },
  };
}

function isPresetName(name: string): name is PresetName {
  return Object.hasOwn(presets, name);
}

function isModifierName(name: string): name is ModifierName {
  return Object.hasOwn(modifiers, name);
}

function unknownName(kind: "preset" | "modifier", typed: string, known: readonly string[]): OptionsError {
  const shown = typed.length > 60 ? `${typed.slice(0, 60)}…` : typed;
  const close = closestName(typed.slice(0, 60), known);
  return new OptionsError(
    "preset",
    `There is no ${kind} "${shown}".${close ? ` Did you mean "${close}"?` : ""} ` +
      `The ${kind}s are: ${known.join(", ")}. A preset and its modifiers are joined by plus signs: "synthorg+degraded".`,
  );
}

/** A copy, so that freezing does not reach into what the caller holds. */
function frozenCopy<Value>(value: Value): Value {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.freeze(
    Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, frozenCopy(inner)])),
  ) as Value;
}
