/** WorkerThread: a thread that prepares bodies. Another one takes its place where it ends or is stuck, not where it is busy. */
import { startThread, type Thread } from "../threads/thread.ts";
import type { WorkerAnswers, WorkerSettings } from "./worker.ts";

export interface WorkerThreadOptions {
  readonly settings: WorkerSettings;
  /** The heap that the thread may have. */
  readonly heapMB: number;
  /** A thread that has been at something for so long is looked at. */
  readonly stuckAfterMs: number;
  /** Nothing may take a thread longer than this. */
  readonly mostWorkMs: number;
  /** Since when the thread has been at what it has had longest, by `performance.now()`. */
  readonly busySince: () => number | undefined;
  readonly onReady: () => void;
  /** Hears that one did not come up. */
  readonly onUseless: (reason: string) => void;
  /** Hears that one ended and another takes its place. */
  readonly onRestart: (reason: string) => void;
}

export interface WorkerThread extends Pick<Thread<WorkerAnswers>, "ask"> {
  /** Settles when the first one can work. */
  readonly ready: Promise<void>;
  /** Whether it works, is starting, or did not come up and is left alone for a moment. */
  readonly state: () => "ready" | "starting" | "down";
  readonly close: () => Promise<void>;
}

/** How long one that did not come up is left alone. */
const PAUSE_MS = 1_000;
/** How long a stop waits for the worker. */
const CLOSING_MS = 2_000;
/** A large young generation only adds to the peak; see docs/decisions/memory.md. */
const YOUNG_MB = 32;

export function createWorkerThread(options: WorkerThreadOptions): WorkerThread {
  const { settings, heapMB, stuckAfterMs, mostWorkMs, busySince, onReady, onUseless, onRestart } = options;
  const { promise: ready, resolve: markReady } = Promise.withResolvers<void>();
  const limits = { maxOldGenerationSizeMb: heapMB, maxYoungGenerationSizeMb: YOUNG_MB };
  let isClosing = false;
  let state: "ready" | "starting" | "down" = "starting";
  let thread = start();

  function start(): Thread<WorkerAnswers> {
    state = "starting";
    const started = startThread<WorkerAnswers>(import.meta.url, "worker", settings, {}, limits);
    const cameUp = (): void => {
      state = "ready";
      markReady();
      onReady();
    };
    // One that does not come up ends, and is heard of by that.
    started.respond().then(cameUp, () => {});
    void started.ended.then((reason) => {
      if (isClosing) return;
      const isUseless = state !== "ready";
      state = "down";
      const startAgain = (): void => {
        thread = start();
      };
      if (isUseless) {
        setTimeout(startAgain, PAUSE_MS).unref();
        onUseless(reason);
      } else startAgain();
      onRestart(reason);
    });
    return started;
  }

  const watch = setInterval(async () => {
    const [watched, since] = [thread, busySince()];
    if (since === undefined || state !== "ready" || performance.now() - since < stuckAfterMs) return;
    if (performance.now() - since > mostWorkMs)
      watched.abandon(`The worker was at one thing for over ${mostWorkMs} ms.`);
    else if (!(await watched.isRunning(stuckAfterMs)))
      watched.abandon(`The worker was stuck for over ${stuckAfterMs} ms.`);
  }, stuckAfterMs / 4).unref();

  return {
    ready,
    state: () => state,
    ask: (...asked) => thread.ask(...asked),
    close: async () => {
      isClosing = true;
      clearInterval(watch);
      await thread.close(CLOSING_MS);
    },
  };
}
