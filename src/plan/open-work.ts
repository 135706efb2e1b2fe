/** Open work: the failing command that is being fixed and the step of the plan that is under way (F61). */
import type { Message } from "../conversation/message.ts";
import type { Group } from "../conversation/turn.ts";
import { emptyLedger } from "../ledger/ledger.ts";
import { updateLedger } from "../ledger/update-ledger.ts";
import type { Action } from "../reading/calls/action.ts";
import { deedsIn } from "./work-boundary.ts";

export interface OpenWork {
  /** How much is open: failures that nothing resolved, steps of the agent's list that are not done. */
  readonly count: number;
  /** Where what is under way starts: the newest unresolved failure, and the group that began the active step. */
  readonly starts: readonly number[];
}

/** The open work in these groups, which follow each other up to the end of the conversation. */
export function openWork(messages: readonly Message[], groups: readonly Group[]): OpenWork {
  const from = groups[0]?.start ?? messages.length;
  const { errors, todos } = updateLedger(emptyLedger, messages.slice(from), { wordsFrom: messages.length });
  const open = errors.filter((error) => error.open);
  const failedAt = Math.max(-1, ...open.map(({ at }) => from + at - 1));
  const failed = groups.findLast(({ start, end }) => start <= failedAt && failedAt < end);
  const begun = todos.some(({ status }) => status === "active")
    ? groups.findLast((group) => deedsIn(messages, group).some(({ done }) => done.some(begins)))
    : undefined;
  return {
    count: open.length + todos.filter(({ status }) => status !== "done").length,
    starts: [failed, begun].flatMap((group) => (group ? [group.start] : [])),
  };
}

function begins({ todos }: Action): boolean {
  return todos?.some(({ status }) => status === "active") ?? false;
}
