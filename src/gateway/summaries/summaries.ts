/** Summaries: the gateway's side of the thread in which summaries are written. */
import { Worker } from "node:worker_threads";
import type { SentRequest } from "../../summarizer/own-model.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { createOwnAsks, type OwnQuestion } from "./own-asks.ts";
import type { SummaryJob } from "./summary-job.ts";
import type { FromSummaryWorker, SummaryWorkerSettings, ToSummaryWorker } from "./summary-worker.ts";

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
  let markClosed = (): void => {};
  const closed = new Promise<void>((resolve) => {
    markClosed = resolve;
  });

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
  /** What one thread asks, it is answered, and no other: the next one counts from the start. */
  const asksOf = (thread: Worker) => {
    const underWay = new Map<number, AbortController>();
    return {
      ask: async (id: number, question: OwnQuestion): Promise<void> => {
        const giveUp = new AbortController();
        underWay.set(id, giveUp);
        const answer = await owns.ask(question, giveUp.signal);
        underWay.delete(id);
        thread.postMessage({ type: "answer", id, answer } satisfies ToSummaryWorker);
      },
      giveUp: (id: number): void => underWay.get(id)?.abort(),
      end: (): void => {
        for (const giveUp of underWay.values()) giveUp.abort();
      },
    };
  };

  const hear = (message: FromSummaryWorker, asks: ReturnType<typeof asksOf>): void => {
    if (message.type === "closed") markClosed();
    else if (message.type === "failed") tellFailure(message.reason);
    else if (message.type === "ended") owns.forget(message.ticket);
    else if (message.type === "ask") void asks.ask(message.id, message.question);
    else if (message.type === "give-up") asks.giveUp(message.id);
    else {
      const { type: _, ...fields } = message;
      metrics.add("summaries", { outcome: message.summarizer === undefined ? "failed" : "written" });
      for (const [kind, tokens] of Object.entries(message.tokens ?? {}))
        metrics.add("summary_tokens", { kind }, tokens);
      log(message.summarizer === undefined ? "warn" : "info", "summary", fields);
    }
  };
  const start = (): Worker => {
    const file = import.meta.url.endsWith(".ts") ? "./summary-worker.ts" : "./summary-worker.js";
    const started = new Worker(new URL(file, import.meta.url), { workerData: settings, execArgv: [] });
    started.unref();
    const asks = asksOf(started);
    started.on("message", (message: FromSummaryWorker) => hear(message, asks));
    started.on("error", (error) => log("error", "summaries-failed", { reason: error.message }));
    started.on("exit", () => {
      asks.end();
      if (isClosing) return markClosed();
      setTimeout(() => {
        // What was begun until now was lost with the one that died.
        owns.forgetAll();
        worker = start();
      }, PAUSE_MS).unref();
    });
    return started;
  };
  let worker = start();
  const tell = (message: ToSummaryWorker): void => worker.postMessage(message);

  return {
    begin: (job, own) => {
      if (asksOwn && own) owns.keep(job, own);
      log("info", "summary-due", { conversation: job.conversation });
      tell({ type: "summarize", job });
    },
    close: async () => {
      isClosing = true;
      // Asks that are under way have their own hold on it.
      owns.forgetAll();
      tell({ type: "close" });
      const patience = setTimeout(markClosed, CLOSING_MS);
      await closed;
      clearTimeout(patience);
      await worker.terminate();
    },
  };
}
