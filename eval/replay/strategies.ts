/** The strategies that recordings are replayed with, and `balanced` with other thresholds, to find the best. */
import type { Policy } from "../../src/policy/policy.ts";
import { presets } from "../../src/policy/presets.ts";
import { naiveStrategies } from "../../src/replay/naive-strategies.ts";
import { presetStrategies, presetStrategy } from "../../src/replay/preset-strategy.ts";
import { nothing, type Strategy } from "../../src/replay/strategy.ts";

export const thresholds = [0.5, 0.6, 0.7, 0.8, 0.9, 1] as const;

export const atThreshold = (at: number): string => `at ${at * 100} %`;

export const thresholdStrategies: readonly Strategy[] = thresholds.map((at) =>
  presetStrategy({ ...presets.balanced, name: atThreshold(at), thresholds: [{ at, action: "trim" }] }),
);

export const replayStrategies: readonly Strategy[] = [
  nothing,
  ...presetStrategies,
  ...naiveStrategies,
  ...thresholdStrategies,
];

/** The fill from which a strategy acts at all, a share of the budget; one that was never so full is replayed with nothing done. */
export function actsFrom(name: string): number {
  const preset = presetPolicies.find((policy) => policy.name === name);
  if (preset?.thresholds.some(({ messages }) => messages !== undefined)) return 0;
  if (preset) return preset.thresholds[0]!.at;
  return others[name] ?? Number(/^at (\d+) %$/.exec(name)![1]) / 100;
}

const presetPolicies: readonly Policy[] = Object.values(presets);
const others: Readonly<Record<string, number>> = {
  nothing: 0,
  "keep-recent": 1,
  "clear-tool-results": 0.5,
  "truncate-tool-output": 0,
};
