/** Every strategy of a replay, by name. */
import { OptionsError } from "../errors/options-error.ts";
import { naiveStrategies } from "./naive-strategies.ts";
import { presetStrategies } from "./preset-strategy.ts";
import { nothing, type Strategy } from "./strategy.ts";

export const allStrategies: readonly Strategy[] = [nothing, ...presetStrategies, ...naiveStrategies];

/** The named ones in their usual order; all when none is named. Throws OptionsError. */
export function strategiesNamed(names: readonly string[]): readonly Strategy[] {
  const known = allStrategies.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new OptionsError("--strategy", `--strategy ${unknown}: give one or more of ${known.join(", ")}.`);
  }
  return allStrategies.filter(({ name }) => names.length === 0 || names.includes(name));
}
