/** violations: every rule that a compaction of this planner has broken, the user's words as it reads them among them. */
import type { Message } from "../conversation/message.ts";
import { brokenBy, invariants } from "../engine/invariants/index.ts";
import { userWordsSurvive as asRead } from "../engine/invariants/user-words-survive.ts";
import { userWordsSurvive } from "./user-words-survive.ts";

const own = invariants.map((invariant) => (invariant === asRead ? userWordsSurvive : invariant));

export function violations(before: readonly Message[], after: readonly Message[]): readonly string[] {
  return brokenBy(own, before, after);
}
