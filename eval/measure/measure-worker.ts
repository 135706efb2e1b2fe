/** A worker thread that measures one case after the other. */
import { parentPort, workerData } from "node:worker_threads";
import { namedStrategies } from "../strategies/all.ts";
import type { Strategy } from "../strategies/strategy.ts";
import type { Case } from "./cases.ts";
import { measureCase } from "./measure-case.ts";

export interface MeasureTask {
  readonly source: string;
  readonly case: Case;
}

const strategies = new Map<string, Strategy>();
for (const { name, load } of namedStrategies(workerData as readonly string[]))
  strategies.set(name, await load());

parentPort!.on("message", async (task: MeasureTask) => {
  parentPort!.postMessage(await measureCase({ ...task, strategies }));
});
