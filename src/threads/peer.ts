/** Peers: two threads that ask each other. A question, what is told on the way, one answer; and a cancellation at any time. */

/** Answers one kind of question. It may tell something on the way; the signal says that the asker gave the question up. */
type Answering = (question: never, tell: never, signal: AbortSignal) => unknown;

/** What a thread can be asked, by name: an interface of functions. */
export type Answers<Of> = { readonly [Name in keyof Of]: Answering };

export interface Peer<Of extends Answers<Of>> {
  /**
   * Rejects if answering failed, or the other thread ended. A question that is given up by its signal is still answered:
   * with what was found until then, or why nothing was.
   */
  readonly ask: <Name extends keyof Of & string>(
    name: Name,
    question: Parameters<Of[Name]>[0],
    options?: { readonly signal?: AbortSignal; readonly hear?: Parameters<Of[Name]>[1] },
  ) => Promise<Awaited<ReturnType<Of[Name]>>>;
  /** Asks without waiting for an answer. */
  readonly tell: <Name extends keyof Of & string>(name: Name, question: Parameters<Of[Name]>[0]) => void;
  /** The other thread is gone: what it asked is cancelled, and what it was asked fails, now and from now on. */
  readonly end: (reason: string) => void;
}

/** One end of a channel: a Worker, or a thread's own `parentPort`. */
interface Port {
  readonly postMessage: (message: Message) => void;
  readonly on: (event: "message", hear: (message: Message) => void) => unknown;
}

/** The asker counts its questions: "ask" and "cancel" have its number, the other three the one that they answer. */
type Message =
  | { readonly type: "ask"; readonly id?: number; readonly name: string; readonly question: unknown }
  | { readonly type: "cancel"; readonly id: number }
  | { readonly type: "told"; readonly id: number; readonly told: unknown }
  | { readonly type: "answer"; readonly id: number; readonly answer: unknown }
  | { readonly type: "failure"; readonly id: number; readonly reason: string };

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly hear: ((told: unknown) => void) | undefined;
}

export function createPeer<Theirs extends Answers<Theirs>>(port: Port, mine: object): Peer<Theirs> {
  const waiting = new Map<number, Waiting>();
  const underWay = new Map<number, AbortController>();
  let nextId = 0;
  let endedBy: string | undefined;

  const answeringOf = (name: string) =>
    (
      mine as Record<
        string,
        (question: unknown, tell: (told: unknown) => void, signal: AbortSignal) => unknown
      >
    )[name]!;

  const answer = async (id: number, name: string, question: unknown): Promise<void> => {
    const cancelled = new AbortController();
    underWay.set(id, cancelled);
    const tell = (told: unknown): void => port.postMessage({ type: "told", id, told });
    try {
      port.postMessage({
        type: "answer",
        id,
        answer: await answeringOf(name)(question, tell, cancelled.signal),
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      port.postMessage({ type: "failure", id, reason });
    } finally {
      underWay.delete(id);
    }
  };

  port.on("message", (message) => {
    if (message.type === "ask") {
      const { id, name, question } = message;
      if (id !== undefined) void answer(id, name, question);
      else answeringOf(name)(question, () => {}, new AbortController().signal);
    } else if (message.type === "cancel") underWay.get(message.id)?.abort();
    else if (message.type === "told") waiting.get(message.id)?.hear?.(message.told);
    else {
      const asked = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.type === "answer") asked?.resolve(message.answer);
      else asked?.reject(new Error(message.reason));
    }
  });

  const ask = (name: string, question: unknown, { signal, hear }: AskOptions = {}): Promise<unknown> => {
    if (endedBy !== undefined) return Promise.reject(new Error(endedBy));
    const id = nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    waiting.set(id, { resolve, reject, hear });
    port.postMessage({ type: "ask", id, name, question });
    signal?.addEventListener("abort", () => port.postMessage({ type: "cancel", id }), { once: true });
    return promise;
  };

  return {
    ask: ask as Peer<Theirs>["ask"],
    tell: (name, question) => port.postMessage({ type: "ask", name, question }),
    end: (reason) => {
      endedBy ??= reason;
      for (const cancelled of underWay.values()) cancelled.abort();
      for (const { reject } of waiting.values()) reject(new Error(reason));
      waiting.clear();
    },
  };
}

interface AskOptions {
  readonly signal?: AbortSignal;
  readonly hear?: (told: unknown) => void;
}
