/** The worker thread: prepares bodies, so that the thread that moves bytes is never kept waiting. */
import { parentPort, workerData } from "node:worker_threads";
import { isPostgres } from "../archive/is-postgres.ts";
import { openArchive } from "../archive/open-archive.ts";
import { leaveWarningsOut } from "../report/warn-of-failure.ts";
import { answerStarter } from "../threads/thread.ts";
import type { Job, JobProgress } from "./job.ts";
import { answerCalls, type OwnCall, type OwnResult } from "./offered-tools.ts";
import type { BodyJob, BodyTurn, RunOf, Sendable } from "./preparation.ts";
import { createPreparer } from "./prepare.ts";
import type { OwnTools } from "./settings.ts";
import type { GivenWindows } from "./windows.ts";

export interface WorkerSettings extends GivenWindows {
  /** A file, `postgres://…` or `none`. */
  readonly archive: string;
  readonly preset: string;
  readonly reserve?: number | undefined;
  readonly archiveTimeoutMs: number;
  readonly archiveWriteTimeoutMs: number;
  readonly tools: OwnTools;
  /** Somebody writes summaries in the background. */
  readonly summarizes: boolean;
}

/** What it can be asked. */
export interface WorkerAnswers {
  /** Without leave to compact, what is due for that is only looked at. Never rejects. */
  readonly prepare: (asked: {
    readonly job: BodyJob;
    readonly mayCompact: boolean;
  }) => Promise<Sendable | SendableProgress>;
  readonly fits: (job: BodyJob) => boolean;
  readonly run: (asked: {
    readonly calls: readonly OwnCall[];
    readonly of: RunOf;
  }) => Promise<readonly OwnResult[]>;
  readonly keepTurn: (turn: BodyTurn) => Promise<void>;
}

/** Without a text it is the job's own. */
export type SendableProgress = Omit<JobProgress, "text"> & { readonly text?: string };

if (parentPort) await serve(workerData as WorkerSettings);

async function serve(settings: WorkerSettings): Promise<void> {
  // The gateway logs what fails.
  leaveWarningsOut();
  const archive = await openArchive(settings.archive);
  const preparer = createPreparer({
    ...settings,
    archive,
    isShared: isPostgres(settings.archive),
  });

  const prepare: WorkerAnswers["prepare"] = async ({ job: given, mayCompact }) => {
    const job = withText(given);
    const { text, ...rest } = mayCompact ? await preparer.prepare(job) : await preparer.look(job);
    return text === job.text ? rest : { ...rest, text };
  };

  answerStarter<WorkerAnswers>({
    prepare,
    fits: (job) => preparer.fits(withText(job)),
    run: async ({ calls, of: { conversation, fill, job: given } }) => {
      const job = given && withText(given);
      const asking = job && (await preparer.asking(job));
      const mayAskOthers = job?.conversation !== undefined;
      return answerCalls(archive, calls, { conversation, fill, asking, mayAskOthers });
    },
    keepTurn: ({ job, ...turn }) => preparer.keepTurn({ ...turn, job: withText(job) }),
    close: () => archive?.close?.(),
  });
}

/** Without the byte order mark that some clients begin with: no JSON has one. */
function withText({ bytes, ...job }: BodyJob): Job {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return { ...job, text: text.startsWith("\ufeff") ? text.slice(1) : text };
}
