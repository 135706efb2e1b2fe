/** The thread that writes summaries, so that neither the bytes nor the compactions of others wait for it. */
import { setTimeout } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { Archive } from "../../archive/archive.ts";
import { isPostgres, openArchive } from "../../archive/open-archive.ts";
import { summarizerAt } from "../../summarizer/summarizer-at.ts";
import type { SummarizerSettings } from "../settings.ts";
import { ownQueue } from "./own-queue.ts";
import type { SummaryJob } from "./summary-job.ts";
import type { SummaryQueue, SummaryQueueOptions } from "./summary-queue.ts";
import { summaryStore } from "./summary-store.ts";
import { waitingSnapshots } from "./waiting-snapshots.ts";
import { writeSummary } from "./write-summary.ts";

export interface SummaryWorkerSettings {
  /** A file or `postgres://…`. */
  readonly archive: string;
  readonly summarizer: SummarizerSettings;
}

export type ToSummaryWorker =
  | { readonly type: "summarize"; readonly job: SummaryJob }
  | { readonly type: "close" };

export type FromSummaryWorker =
  /** One was written, by whom, or why it was not. */
  | {
      readonly type: "written";
      readonly conversation: string;
      readonly summarizer?: string;
      readonly failure?: string;
      readonly ms: number;
    }
  | { readonly type: "failed"; readonly reason: string }
  | { readonly type: "closed" };

/** A queue that cannot be reached is tried again after this time. */
const PAUSE_MS = 2_000;

if (parentPort) {
  const { archive: where, summarizer } = workerData as SummaryWorkerSettings;
  const archive = await openArchive(where);
  if (archive) serve(parentPort, where, archive, summarizer);
}

function serve(
  port: NonNullable<typeof parentPort>,
  where: string,
  archive: Archive,
  settings: SummarizerSettings,
): void {
  const summarizer = summarizerAt(settings, settings.key);
  const store = summaryStore(archive, Date.now);
  const send = (message: FromSummaryWorker): void => port.postMessage(message);
  const fail = (error: unknown): void =>
    send({ type: "failed", reason: error instanceof Error ? error.message : String(error) });

  const write: SummaryQueueOptions["write"] = async (job, signal, isWanted) => {
    const start = performance.now();
    const narration = await writeSummary(job, summarizer, signal);
    await store.keep(job, narration);
    // Its conversation may have been forgotten while the model wrote.
    if (isWanted && !(await isWanted())) await store.remove(job);
    const { summarizer: name, error } = narration;
    const ms = Math.round(performance.now() - start);
    const told = {
      ...(name !== undefined && { summarizer: name }),
      ...(error && { failure: error.message }),
    };
    send({ type: "written", conversation: job.conversation, ...told, ms });
  };

  const stop = new AbortController();
  const openQueue = async (): Promise<SummaryQueue | undefined> => {
    while (!stop.signal.aborted) {
      try {
        return await queueAt(where, archive, { write, onFailure: fail });
      } catch (error) {
        fail(error);
        await setTimeout(PAUSE_MS, undefined, { signal: stop.signal }).catch(() => {});
      }
    }
    return undefined;
  };
  // At once: other gateways may have left summaries to write.
  const opening = openQueue();
  const close = async (): Promise<void> => {
    stop.abort();
    await (await opening)?.close();
    await archive.close?.();
  };

  port.on("message", (message: ToSummaryWorker) => {
    if (message.type === "summarize") {
      opening.then((queue) => queue?.send(message.job)).catch(fail);
    } else {
      void close()
        .catch(fail)
        .finally(() => {
          send({ type: "closed" });
          port.close();
        });
    }
  });
}

async function queueAt(where: string, archive: Archive, options: SummaryQueueOptions): Promise<SummaryQueue> {
  if (!isPostgres(where)) return ownQueue(options);
  const { postgresQueue } = await import("./postgres-queue.ts");
  return postgresQueue(where, waitingSnapshots(archive, Date.now), options);
}
