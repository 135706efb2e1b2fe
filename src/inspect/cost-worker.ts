/** The thread in which a conversation is held again for its cost: minutes of work must not keep the inspector from answering. */
import { parentPort } from "node:worker_threads";
import { strategiesNamed } from "../replay/all-strategies.ts";
import { billFor } from "../replay/bill.ts";
import { type PriceTables, shippedPrices } from "../replay/price-table.ts";
import { readRecording } from "../replay/recording.ts";
import { type Replayed, replay } from "../replay/replay.ts";
import { answerStarter } from "../threads/thread.ts";
import type { StrategyCost } from "./views.ts";

export interface CostJob {
  readonly body: unknown;
  readonly format: string;
  readonly model?: string | undefined;
  readonly window: number;
  /** In the order in which they are done. */
  readonly strategies: readonly string[];
}

export type CostProgress =
  | { readonly type: "begun"; readonly requests: number; readonly tables: readonly string[] }
  | { readonly type: "strategy"; readonly cost: StrategyCost };

/** What it can be asked. */
export interface CostAnswers {
  readonly replay: (job: CostJob, tell: (progress: CostProgress) => void) => Promise<void>;
}

/** More than a plot can show. */
const MOST_POINTS = 400;

const replayEach: CostAnswers["replay"] = async ({ body, format, model, window, strategies }, tell) => {
  const recording = { ...readRecording(body, { format }), ...(model !== undefined && { model }) };
  const tables = Object.keys(shippedPrices);
  tell({ type: "begun", requests: recording.exchanges.length, tables });
  for (const name of strategies) {
    const [strategy] = strategiesNamed([name]);
    const replayed = await replay(recording, strategy!, { window, prices: shippedPrices, eachRequest: true });
    tell({ type: "strategy", cost: costOf(replayed, shippedPrices) });
  }
};

function costOf({ strategy, bills, billed = [], ...replayed }: Replayed, prices: PriceTables): StrategyCost {
  const { promptTokens, largestPromptTokens, outputTokens, compactions, failed } = replayed;
  const step = Math.max(1, billed.length / MOST_POINTS);
  const chosen = [
    ...new Set(billed.map((_, order) => Math.min(billed.length - 1, Math.floor(order * step)))),
  ];
  const byTable = <Value>(value: (name: string) => Value): Readonly<Record<string, Value>> =>
    Object.fromEntries(Object.keys(prices).map((name) => [name, value(name)]));
  const growing = (name: string): readonly number[] => {
    let total = 0;
    const totals = billed.map((request) => (total += billFor([request], prices[name]!).cost));
    return chosen.map((order) => totals[order]!);
  };
  return {
    name: strategy,
    cost: byTable((name) => bills[name]!.cost),
    cacheHits: byTable((name) => (promptTokens === 0 ? 0 : bills[name]!.cacheReadTokens / promptTokens)),
    promptTokens,
    largestPromptTokens,
    outputTokens,
    compactions,
    failed,
    points: {
      request: chosen,
      promptTokens: chosen.map((order) => billed[order]!.promptTokens),
      cost: byTable(growing),
    },
  };
}

if (parentPort) answerStarter<CostAnswers>({ replay: replayEach });
