/** WaitingBodies: the bodies that one worker is to prepare: who is next, who has waited long enough, and who is shed. */
import { ClientGoneError } from "./faults.ts";
import type { BodyJob, Sendable, ShedReason, Wait } from "./preparation.ts";
import { GatewayRefusal } from "./refusals.ts";
import type { SummaryJob } from "./summaries/summary-job.ts";
import { createWorkQueue } from "./work-queue.ts";
import type { SendableProgress } from "./worker.ts";
import type { WorkerThread } from "./worker-thread.ts";

export interface WaitingBodiesOptions {
  readonly deadlineMs: number;
  readonly patienceMs: number;
  readonly thread: () => WorkerThread;
  /** Hears of a snapshot whose request nobody waits for any more. */
  readonly onSummaryDue: (job: SummaryJob) => void;
}

export interface WaitingBodies {
  /** Rejects with a GatewayRefusal where nothing can be sent, and where the client went. */
  readonly prepare: (job: BodyJob, waiting: Wait) => Promise<Sendable>;
  /** Gives the worker what it can take; to be called when it comes up. */
  readonly sendNext: () => void;
  /** No worker comes up, and nobody can tell what fits. */
  readonly failAll: (reason: string) => void;
  /** Since when the worker has been at what it has had longest. */
  readonly busySince: () => number | undefined;
  readonly length: () => number;
}

/** Requests that wait for one worker. */
const MOST_WAITING = 1_000;
/** Bodies that a worker looks at beside each other, and the bytes that they may have together. */
const MOST_LOOKS = 16;
const MOST_LOOKED_BYTES = 32_000_000;
/** What does not fit may wait for others' compactions for so many times the patience; agents wait ten minutes. */
const LINE_PATIENCE = 10;
/** What was lost with so many workers is not tried again: it may be what ended them. */
const MOST_LOSSES = 2;

const SHED: Readonly<Record<ShedReason, string>> = {
  deadline: "The deadline was over.",
  queue: "Too many requests wait.",
  memory: "Too many bodies are held.",
};

interface Entry {
  readonly job: BodyJob;
  readonly bytes: number;
  /** Only the first time counts. */
  readonly settle: (prepared: Sendable | Error) => void;
  isSettled: boolean;
  isDue: boolean;
  fits: boolean;
  isLate: boolean;
  /** Workers that ended while they had it. */
  losses: number;
  /** What can be sent, once it was looked at. */
  progress?: SendableProgress;
  /** When the worker got it. */
  sentAt?: number;
  /** Ends the patience with its compaction. */
  patience?: NodeJS.Timeout;
}

export function createWaitingBodies(options: WaitingBodiesOptions): WaitingBodies {
  const { deadlineMs, patienceMs, thread, onSummaryDue } = options;
  const queue = createWorkQueue<Entry>();
  const atWork = new Set<Entry>();

  const failOpen = ({ progress, settle }: Entry, reason: string, shed?: ShedReason): void => {
    const { fits: _, ...known } = progress ?? {};
    settle({ ...known, outcome: "failed-open", reason, ...(shed && { shed }) });
  };
  const shed = (entry: Entry, why: ShedReason): void => failOpen(entry, SHED[why], why);

  const send = (entry: Entry): void => {
    entry.sentAt = performance.now();
    atWork.add(entry);
    const { job, isDue: mayCompact } = entry;
    thread()
      .ask("prepare", { job, mayCompact })
      .then(
        (made) => hear(entry, made),
        ({ message }: Error) => hearLost(entry, message),
      )
      .finally(sendNext);
  };

  const hear = (entry: Entry, made: Sendable | SendableProgress): void => {
    atWork.delete(entry);
    if ("fits" in made) entry.isSettled || hearDue(entry, made);
    else if (!entry.isSettled) entry.settle(made);
    else if (made.due) onSummaryDue(made.due);
  };

  /** The worker is no more. */
  const hearLost = (entry: Entry, reason: string): void => {
    atWork.delete(entry);
    clearTimeout(entry.patience);
    if (entry.isSettled) return;
    entry.losses++;
    if (entry.losses < MOST_LOSSES) queue.add(entry);
    else failOpen(entry, reason);
  };

  /** Looks go beside each other and beside a compaction; there is one compaction at a time. */
  const sendNext = (): void => {
    if (thread().state() !== "ready") return;
    const [compactions, looks] = [[...atWork].filter(isDue), [...atWork].filter(isUnseen)];
    let bytes = looks.reduce((sum, look) => sum + look.bytes, 0);
    for (let count = looks.length; count < MOST_LOOKS && bytes < MOST_LOOKED_BYTES; count++) {
      const entry = queue.takeUnseen();
      if (!entry) break;
      bytes += entry.bytes;
      send(entry);
    }
    const due = compactions.length === 0 ? queue.takeDue() : undefined;
    if (!due) return;
    send(due);
    due.patience = setTimeout(() => failOpen(due, "The compaction took too long."), patienceMs);
  };

  const hearDue = (entry: Entry, progress: SendableProgress): void => {
    Object.assign(entry, { progress, fits: progress.fits, isDue: true });
    if (entry.isLate && entry.fits) shed(entry, "deadline");
    else queue.add(entry);
  };

  /** Whether one more may wait: in place of one that can go on without, or that one itself. */
  const hasRoom = ({ fits }: Entry): boolean => {
    if (queue.length() < MOST_WAITING) return true;
    const other = fits ? undefined : queue.sheddable();
    if (other) shed(other, "queue");
    return other !== undefined;
  };

  return {
    prepare: (job, { surelyFits, since, gone }) =>
      new Promise((resolve, reject) => {
        const timers: NodeJS.Timeout[] = [];
        const at = (ms: number, act: () => void): void => {
          timers.push(setTimeout(act, Math.max(0, since + ms - performance.now())));
        };
        const leave = (): void => entry.settle(new ClientGoneError());
        const settle = (prepared: Sendable | Error): void => {
          if (entry.isSettled) return;
          entry.isSettled = true;
          queue.remove(entry);
          gone.removeEventListener("abort", leave);
          for (const timer of [...timers, entry.patience]) clearTimeout(timer);
          if (prepared instanceof Error) reject(prepared);
          else resolve(prepared);
        };
        const entry: Entry = {
          job,
          bytes: job.bytes.length,
          settle,
          // What the provider refused was looked at before.
          isDue: job.overflow !== undefined,
          fits: surelyFits,
          isSettled: false,
          isLate: false,
          losses: 0,
        };
        if (gone.aborted) return leave();
        if (thread().state() === "down") return failOpen(entry, "No worker comes up.");
        if (!hasRoom(entry)) return surelyFits ? shed(entry, "queue") : settle(overloaded());
        gone.addEventListener("abort", leave, { once: true });
        at(deadlineMs, () => {
          entry.isLate = true;
          if (entry.fits) shed(entry, "deadline");
        });
        at(LINE_PATIENCE * patienceMs, () => {
          const isCompacted = entry.isDue && atWork.has(entry);
          if (!isCompacted) settle(overloaded());
        });
        queue.add(entry);
        sendNext();
      }),
    sendNext,
    failAll: (reason) => {
      for (const entry of queue.all()) failOpen(entry, reason);
    },
    busySince: () => atWork.values().next().value?.sentAt,
    length: queue.length,
  };
}

const isDue = (entry: Entry): boolean => entry.isDue;
const isUnseen = (entry: Entry): boolean => !entry.isDue;

function overloaded(): GatewayRefusal {
  return new GatewayRefusal("overloaded", "too much waits for its compaction. Try again in a while.");
}
