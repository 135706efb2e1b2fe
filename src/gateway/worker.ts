/** The worker thread: prepares bodies, so that the thread that moves bytes is never kept waiting. */
import { setImmediate } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { ContextFill } from "../agent-control/fill-note.ts";
import { isPostgres, openArchive } from "../archive/open-archive.ts";
import { leaveWarningsOut } from "../report/warn-of-failure.ts";
import type { Job, Progress } from "./job.ts";
import { answerCalls, type OwnCall, type OwnResult } from "./offered-tools.ts";
import type { BodyJob, BodyTurn, Sendable } from "./preparation.ts";
import { createPreparer } from "./prepare.ts";
import type { OwnTools } from "./settings.ts";

export interface WorkerSettings {
  /** A file, `postgres://…` or `none`. */
  readonly archive: string;
  readonly preset: string;
  readonly window?: number | undefined;
  readonly reserve?: number | undefined;
  readonly archiveTimeoutMs: number;
  readonly archiveWriteTimeoutMs: number;
  readonly tools: OwnTools;
  /** Somebody writes summaries in the background. */
  readonly summarizes: boolean;
}

export type ToWorker =
  | { readonly type: "prepare"; readonly id: number; readonly job: BodyJob; readonly sentAt: number }
  | { readonly type: "cancel"; readonly id: number }
  | {
      readonly type: "run";
      readonly id: number;
      readonly conversation: string | undefined;
      readonly calls: readonly OwnCall[];
      readonly fill: ContextFill | undefined;
    }
  | { readonly type: "keep-turn"; readonly id: number; readonly turn: BodyTurn }
  | { readonly type: "close" };

export type FromWorker =
  | { readonly type: "ready" }
  | { readonly type: "progress"; readonly id: number; readonly progress: SendableProgress }
  | { readonly type: "prepared"; readonly id: number; readonly prepared: Sendable }
  | { readonly type: "ran"; readonly id: number; readonly results: readonly OwnResult[] }
  | { readonly type: "kept-turn"; readonly id: number; readonly failure?: string }
  /** The thread got to hear of a cancellation: it does not hang. */
  | { readonly type: "cancelled"; readonly id: number }
  | { readonly type: "closed" };

/** A job that comes so late had to wait for others. */
const BEHIND_MS = 10;

/** Without a text it is the job's own. */
export type SendableProgress = Omit<Progress, "text"> & { readonly text?: string };

if (parentPort) await serve(parentPort, workerData as WorkerSettings);

async function serve(port: NonNullable<typeof parentPort>, settings: WorkerSettings): Promise<void> {
  // The gateway logs what fails.
  leaveWarningsOut();
  const archive = await openArchive(settings.archive);
  const send = (message: FromWorker): void => port.postMessage(message);
  const preparer = createPreparer({
    ...settings,
    archive,
    isShared: isPostgres(settings.archive),
  });
  const underWay = new Set<number>();

  const prepare = async ({ id, job: given, sentAt }: ToWorker & { type: "prepare" }): Promise<void> => {
    underWay.add(id);
    // What waited behind other work may have been given up meanwhile: that stands behind it in the queue.
    if (Date.now() - sentAt > BEHIND_MS) await setImmediate();
    if (!underWay.has(id)) return;
    const job = withText(given);
    const changed = <Told extends { readonly text: string }>({ text, ...rest }: Told) =>
      text === job.text ? rest : { ...rest, text };
    const prepared = await preparer.prepare(job, async (progress) => {
      send({ type: "progress", id, progress: changed(progress) });
      // Lets a cancellation in before the long work.
      await setImmediate();
      if (!underWay.has(id)) throw new Error("The time was up before the work began.");
    });
    underWay.delete(id);
    send({ type: "prepared", id, prepared: changed(prepared) });
  };

  const run = async ({ id, conversation, calls, fill }: ToWorker & { type: "run" }): Promise<void> => {
    send({ type: "ran", id, results: await answerCalls(archive, conversation, calls, fill) });
  };

  const keepTurn = (id: number, { job, ...turn }: BodyTurn): Promise<void> =>
    preparer.keepTurn({ ...turn, job: withText(job) }).then(
      () => send({ type: "kept-turn", id }),
      (error: unknown) => send({ type: "kept-turn", id, failure: String(error) }),
    );

  port.on("message", (message: ToWorker) => {
    if (message.type === "prepare") void prepare(message);
    else if (message.type === "run") void run(message);
    else if (message.type === "keep-turn") void keepTurn(message.id, message.turn);
    else if (message.type === "cancel") {
      underWay.delete(message.id);
      send({ type: "cancelled", id: message.id });
    } else {
      const close = archive?.close?.() ?? Promise.resolve();
      void close.finally(() => {
        send({ type: "closed" });
        port.close();
      });
    }
  });
  send({ type: "ready" });
}

function withText({ bytes, ...job }: BodyJob): Job {
  return { ...job, text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8") };
}
