/** The thread that writes summaries, so that neither the bytes nor the compactions of others wait for it. */

import { setTimeout } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { Archive } from "../../archive/archive.ts";
import { isPostgres } from "../../archive/is-postgres.ts";
import { openArchive } from "../../archive/open-archive.ts";
import { reasonOf } from "../../errors/reason-of.ts";
import { fetchThrough } from "../../http/fetch-through.ts";
import type { Proxies } from "../../http/proxies.ts";
import type { SummaryWish } from "../../policy/resolve-policy.ts";
import { summaryTokens } from "../../report/summary-cost.ts";
import type { Narration } from "../../summarizer/narrate.ts";
import type { Summarizer } from "../../summarizer/summarizer.ts";
import { type SummarizerAddress, summarizerAt } from "../../summarizer/summarizer-at.ts";
import { answerStarter } from "../../threads/thread.ts";
import { isKept } from "../recipes.ts";
import { modelOf } from "./model-of.ts";
import type { OwnAnswer, OwnQuestion } from "./own-asks.ts";
import { ownQueue } from "./own-queue.ts";
import type { SummaryJob } from "./summary-job.ts";
import type { SummaryQueue, SummaryQueueOptions } from "./summary-queue.ts";
import { summaryStore } from "./summary-store.ts";
import { type SnapshotTicket, waitingSnapshots } from "./waiting-snapshots.ts";
import { writeSummary } from "./write-summary.ts";

export interface SummaryWorkerSettings {
  /** A file or `postgres://…`. */
  readonly archive: string;
  /** In the order they are asked; "same" is the client's own. */
  readonly summarizer: readonly ("same" | SummarizerAddress)[];
  /** Which prompt, and how long, where it is not the preset's. */
  readonly wish?: SummaryWish;
  /** On the way to the addresses. */
  readonly proxies?: Proxies | undefined;
}

/** What it can be asked. */
export interface SummaryWorkerAnswers {
  readonly summarize: (job: SummaryJob) => void;
}

/** What it asks and tells the gateway. */
export interface GatewayAnswers {
  /** Never rejects. */
  readonly ownModel: (question: OwnQuestion, tell: never, signal: AbortSignal) => Promise<OwnAnswer>;
  readonly written: (summary: WrittenSummary) => void;
  /** Nobody asks the client's own model for it any more. */
  readonly ended: (ticket: SnapshotTicket) => void;
  readonly failed: (reason: string) => void;
}

/** One was written, by whom, or why it was not. */
export interface WrittenSummary {
  readonly conversation: string;
  readonly summarizer?: string;
  /** What it cost, where the provider says so. */
  readonly tokens?: { readonly input: number; readonly cached: number; readonly output: number };
  readonly failure?: string;
  readonly ms: number;
}

/** A queue that cannot be reached is tried again after this time. */
const PAUSE_MS = 2_000;

if (parentPort) {
  const settings = workerData as SummaryWorkerSettings;
  const archive = await openArchive(settings.archive);
  if (archive) serve(archive, settings);
}

function serve(
  archive: Archive,
  { archive: where, summarizer: settings, wish, proxies }: SummaryWorkerSettings,
): void {
  const store = summaryStore(archive, Date.now);
  const fetch = fetchThrough(proxies);
  const addressed = settings.map((each) => (each === "same" ? each : summarizerAt(each, fetch)));
  const summarizersFor = (job: SummaryJob): readonly Summarizer[] =>
    addressed.map((each) => (each === "same" ? modelOf(job, gateway) : each));
  const fail = (error: unknown): void => gateway.tell("failed", reasonOf(error));

  const write: SummaryQueueOptions["write"] = async (job, signal) => {
    const isWanted = (): Promise<boolean> => isKept(archive, job.tenant, job.snapshot);
    if (!(await isWanted())) return;
    const start = performance.now();
    const narration = await writeSummary(job, summarizersFor(job), signal, wish);
    // One that a stop ended may have been paid for: it is lost, and not begun anew.
    if (!signal.aborted) await store.keep(job, narration);
    // Its conversation may have been forgotten while the model wrote.
    if (!(await isWanted())) await store.remove(job);
    const { summarizer: name, error } = narration;
    const tokens = tokensOf(narration);
    const ms = Math.round(performance.now() - start);
    const told = {
      ...(name !== undefined && { summarizer: name }),
      ...(error && { failure: error.message }),
      ...(tokens && { tokens }),
    };
    gateway.tell("written", { conversation: job.conversation, ...told, ms });
  };

  const end = ({ tenant, snapshot }: SummaryJob): void => gateway.tell("ended", { tenant, snapshot });

  const stop = new AbortController();
  const openQueue = async (): Promise<SummaryQueue | undefined> => {
    while (!stop.signal.aborted) {
      try {
        const options = { write, onFailure: fail, onEnd: end };
        // What a client's own model is asked, only the gateway that has its key can ask.
        return settings.includes("same") ? ownQueue(options) : await queueAt(where, archive, options);
      } catch (error) {
        fail(error);
        await setTimeout(PAUSE_MS, undefined, { signal: stop.signal }).catch(() => {});
      }
    }
    return undefined;
  };
  const close = async (): Promise<void> => {
    stop.abort();
    await (await opening)?.close();
    await archive.close?.();
  };
  const gateway = answerStarter<SummaryWorkerAnswers, GatewayAnswers>({
    summarize: (job) => void opening.then((queue) => queue?.send(job)).catch(fail),
    close: () => close().catch(fail),
  });
  // At once: other gateways may have left summaries to write.
  const opening = openQueue();
}

function tokensOf({ attempts }: Narration) {
  const spent = summaryTokens(attempts);
  return spent && { input: spent.inputTokens, cached: spent.cachedTokens, output: spent.outputTokens };
}

async function queueAt(where: string, archive: Archive, options: SummaryQueueOptions): Promise<SummaryQueue> {
  if (!isPostgres(where)) return ownQueue(options);
  const { postgresQueue } = await import("./postgres-queue.ts");
  return postgresQueue(where, waitingSnapshots(archive, Date.now), options);
}
