/** WaitingSnapshots: jobs of a shared queue, in the archive while they wait: the queue itself holds no word that was said. */
import type { Archive } from "../../archive/archive.ts";
import { archiveItem } from "../../archive/item-id.ts";
import { unlisted } from "../../archive/unlisted.ts";
import type { SummaryJob } from "./summary-job.ts";

/** What the queue holds of a job. */
export type SnapshotTicket = Pick<SummaryJob, "tenant" | "conversation" | "snapshot">;

export interface WaitingSnapshots {
  /** In place of the conversation's one before: a summary that was not begun by now is no longer wanted. */
  readonly keep: (job: SummaryJob) => Promise<SnapshotTicket>;
  /** Undefined where it was forgotten or another took its place meanwhile. */
  readonly find: (ticket: SnapshotTicket) => Promise<SummaryJob | undefined>;
  readonly remove: (ticket: SnapshotTicket) => Promise<void>;
}

export function waitingSnapshots(archive: Archive, clock: () => number): WaitingSnapshots {
  const placeOf = ({ tenant, conversation }: SnapshotTicket): string =>
    unlisted(`${tenant}/${conversation}/snapshot`);
  const clear = async (place: string) => void (await archive.forget?.({ conversation: place }));
  const find = async (ticket: SnapshotTicket): Promise<SummaryJob | undefined> => {
    const kept = await archive.checkpoint?.(placeOf(ticket));
    const job = kept && (JSON.parse(kept.state) as SummaryJob);
    return job?.snapshot === ticket.snapshot ? job : undefined;
  };
  return {
    keep: async (job) => {
      const { tenant, conversation, snapshot } = job;
      const items = [archiveItem("state", JSON.stringify(job))];
      // Several gateways may come with the same one, while one of them has begun to write.
      if (!(await find(job))) {
        await clear(placeOf(job));
        await archive.put({ conversation: placeOf(job), about: conversation, at: clock(), items });
      }
      return { tenant, conversation, snapshot };
    },
    find,
    remove: async (ticket) => {
      if (await find(ticket)) await clear(placeOf(ticket));
    },
  };
}
