/** pith/policy: the presets, and what a policy of your own says. */
import "../needed-node.ts";

export type { HandoffStyle, Policy, Retention, Threshold, ThresholdAction } from "./policy.ts";
export { type ModifierName, type PresetName, presets } from "./presets.ts";
export type { TemplateName } from "./template-names.ts";
