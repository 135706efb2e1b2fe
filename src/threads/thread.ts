/** Threads: how one is started, asked, closed, and how it answers whoever started it. */
import { extname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, type ResourceLimits, Worker } from "node:worker_threads";
import { type Answers, createPeer, type Peer } from "./peer.ts";

export interface Thread<Of extends Answers<Of>> extends Pick<Peer<Of>, "ask" | "tell"> {
  /** Whether it answers yet, or still: settles when it does. Rejects if it ends before. */
  readonly respond: () => Promise<void>;
  /** Why it ended, once it has. */
  readonly ended: Promise<string>;
  /** Lets it finish what `close` of its answers does, at most for so long. */
  readonly close: (patienceMs: number) => Promise<void>;
  /** At once; what it was asked fails with the reason. */
  readonly terminate: (reason?: string) => Promise<void>;
  /** The same for one that may never end: it counts as ended now. */
  readonly abandon: (reason: string) => void;
  /** Whether it runs JavaScript, however busy; one that is stuck in native code does not for so long. */
  readonly isRunning: (withinMs: number) => Promise<boolean>;
}

/** What every thread answers. */
interface EveryThread {
  readonly respond: (nothing: undefined) => void;
  readonly close: (nothing: undefined) => Promise<void> | void;
}

const ENDED = "The thread ended.";

/**
 * @param where `import.meta.url` of the caller, beside whose file the thread's is
 * @param name its name without an extension: it is `.ts` in the sources and `.js` in the package
 * @param mine what the thread may ask
 * @param resourceLimits of its heap
 */
export function startThread<Theirs extends Answers<Theirs>>(
  where: string,
  name: string,
  settings?: unknown,
  mine: object = {},
  resourceLimits: ResourceLimits = {},
): Thread<Theirs> {
  const file = new URL(`./${name}${extname(where)}`, where);
  const worker = new Worker(file, { workerData: settings, execArgv: [], resourceLimits });
  worker.unref();
  const peer = createPeer<Theirs & EveryThread>(worker, mine);
  const every = peer as Peer<EveryThread>;
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  let failure = ENDED;
  worker.on("error", (error) => {
    failure = error.message;
  });
  worker.on("exit", () => {
    peer.end(failure);
    resolve(failure);
  });
  return {
    ask: peer.ask as Peer<Theirs>["ask"],
    tell: peer.tell as Peer<Theirs>["tell"],
    respond: () => every.ask("respond", undefined),
    ended,
    close: async (patienceMs) => {
      const { promise: over, resolve: stop } = Promise.withResolvers<void>();
      const patience = setTimeout(stop, patienceMs);
      every.ask("close", undefined).then(stop, () => stop());
      await over;
      clearTimeout(patience);
      // One that is stuck in native code ends when that does.
      await Promise.race([worker.terminate(), sleep(patienceMs, undefined, { ref: false })]);
    },
    terminate: async (reason = ENDED) => {
      peer.end(reason);
      await worker.terminate();
    },
    abandon: (reason) => {
      peer.end(reason);
      resolve(reason);
      void worker.terminate();
    },
    isRunning: async (withinMs) => {
      // In Node 22.16 and later; before, nobody can tell.
      if (typeof worker.getHeapStatistics !== "function") return true;
      const { promise: late, resolve: giveUp } = Promise.withResolvers<boolean>();
      const timer = setTimeout(giveUp, withinMs, false);
      // Where it has ended, that is told by itself.
      const answered = worker.getHeapStatistics().then(
        () => true,
        () => true,
      );
      return Promise.race([answered, late]).finally(() => clearTimeout(timer));
    },
  };
}

/** In a thread: answers whoever started it, and can ask it. */
export function answerStarter<Mine extends Answers<Mine>, Theirs extends Answers<Theirs> = object>(
  mine: Mine & Partial<Pick<EveryThread, "close">>,
): Peer<Theirs> {
  const every: EveryThread = { respond: () => {}, close: () => {} };
  return createPeer<Theirs>(parentPort!, { ...every, ...mine });
}
