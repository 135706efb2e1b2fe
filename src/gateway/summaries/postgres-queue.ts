/** postgresQueue: a SummaryQueue that all gateways on one PostgreSQL share, by pg-boss. */
import type { Job } from "pg-boss";
import { loadOptional } from "../../errors/missing-package-error.ts";
import type { SummaryJob } from "./summary-job.ts";
import { MOST_AT_ONCE, type SummaryQueue, type SummaryQueueOptions } from "./summary-queue.ts";
import type { SnapshotTicket, WaitingSnapshots } from "./waiting-snapshots.ts";

const QUEUE = "summaries";
/** A summary that nobody began within this time, or that takes longer, comes too late to be of use. */
const USEFUL_SECONDS = 600;
/** A job is known, and sent again in vain, for so long after its end. */
const KNOWN_SECONDS = 24 * 3600;

/** Connects at once; rejects where it cannot. @param url `postgres://…` */
export async function postgresQueue(
  url: string,
  snapshots: WaitingSnapshots,
  { write, onFailure }: SummaryQueueOptions,
): Promise<SummaryQueue> {
  const { PgBoss } = await loadBoss();
  const boss = new PgBoss({
    connectionString: url,
    schema: "pith_jobs",
    application_name: "pith gateway",
    max: 2,
    schedule: false,
  });
  boss.on("error", onFailure);
  await boss.start().catch(async (error: unknown) => {
    await boss.stop({ graceful: false }).catch(() => {});
    throw error;
  });
  await boss.createQueue(QUEUE, {
    // A gateway that dies may have had its summary written: a second try could pay for it twice.
    retryLimit: 0,
    expireInSeconds: USEFUL_SECONDS,
    retentionSeconds: USEFUL_SECONDS,
    deleteAfterSeconds: KNOWN_SECONDS,
  });
  await boss.work(
    QUEUE,
    { pollingIntervalSeconds: 1, localConcurrency: MOST_AT_ONCE },
    async ([job]: Job<SnapshotTicket>[]) => {
      if (job) await writeOne(job.data, job.signal).catch(failing);
    },
  );
  async function writeOne(ticket: SnapshotTicket, signal: AbortSignal): Promise<void> {
    const job = await snapshots.find(ticket);
    if (!job) return;
    try {
      await write(job, signal);
    } finally {
      await snapshots.remove(ticket);
    }
  }
  function failing(error: unknown): never {
    onFailure(error);
    throw error;
  }
  return {
    send: async (job) => {
      const ticket = await snapshots.keep(job);
      try {
        await boss.send(QUEUE, ticket, { id: jobId(job) });
      } catch (error) {
        await snapshots.remove(ticket);
        throw error;
      }
    },
    close: () => boss.stop({ graceful: true, timeout: 2_000 }),
  };
}

/** The id follows from the snapshot, so that the database refuses the second one. `3f0c…` → `3f0c…-…` */
function jobId({ snapshot }: SummaryJob): string {
  return snapshot.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Throws MissingPackageError. */
export function loadBoss() {
  return loadOptional("pg-boss", "A gateway that writes summaries on PostgreSQL", () => import("pg-boss"));
}
