/** Preparation: bodies are prepared in a worker thread; what can go on without waits no longer than the deadline. */
import type { ContextFill } from "../agent-control/fill-note.ts";
import type { Job, OwnTurn, Prepared } from "./job.ts";
import type { OwnCall, OwnResult } from "./offered-tools.ts";
import type { SummaryJob } from "./summaries/summary-job.ts";
import { createWaitingBodies } from "./waiting-bodies.ts";
import type { WorkerSettings } from "./worker.ts";
import { createWorkerThread, type WorkerThread } from "./worker-thread.ts";

export interface PreparationOptions extends WorkerSettings {
  /** How long a request waits for its body; past it, what fits is sent. */
  readonly deadlineMs: number;
  /** How long a compaction may take where nothing fits without it. */
  readonly patienceMs: number;
  /** A worker that is silent for so long, and inside native code, is replaced. */
  readonly stuckAfterMs: number;
  /** The heap that the worker may have. */
  readonly heapMB: number;
  /** Hears that a worker died or was stuck and another one took its place. */
  readonly onRestart: (reason: string) => void;
  /** Hears of a snapshot that a summary should be written of, where nobody waits for its request any more. */
  readonly onSummaryDue: (job: SummaryJob) => void;
}

export interface Preparation {
  /** Settles when the worker can work. */
  readonly ready: Promise<void>;
  /** Rejects with a GatewayRefusal where nothing can be sent, and where the client went. */
  readonly prepare: (job: BodyJob, waiting: Wait) => Promise<Sendable>;
  /** Whether a body is within its model's window as it came. Never rejects; what nobody knows the window of does not fit. */
  readonly fits: (job: BodyJob) => Promise<boolean>;
  /** The answers to calls of own tools. Never rejects. */
  readonly run: (calls: readonly OwnCall[], of: RunOf) => Promise<readonly OwnResult[]>;
  /** Gives back why it failed, where it did. */
  readonly keepTurn: (turn: BodyTurn) => Promise<string | undefined>;
  /** How many requests wait for a worker. */
  readonly waiting: () => number;
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
export type Sendable = Omit<Prepared, "text"> & {
  readonly text?: string;
  /** Why it was not prepared, where there was too much to do. */
  readonly shed?: ShedReason;
};

/** The time was up, too many waited, or too many bytes were held. */
export type ShedReason = "deadline" | "queue" | "memory";

/** How a request waits. */
export interface Wait {
  /** Whether it fits the window as it is, whatever is in it. */
  readonly surelyFits: boolean;
  /** When its waiting began, by `performance.now()`. */
  readonly since: number;
  /** The client's going. */
  readonly gone: AbortSignal;
}

/** How long a question besides may take, such as a call of an own tool. */
const TOOLS_TIMEOUT_MS = 15_000;

export function createPreparation(options: PreparationOptions): Preparation {
  const { deadlineMs, patienceMs, stuckAfterMs, heapMB, onRestart, onSummaryDue, ...settings } = options;
  const bodies = createWaitingBodies({ deadlineMs, patienceMs, thread: () => thread, onSummaryDue });
  const thread: WorkerThread = createWorkerThread({
    settings,
    heapMB,
    stuckAfterMs,
    mostWorkMs: 2 * patienceMs,
    busySince: bodies.busySince,
    onReady: bodies.sendNext,
    onUseless: bodies.failAll,
    onRestart,
  });

  return {
    ready: thread.ready,
    prepare: bodies.prepare,
    fits: (job) => inTime(thread.ask("fits", job)).catch(() => false),
    run: async (calls, of) => {
      const none = calls.map((call) => ({
        call,
        text: `${call.name} took too long. Go on without it.`,
        isError: true,
      }));
      return await inTime(thread.ask("run", { calls, of })).catch(() => none);
    },
    keepTurn: (turn) =>
      inTime(thread.ask("keepTurn", turn)).then(
        () => undefined,
        ({ message }: Error) => message,
      ),
    waiting: bodies.length,
    close: thread.close,
  };
}

function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("The worker did not answer.")), TOOLS_TIMEOUT_MS);
  return Promise.race([answer, tooLate]).finally(() => clearTimeout(timer));
}
