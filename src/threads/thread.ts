/** Threads: how one is started, asked, closed, and how it answers whoever started it. */
import { extname } from "node:path";
import { parentPort, Worker } from "node:worker_threads";
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
 */
export function startThread<Theirs extends Answers<Theirs>>(
  where: string,
  name: string,
  settings?: unknown,
  mine: object = {},
): Thread<Theirs> {
  const file = new URL(`./${name}${extname(where)}`, where);
  const worker = new Worker(file, { workerData: settings, execArgv: [] });
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
      await worker.terminate();
    },
    terminate: async (reason = ENDED) => {
      peer.end(reason);
      await worker.terminate();
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
