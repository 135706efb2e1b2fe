/** Calls at the end that nothing has answered yet are running: taking them away would make the agent repeat them (R2). */
import { type Message, toolCallsOf } from "../conversation/message.ts";
import { groupsOf } from "../conversation/turn.ts";
import type { Invariant } from "./invariant.ts";

export const inFlightCallsStay: Invariant = {
  name: "in-flight-calls-stay",
  broken: (before, after) => {
    const last = groupsOf(before).at(-1);
    if (!last?.inFlight) return [];
    const kept = new Set(callIds(after));
    return callIds([before[last.start]!])
      .filter((id) => !kept.has(id))
      .map((id) => `the running call ${id} was taken away`);
  },
};

function callIds(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => toolCallsOf(message).map((call) => call.pairId));
}
