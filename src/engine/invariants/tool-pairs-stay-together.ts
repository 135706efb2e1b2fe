/** A call and all its results are side by side, or neither is there (R1). */
import {
  carriesResults,
  type Message,
  makesCalls,
  toolCallsOf,
  toolResultsOf,
} from "../../conversation/message.ts";
import type { Invariant } from "./invariant.ts";

export const toolPairsStayTogether: Invariant = {
  name: "tool-pairs-stay-together",
  allowsCut: (messages, index) => {
    const next = messages[index];
    return next === undefined || !carriesResults(next);
  },
  broken: (before, after) => {
    const left = faults(after);
    if (left.length === 0) return [];
    const known = new Map<string, number>();
    for (const fault of faults(before)) known.set(fault, (known.get(fault) ?? 0) + 1);
    return left.filter((fault) => {
      const times = known.get(fault) ?? 0;
      known.set(fault, times - 1);
      return times <= 0;
    });
  },
};

/** Names calls, not positions, so that a fault which came in is recognised when it goes out, as often as it came in. */
function faults(messages: readonly Message[]): readonly string[] {
  const found: string[] = [];
  let open = new Set<string>();
  let previous: Message | undefined;
  const close = () => {
    for (const id of open) found.push(`call ${id} has no result directly after it`);
    open = new Set();
  };
  for (const message of messages) {
    const results = toolResultsOf(message).filter((result) => !result.server);
    if (results.length === 0) close();
    for (const { pairId } of results) {
      if (!open.delete(pairId)) found.push(`result ${pairId} has no call directly before it`);
    }
    if (makesCalls(message)) {
      for (const call of toolCallsOf(message)) if (!call.server) open.add(call.pairId);
    }
    previous = message;
  }
  // Calls at the very end are still running, not orphaned.
  if (previous && !makesCalls(previous) && !carriesResults(previous)) close();
  return found;
}
