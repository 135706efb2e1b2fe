/**
 * npm run eval:constraints: do the latest ask and the user's constraints stand in the compacted conversation to the letter?
 * The constraints were labelled by reading recordings (labelled.jsonl) or are planted in recordings (planted.jsonl, planted-otherwise.jsonl).
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { markdownTable } from "../figures/markdown-table.ts";
import { createProgressBar } from "../figures/progress-bar.ts";
import { fillMarkers } from "../figures/write-docs.ts";
import { runPool } from "../measure/pool.ts";
import { type WordsTask, wordsTasks } from "./tasks.ts";
import type { WordsRow } from "./words-worker.ts";

const { values: flags } = parseArgs({
  options: {
    preset: { type: "string", default: "balanced" },
    shipped: { type: "boolean", default: false },
    /** Only one set: labelled, planted, "planted otherwise" or "latest ask". */
    set: { type: "string" },
    json: { type: "string" },
    docs: { type: "boolean", default: false },
  },
});

const tasks = wordsTasks({ shipped: flags.shipped }).filter(({ set }) => !flags.set || set === flags.set);
const progress = createProgressBar(tasks.length);
const answers = await runPool<WordsTask, readonly WordsRow[]>({
  script: new URL("./words-worker.ts", import.meta.url),
  workerData: flags.preset,
  tasks,
  onDone: ({ set }, done) => progress.show(done, set),
});
progress.end();
const rows = answers.flat();
const lost = rows.filter(({ outcome }) => outcome === "lost");

const table = summary();
process.stdout.write(`${table}\n${missesText()}`);
if (flags.docs) fillMarkers("constraints", table);
if (flags.json) writeFileSync(flags.json, `${JSON.stringify(rows, null, 1)}\n`);
if (lost.length > 0) process.exitCode = 1;

function summary(): string {
  const cells = Map.groupBy(rows, ({ set, ratio }) => `${set}|${ratio}`);
  return markdownTable([
    ["what", "size", "asked for", "kept", "lost", "refused", "kept of those compacted, %"],
    ...[...cells.values()].map((cell) => {
      const count = (outcome: string) => cell.filter((row) => row.outcome === outcome).length;
      const compacted = count("kept") + count("lost");
      const share = compacted === 0 ? "" : ((count("kept") / compacted) * 100).toFixed(1);
      const { set, ratio } = cell[0]!;
      return [
        set,
        `${ratio * 100} %`,
        ...[cell.length, count("kept"), count("lost"), count("refused")].map(String),
        share,
      ];
    }),
  ]);
}

/** Each lost sentence once, with the sizes at which it was lost. */
function missesText(): string {
  const misses = Map.groupBy(lost, ({ set, id, sentence }) => `${set}: ${JSON.stringify(sentence)} (${id})`);
  return [...misses]
    .map(([what, own]) => `${what} at ${own.map(({ ratio }) => ratio).join(", ")}\n`)
    .join("");
}
