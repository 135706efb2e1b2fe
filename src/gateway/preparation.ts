/** Preparation: bodies are prepared in a worker thread, and nobody waits for it longer than the deadline. */
import type { ContextFill } from "../agent-control/fill-note.ts";
import { startThread, type Thread } from "../threads/thread.ts";
import type { Job, OwnTurn, Prepared } from "./job.ts";
import type { OwnCall, OwnResult } from "./offered-tools.ts";
import type { SummaryJob } from "./summaries/summary-job.ts";
import type { SendableProgress, WorkerAnswers, WorkerSettings } from "./worker.ts";

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
  readonly run: (calls: readonly OwnCall[], of: RunOf) => Promise<readonly OwnResult[]>;
  /** Gives back why it failed, where it did. */
  readonly keepTurn: (turn: BodyTurn) => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

/** The request whose answer has the calls. */
export interface RunOf {
  /** Its name in the archive. */
  readonly conversation?: string | undefined;
  readonly fill?: ContextFill | undefined;
  /** By its messages the branch is known that recall is asked from. */
  readonly job?: BodyJob | undefined;
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
/** A worker that does not respond for so long after a cancellation is in work that would never end. */
const HANGS_AFTER_MS = 10_000;

/** How long a stop waits for the worker. */
const CLOSING_MS = 2_000;
/** One that never came up is not worth a hurry. */
const PAUSE_MS = 1_000;

export function createPreparation(options: PreparationOptions): Preparation {
  const { deadlineMs, patienceMs, onRestart, onSummaryDue, ...settings } = options;
  const { promise: ready, resolve: markReady } = Promise.withResolvers<void>();
  let isClosing = false;
  let worker = start();

  function start(): Thread<WorkerAnswers> {
    const started = startThread<WorkerAnswers>(import.meta.url, "worker", settings);
    let isReady = false;
    const cameUp = (): void => {
      isReady = true;
      markReady();
    };
    // One that does not come up ends, and is heard of by that.
    started.respond().then(cameUp, () => {});
    void started.ended.then((reason) => {
      if (isClosing) return;
      const startAgain = (): void => {
        worker = start();
      };
      if (isReady) startAgain();
      else setTimeout(startAgain, PAUSE_MS).unref();
      onRestart(reason);
    });
    return started;
  }

  const prepare: Preparation["prepare"] = (job, { likelyFits, since }) =>
    new Promise((resolve) => {
      const asked = worker;
      const cancel = new AbortController();
      const timers: NodeJS.Timeout[] = [];
      let progress: SendableProgress | undefined;
      let [isLate, isSettled] = [false, false];
      const settle = (prepared: Sendable): void => {
        isSettled = true;
        for (const timer of timers) clearTimeout(timer);
        resolve(prepared);
      };
      /** Past the deadline: sends what fits and cancels the rest. */
      const giveUp = (fits: boolean): void => {
        if (!fits || isSettled) return;
        const { fits: _, ...known } = progress ?? {};
        settle({ ...known, outcome: "failed-open", reason: "The deadline was over." });
        cancel.abort();
        endIfHanging(asked);
      };
      const at = (ms: number, act: () => void): void => {
        timers.push(setTimeout(act, Math.max(0, since + ms - performance.now())));
      };
      at(deadlineMs, () => {
        isLate = true;
        giveUp(progress?.fits ?? likelyFits);
      });
      at(patienceMs, () => giveUp(true));
      const hear = (told: SendableProgress): void => {
        progress = told;
        if (isLate) giveUp(told.fits);
      };
      asked.ask("prepare", { job, sentAt: Date.now() }, { signal: cancel.signal, hear }).then(
        (prepared) => {
          if (!isSettled) settle(prepared);
          else if (prepared.due) onSummaryDue(prepared.due);
        },
        ({ message: reason }: Error) => {
          if (isSettled) return;
          const text = progress?.fits ? progress.text : undefined;
          settle({ ...(text !== undefined && { text }), outcome: "failed-open", reason });
        },
      );
    });

  return {
    ready,
    prepare,
    run: async (calls, of) => {
      const none = calls.map((call) => ({
        call,
        text: `${call.name} took too long. Go on without it.`,
        isError: true,
      }));
      return await inTime(worker.ask("run", { calls, of })).catch(() => none);
    },
    keepTurn: (turn) =>
      inTime(worker.ask("keepTurn", turn)).then(
        () => undefined,
        ({ message }: Error) => message,
      ),
    close: async () => {
      isClosing = true;
      await worker.close(CLOSING_MS);
    },
  };
}

function endIfHanging(worker: Thread<WorkerAnswers>): void {
  const timer = setTimeout(() => void worker.terminate(), HANGS_AFTER_MS).unref();
  const clear = (): void => clearTimeout(timer);
  worker.respond().then(clear, clear);
}

function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("The worker did not answer.")), TOOLS_TIMEOUT_MS);
  return Promise.race([answer, tooLate]).finally(() => clearTimeout(timer));
}
