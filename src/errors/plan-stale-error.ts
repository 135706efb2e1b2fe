/** PlanStaleError: a plan was made for another conversation than the one it is applied to. */
import { CompactionError } from "./compaction-error.ts";

export class PlanStaleError extends CompactionError {
  readonly position: number;

  constructor(position: number) {
    super(
      "PLAN_STALE",
      `The plan does not fit this conversation: message ${position} is not what it was when the plan was made. Plan again.`,
    );
    this.position = position;
  }
}
