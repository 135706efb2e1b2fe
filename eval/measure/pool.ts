/** A pool of worker threads: takes tasks one at a time, and gives the answers in the order of the tasks. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

export interface PoolOptions<Task> {
  /** The worker's file: it answers each message with one message. */
  readonly script: URL;
  /** What every worker is told at its start. */
  readonly workerData?: unknown;
  /** The environment of the workers. @default this process's */
  readonly env?: NodeJS.ProcessEnv;
  readonly tasks: Iterable<Task>;
  readonly onDone?: (task: Task, done: number) => void;
  /** @default one worker for each core */
  readonly workers?: number;
}

export async function runPool<Task, Answer>(options: PoolOptions<Task>): Promise<readonly Answer[]> {
  const { script, workerData, env = process.env, tasks, onDone, workers = availableParallelism() } = options;
  const answers: Answer[] = [];
  const queue = tasks[Symbol.iterator]();
  let started = 0;
  let done = 0;
  const runWorker = (): Promise<void> => {
    const worker = new Worker(script, { workerData, env });
    return new Promise<void>((resolve, reject) => {
      let current: { readonly order: number; readonly task: Task } | undefined;
      const takeNext = (): void => {
        const next = queue.next();
        current = next.done ? undefined : { order: started++, task: next.value };
        if (current) worker.postMessage(current.task);
        else worker.terminate().then(() => resolve(), reject);
      };
      worker.on("message", (answer: Answer) => {
        answers[current!.order] = answer;
        onDone?.(current!.task, ++done);
        takeNext();
      });
      worker.on("error", reject);
      worker.on("exit", () => current && reject(new Error("A worker ended before its task did.")));
      takeNext();
    });
  };
  await Promise.all(Array.from({ length: workers }, runWorker));
  return answers;
}
