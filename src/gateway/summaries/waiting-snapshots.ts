/** WaitingSnapshots: jobs of a shared queue, in the archive while they wait: the queue itself holds no word that was said. */
import type { Archive } from "../../archive/archive.ts";
import { archiveItem } from "../../archive/item-id.ts";
import { writeTo } from "../../archive/ready-write.ts";
import { unlisted } from "../../archive/unlisted.ts";
import type { SummaryJob } from "./summary-job.ts";

/** What the queue holds of a job. */
export type SnapshotTicket = Pick<SummaryJob, "tenant" | "snapshot">;

export interface WaitingSnapshots {
  readonly keep: (job: SummaryJob) => Promise<SnapshotTicket>;
  /** Undefined where it was forgotten meanwhile. */
  readonly find: (ticket: SnapshotTicket) => Promise<SummaryJob | undefined>;
  readonly remove: (ticket: SnapshotTicket) => Promise<void>;
}

export function waitingSnapshots(archive: Archive, clock: () => number): WaitingSnapshots {
  const placeOf = ({ tenant, snapshot }: SnapshotTicket): string =>
    unlisted(`${tenant}/${snapshot}/snapshot`);
  return {
    keep: async (job) => {
      const items = [archiveItem("state", JSON.stringify(job))];
      await writeTo(archive, { conversation: placeOf(job), about: job.conversation, at: clock(), items });
      return { tenant: job.tenant, snapshot: job.snapshot };
    },
    find: async (ticket) => {
      const kept = await archive.checkpoint?.(placeOf(ticket));
      return kept && (JSON.parse(kept.state) as SummaryJob);
    },
    remove: async (ticket) => void (await archive.forget?.({ conversation: placeOf(ticket) })),
  };
}
