/** Occasion: one call of the compactor in three steps: what it is given is read, looked at, and decided upon. */

import { checkCall } from "./check-options.ts";
import { readGiven } from "./given.ts";
import { type Goal, goalOf, goalWhenDue } from "./goal.ts";
import { type Observation, observe } from "./observation.ts";
import type { CompactOptions, CompactorOptions } from "./options.ts";

export interface Occasion extends Observation {
  readonly goal: Goal;
}

/** Throws InputError, OptionsError or UnknownWindowError. */
export function readOccasion(
  input: unknown,
  options: CompactorOptions,
  call: CompactOptions,
  now: number,
): Occasion {
  const observation = lookAt(input, options, call, now);
  return { ...observation, goal: goalOf(observation, options, call) };
}

/** The first two steps: nothing is decided. Throws InputError or OptionsError. */
export function lookAt(
  input: unknown,
  options: CompactorOptions,
  call: CompactOptions,
  now: number,
): Observation {
  checkCall(call);
  return observe(readGiven(input, options, call), options, call, now);
}

/** An occasion on which the policy decides nothing. */
export function undecided(observation: Observation, reason: string): Occasion {
  return { ...observation, goal: { act: false, reason } };
}

/** The occasion as it will be when its first threshold is reached; as it is where something is to be done now. */
export function whenDue(observed: Observation | Occasion): Occasion {
  if ("goal" in observed && observed.goal.act) return observed;
  const { fill } = observed;
  return fill
    ? { ...observed, goal: goalWhenDue(observed, fill) }
    : undecided(observed, "The window is not known.");
}
