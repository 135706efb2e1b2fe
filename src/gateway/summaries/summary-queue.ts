/** SummaryQueue: the contract of what brings snapshots to whoever writes their summaries: each snapshot once. */
import type { SummaryJob } from "./summary-job.ts";

export interface SummaryQueue {
  /** Resolves when the job is queued. One whose snapshot was queued before is left alone. */
  readonly send: (job: SummaryJob) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface SummaryQueueOptions {
  /** Writes one summary. Is never asked twice for a snapshot, also where it failed. */
  readonly write: (job: SummaryJob, signal: AbortSignal) => Promise<void>;
  /** Hears of a queue or a write that fails. */
  readonly onFailure: (error: unknown) => void;
  /** Hears of a job that nothing more comes of: it was written, failed or given up, or it had been here before. */
  readonly onEnd?: (job: SummaryJob) => void;
}

/** Summaries that one gateway has written at the same time. */
export const MOST_AT_ONCE = 4;
