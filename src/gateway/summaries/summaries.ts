/** Summaries: the gateway's side of the thread in which summaries are written. */
import type { SentRequest } from "../../summarizer/own-model.ts";
import { startThread, type Thread } from "../../threads/thread.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { createOwnAsks } from "./own-asks.ts";
import type { SummaryJob } from "./summary-job.ts";
import type { GatewayAnswers, SummaryWorkerAnswers, SummaryWorkerSettings } from "./summary-worker.ts";

export interface Summaries {
  /**
   * Never waits, and nothing waits for it.
   *
   * @param own the request that the client's own model has just answered
   */
  readonly begin: (job: SummaryJob, own?: SentRequest) => void;
  readonly close: () => Promise<void>;
}

/** How long a stop waits for the thread. */
const CLOSING_MS = 3_000;
/** The same failure is told once in this time. */
const SAME_FAILURE_MS = 60_000;
/** A thread that died is replaced after this time. */
const PAUSE_MS = 1_000;

export function createSummaries(settings: SummaryWorkerSettings, log: Log, metrics: Metrics): Summaries {
  let isClosing = false;

  /** A queue that is down says so every second. */
  let lastFailure = { reason: "", at: 0 };
  const tellFailure = (reason: string): void => {
    const isKnown = reason === lastFailure.reason && Date.now() < lastFailure.at + SAME_FAILURE_MS;
    if (isKnown) return;
    lastFailure = { reason, at: Date.now() };
    log("warn", "summaries-failed", { reason });
  };

  const owns = createOwnAsks();
  const asksOwn = settings.summarizer.includes("same");
  const answers: GatewayAnswers = {
    ownModel: (question, _, signal) => owns.ask(question, signal),
    ended: owns.forget,
    failed: tellFailure,
    written: (written) => {
      const isWritten = written.summarizer !== undefined;
      metrics.add("summaries", { outcome: isWritten ? "written" : "failed" });
      for (const [kind, tokens] of Object.entries(written.tokens ?? {}))
        metrics.add("summary_tokens", { kind }, tokens);
      log(isWritten ? "info" : "warn", "summary", { ...written });
    },
  };
  const start = (): Thread<SummaryWorkerAnswers> => {
    const started = startThread<SummaryWorkerAnswers>(import.meta.url, "summary-worker", settings, answers);
    void started.ended.then((reason) => {
      if (isClosing) return;
      log("error", "summaries-failed", { reason });
      setTimeout(() => {
        // What was begun until now was lost with the one that died.
        owns.forgetAll();
        worker = start();
      }, PAUSE_MS).unref();
    });
    return started;
  };
  let worker = start();

  return {
    begin: (job, own) => {
      if (asksOwn && own) owns.keep(job, own);
      log("info", "summary-due", { conversation: job.conversation });
      worker.tell("summarize", job);
    },
    close: async () => {
      isClosing = true;
      // Asks that are under way have their own hold on it.
      owns.forgetAll();
      await worker.close(CLOSING_MS);
    },
  };
}
