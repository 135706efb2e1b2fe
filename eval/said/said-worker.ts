/** A worker thread that compacts one case after the other to each of its sizes, and sees which words are still there. */
import { parentPort, workerData } from "node:worker_threads";
import type { CaseTask } from "../measure/tasks.ts";
import type { WireMessage } from "../measure/wire-message.ts";
import { namedStrategies } from "../strategies/all.ts";
import { jobId, measureSaid, type SaidRow } from "./measure-said.ts";

export interface SaidAnswer {
  readonly rows: readonly SaidRow[];
  /** What the first strategy made, where results are wanted. */
  readonly results: readonly { readonly id: string; readonly messages: readonly WireMessage[] | undefined }[];
}

export interface SaidWork {
  readonly strategies: readonly string[];
  readonly keepsResults: boolean;
}

const { strategies: names, keepsResults } = workerData as SaidWork;
const strategies = await Promise.all(
  namedStrategies(names).map(async ({ name, load }) => ({ name, strategy: await load() })),
);

parentPort!.on("message", async (task: CaseTask) => parentPort!.postMessage(await measure(task)));

async function measure({ case: own }: CaseTask): Promise<SaidAnswer> {
  const rows: SaidRow[] = [];
  const results: SaidAnswer["results"][number][] = [];
  for (const { name, strategy } of strategies) {
    const shrink = await strategy.prepare(own.past);
    for (const target of own.targets) {
      let messages: readonly WireMessage[] | undefined;
      try {
        messages = await shrink(target.tokens);
      } catch {
        // A target that cannot be reached leaves its agent without a context; the table counts it.
      }
      rows.push(measureSaid({ case: own, target, strategy: name, messages }));
      if (keepsResults && name === strategies[0]!.name) results.push({ id: jobId(own, target), messages });
    }
  }
  return { rows, results };
}
