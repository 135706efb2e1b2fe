/** A gateway whose memory can be asked for: started by the soak with --expose-gc, in a process of its own. */
import type { Worker } from "node:worker_threads";
import { gatewaySettings } from "../src/cli/gateway-command.ts";
import { startGateway } from "../src/gateway/gateway.ts";
import { createLog } from "../src/gateway/log.ts";

export interface SoakedMemory {
  readonly rss: number;
  /** Of the thread that moves the bytes, after a collection. */
  readonly heapUsed: number;
  /** Of the threads that compact, as it is. */
  readonly workerHeap: number;
}

const workers: Worker[] = [];
process.on("worker", (worker) => workers.push(worker));
const [upstream = "", archive = ""] = process.argv.slice(2);
const settings = gatewaySettings({ upstream: [upstream], archive, port: "0", window: "32000" });
const gateway = await startGateway(
  settings,
  createLog(() => {}),
);
process.on("message", async () => {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const heaps = await Promise.all(workers.map((worker) => worker.getHeapStatistics()));
  const workerHeap = heaps.reduce((sum, { used_heap_size: used }) => sum + used, 0);
  process.send?.({ rss, heapUsed, workerHeap } satisfies SoakedMemory);
});
process.send?.(gateway.url);
