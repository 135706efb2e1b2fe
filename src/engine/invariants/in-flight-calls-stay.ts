/** Calls at the end that nothing has answered yet are running: taking them away would make the agent repeat them (R2). */
import { type Message, toolCallsOf } from "../../conversation/message.ts";
import { groupsOf } from "../../conversation/turn.ts";
import type { Invariant } from "./invariant.ts";

export const inFlightCallsStay: Invariant = {
  name: "in-flight-calls-stay",
  broken: (before, after) => {
    const last = groupsOf(before).at(-1);
    if (!last?.inFlight) return [];
    const running = before[last.start]!;
    // By place, not by id alone: some systems count their ids from one again in every turn.
    const kept = new Set(after.filter(({ position }) => position === running.position).flatMap(callIds));
    return callIds(running)
      .filter((id) => !kept.has(id))
      .map((id) => `the running call ${id} was taken away`);
  },
};

function callIds(message: Message): readonly string[] {
  return toolCallsOf(message).map((call) => call.pairId);
}
