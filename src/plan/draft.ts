/** Draft: a Plan, and the same Plan with another text in its hand-off. What stays and what goes is chosen once. */
import type { Written } from "../engine/written.ts";
import type { Plan } from "./plan.ts";

/** What a model wrote, or the room that is kept for what it is asked to write (`handedOff.room`). */
export type Telling = Written | "reserved";

export interface Draft {
  /** Told without a model. */
  readonly plan: Plan;
  /** Absent where nothing is handed off. Throws TargetUnreachableError. */
  readonly told?: (telling: Telling) => Plan;
}

/** The draft with a change to whichever of its plans is taken. */
export function changedDraft({ plan, told }: Draft, change: (plan: Plan) => Plan): Draft {
  return { plan: change(plan), ...(told && { told: (telling) => change(told(telling)) }) };
}
