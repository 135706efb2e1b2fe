/** A worker thread that compacts one conversation at each size, and sees which of the user's words are still there. */
import { parentPort, workerData } from "node:worker_threads";
import type { PresetExpression } from "../../src/index.ts";
import { askingSentences, bindingSentences } from "../../src/salience/binding-sentences.ts";
import { createTokenCounter } from "../../src/tokens/counter.ts";
import { textOf } from "../measure/wire-message.ts";
import { pith } from "../strategies/pith.ts";
import type { WordsTask } from "./tasks.ts";

export interface WordsRow {
  readonly set: WordsTask["set"];
  readonly id: string;
  readonly ratio: number;
  readonly sentence: string;
  /** `refused`: the target is below the floor, and the conversation stays as it was. */
  readonly outcome: "kept" | "lost" | "refused";
}

const strategy = pith(workerData as PresetExpression);
const counter = createTokenCounter();

parentPort!.on("message", async (task: WordsTask) => parentPort!.postMessage(await checkTask(task)));

async function checkTask({ set, id, messages, targets, sentences }: WordsTask): Promise<readonly WordsRow[]> {
  const shrink = await strategy.prepare(messages);
  const rows: WordsRow[] = [];
  for (const { ratio, tokens } of targets) {
    const wanted = set === "latest ask" ? sentences.flatMap((ask) => askWithin(ask, tokens)) : sentences;
    let kept: string | undefined;
    try {
      kept = (await shrink(tokens)).map(textOf).join("\n");
    } catch {
      // Below the floor nothing is compacted, so nothing is lost: told as refused.
    }
    for (const sentence of wanted) {
      const outcome = kept === undefined ? "refused" : kept.includes(sentence) ? "kept" : "lost";
      rows.push({ set, id, ratio, sentence, outcome });
    }
  }
  return rows;
}

/** Whole when it takes at most a quarter of the target, otherwise its asking and binding sentences. */
function askWithin(ask: string, targetTokens: number): readonly string[] {
  if (counter.text(ask) <= targetTokens / 4) return [ask];
  return [...new Set([...askingSentences(ask), ...bindingSentences(ask)])];
}
