/** A worker thread that replays one recording after the other, at all windows and with all strategies. */
import { parentPort, workerData } from "node:worker_threads";
import { shippedPrices } from "../../src/replay/price-table.ts";
import { readRecording } from "../../src/replay/recording.ts";
import { replay } from "../../src/replay/replay.ts";
import { messageTokens } from "../measure/sizes.ts";
import type { ReplayRow } from "./row.ts";
import { actsFrom, replayStrategies } from "./strategies.ts";
import type { Stretch } from "./stretches.ts";

export interface ReplayWork {
  readonly windows: readonly number[];
  readonly strategies: readonly string[];
}

const { windows, strategies: names } = workerData as ReplayWork;
const strategies = replayStrategies.filter(({ name }) => names.includes(name));
/** `offloadOver` of the presets. */
const hugeTokens = 20_000;

parentPort!.on("message", async ({ id, source, messages }: Stretch) => {
  const recording = readRecording(messages, { format: "openai" });
  const hasHuge = messages.some((message) => message.role === "tool" && messageTokens(message) > hugeTokens);
  const rows: ReplayRow[] = [];
  for (const window of windows) {
    const own: ReplayRow[] = [];
    for (const strategy of strategies) {
      const [untouched] = own;
      const isIdle =
        untouched !== undefined &&
        !hasHuge &&
        untouched.failed === 0 &&
        untouched.largestPromptTokens < actsFrom(strategy.name) * (window - Math.min(8192, window / 8));
      const result = isIdle
        ? { ...untouched, strategy: strategy.name }
        : await replay(recording, strategy, { window, prices: shippedPrices, recall: true });
      own.push({ id, source, window, ...result });
    }
    rows.push(...own);
  }
  parentPort!.postMessage(rows);
});
