/** Preparation: bodies are prepared in a worker thread, and nobody waits for it longer than the deadline. */
import { Worker } from "node:worker_threads";
import type { ContextFill } from "../agent-control/fill-note.ts";
import type { Job, OwnTurn, Prepared } from "./job.ts";
import type { OwnCall, OwnResult } from "./offered-tools.ts";
import type { SummaryJob } from "./summaries/summary-job.ts";
import type { FromWorker, SendableProgress, ToWorker, WorkerSettings } from "./worker.ts";

export interface PreparationOptions extends WorkerSettings {
  /** How long a request waits for its body; past it, the best that fits is sent. */
  readonly deadlineMs: number;
  /** How long it waits where nothing fits but what is still being made. */
  readonly patienceMs: number;
  /** Hears that a worker died or hung and another one took its place. */
  readonly onRestart: (reason: string) => void;
  /** Hears of a snapshot that a summary should be written of, where nobody waits for its request any more. */
  readonly onSummaryDue: (job: SummaryJob) => void;
}

export interface Preparation {
  /** Settles when the worker can work; requests before that go through as they are. */
  readonly ready: Promise<void>;
  /** Never rejects. */
  readonly prepare: (job: BodyJob, waiting: Wait) => Promise<Sendable>;
  /** The answers to calls of own tools. Never rejects. */
  readonly run: (
    conversation: string | undefined,
    calls: readonly OwnCall[],
    fill?: ContextFill,
  ) => Promise<readonly OwnResult[]>;
  /** Gives back why it failed, where it did. */
  readonly keepTurn: (turn: BodyTurn) => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

/** A job as it goes from thread to thread. */
export type BodyJob = Omit<Job, "text"> & {
  /** The body, unpacked, in UTF-8. */
  readonly bytes: Uint8Array;
};

export type BodyTurn = Omit<OwnTurn, "job"> & { readonly job: BodyJob };

/** Without a text, the body goes on as it came. */
export type Sendable = Omit<Prepared, "text"> & { readonly text?: string };

/** How a request waits. */
export interface Wait {
  /** Whether it fits as it is, as far as one can tell by its length. */
  readonly likelyFits: boolean;
  /** When its waiting began, by `performance.now()`. */
  readonly since: number;
}

/** How long own tools may take. */
const TOOLS_TIMEOUT_MS = 15_000;
/** A worker that has not heard of a cancellation after this time is in work that would never end. */
const HANGS_AFTER_MS = 10_000;

interface Waiting {
  readonly settle: (prepared: Sendable) => void;
  progress?: SendableProgress;
  isLate: boolean;
}

export function createPreparation(options: PreparationOptions): Preparation {
  const { deadlineMs, patienceMs, onRestart, onSummaryDue, ...settings } = options;
  const waiting = new Map<number, Waiting>();
  let nextId = 0;
  let isClosing = false;
  let isReady = false;
  let markReady = (): void => {};
  const ready = new Promise<void>((resolve) => {
    markReady = resolve;
  });
  let markClosed = (): void => {};
  const closed = new Promise<void>((resolve) => {
    markClosed = resolve;
  });
  const hanging = new Map<number, NodeJS.Timeout>();
  let worker = start();

  function start(): Worker {
    const file = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js";
    const started = new Worker(new URL(file, import.meta.url), { workerData: settings, execArgv: [] });
    started.unref();
    started.on("message", (message: FromWorker) => hear(message));
    started.on("error", (error) => restart(started, error.message));
    started.on("exit", () => restart(started, "The worker ended."));
    return started;
  }

  function restart(from: Worker, reason: string): void {
    if (isClosing) markClosed();
    if (isClosing || from !== worker) return;
    for (const timer of hanging.values()) clearTimeout(timer);
    hanging.clear();
    // One that never came up is not worth a hurry.
    const startAgain = (): void => {
      worker = start();
    };
    if (isReady) startAgain();
    else setTimeout(startAgain, 1_000).unref();
    isReady = false;
    for (const [id, { settle, progress }] of waiting) {
      waiting.delete(id);
      const text = progress?.fits ? progress.text : undefined;
      settle({ ...(text !== undefined && { text }), outcome: "failed-open", reason });
    }
    onRestart(reason);
  }

  function hear(message: FromWorker): void {
    if (message.type === "ready") {
      isReady = true;
      markReady();
    } else if (message.type === "closed") markClosed();
    else if (message.type === "cancelled") {
      clearTimeout(hanging.get(message.id));
      hanging.delete(message.id);
    } else {
      const asked = asking.get(message.id);
      if (asked && (message.type === "ran" || message.type === "kept-turn")) asked(message);
      const entry = waiting.get(message.id);
      if (!entry && message.type === "prepared" && message.prepared.due) onSummaryDue(message.prepared.due);
      if (!entry) return;
      if (message.type === "prepared") {
        waiting.delete(message.id);
        entry.settle(message.prepared);
      } else if (message.type === "progress") {
        entry.progress = message.progress;
        if (entry.isLate) giveUp(message.id, entry, message.progress.fits);
      }
    }
  }

  /** Past the deadline: sends what fits and cancels the rest. */
  function giveUp(id: number, { settle, progress }: Waiting, fits: boolean): void {
    if (!fits) return;
    waiting.delete(id);
    const { fits: _, ...known } = progress ?? {};
    settle({ ...known, outcome: "failed-open", reason: "The deadline was over." });
    tell({ type: "cancel", id });
    const current = worker;
    const timer = setTimeout(() => void current.terminate(), HANGS_AFTER_MS);
    timer.unref();
    hanging.set(id, timer);
  }

  function tell(message: ToWorker): void {
    worker.postMessage(message);
  }

  const asking = new Map<number, (answer: FromWorker) => void>();
  /** Undefined where no answer came in time. */
  const ask = (question: (id: number) => ToWorker): Promise<FromWorker | undefined> =>
    new Promise((resolve) => {
      const id = nextId++;
      const settle = (answer?: FromWorker): void => {
        clearTimeout(timer);
        asking.delete(id);
        resolve(answer);
      };
      const timer = setTimeout(settle, TOOLS_TIMEOUT_MS);
      asking.set(id, settle);
      tell(question(id));
    });

  return {
    ready,
    run: async (conversation, calls, fill) => {
      const answer = await ask((id) => ({ type: "run", id, conversation, calls, fill }));
      if (answer?.type === "ran") return answer.results;
      return calls.map((call) => ({
        call,
        text: `${call.name} took too long. Go on without it.`,
        isError: true,
      }));
    },
    keepTurn: async (turn) => {
      const answer = await ask((id) => ({ type: "keep-turn", id, turn }));
      return answer?.type === "kept-turn" ? answer.failure : "The worker did not answer.";
    },
    prepare: (job, { likelyFits, since }) =>
      new Promise((resolve) => {
        const id = nextId++;
        const timers: NodeJS.Timeout[] = [];
        const settle = (prepared: Sendable): void => {
          for (const timer of timers) clearTimeout(timer);
          resolve(prepared);
        };
        const entry: Waiting = { settle, isLate: false };
        waiting.set(id, entry);
        const at = (ms: number, act: () => void): void => {
          const left = Math.max(0, since + ms - performance.now());
          timers.push(setTimeout(() => waiting.has(id) && act(), left));
        };
        at(deadlineMs, () => {
          entry.isLate = true;
          giveUp(id, entry, entry.progress?.fits ?? likelyFits);
        });
        at(patienceMs, () => giveUp(id, entry, true));
        tell({ type: "prepare", id, job, sentAt: Date.now() });
      }),
    close: async () => {
      isClosing = true;
      tell({ type: "close" });
      const patience = setTimeout(() => void worker.terminate().then(markClosed), 2_000);
      await closed;
      clearTimeout(patience);
      await worker.terminate();
    },
  };
}
