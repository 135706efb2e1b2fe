/** npm run eval:said: how much of what people and the agent said is still there word for word. See docs/evaluation.md, "The judges". */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { markdownTable } from "../figures/markdown-table.ts";
import { createProgressBar } from "../figures/progress-bar.ts";
import { fillMarkers } from "../figures/write-docs.ts";
import { runPool } from "../measure/pool.ts";
import { type CaseTask, caseTasks } from "../measure/tasks.ts";
import type { WireMessage } from "../measure/wire-message.ts";
import { chooseSources } from "../recordings/choose-sources.ts";
import { jobId, measureSaid, type SaidRow } from "./measure-said.ts";
import { type Share, sumOf } from "./said.ts";
import type { SaidAnswer, SaidWork } from "./said-worker.ts";

const usage = `Usage: npm run eval:said -- [options] [NAME=RESULTS.jsonl …]
  NAME=RESULTS.jsonl   what another strategy made of the same jobs: lines of {"id", "messages"}
  --strategy a,b       strategies of npm run eval; default pith
  --source a,b         default coding-sessions, or the shipped example where there are no recordings
  --ratio 0.3,recorded only these sizes; default 0.3,0.1,0.03
  --sample N           N conversations of each source
  --shipped            the shipped example, even where the recordings are
  --results FILE       writes what the first strategy made, one line a job
  --json FILE          rows for machines
  --docs               writes the table into docs/evaluation.md
`;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    strategy: { type: "string", default: "pith" },
    source: { type: "string" },
    ratio: { type: "string", default: "0.3,0.1,0.03" },
    sample: { type: "string" },
    shipped: { type: "boolean", default: false },
    results: { type: "string" },
    json: { type: "string" },
    docs: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (flags.help) process.stdout.write(usage);
else await run();

async function run(): Promise<void> {
  const tasks = chosenTasks();
  const progress = createProgressBar(tasks.length);
  const work: SaidWork = { strategies: flags.strategy.split(","), keepsResults: flags.results !== undefined };
  const answers = await runPool<CaseTask, SaidAnswer>({
    script: new URL("./said-worker.ts", import.meta.url),
    workerData: work,
    tasks,
    onDone: ({ source }, done) => progress.show(done, source),
  });
  progress.end();
  const rows = [
    ...answers.flatMap((answer) => answer.rows),
    ...positionals.flatMap((named) => othersRows(named, tasks)),
  ];
  const table = tableOf(rows);
  process.stdout.write(`${table}\n`);
  if (flags.docs) fillMarkers("said", table);
  if (flags.json) writeFileSync(flags.json, `${JSON.stringify(rows, null, 1)}\n`);
  if (flags.results) {
    const lines = answers.flatMap(({ results }) => results).map((result) => JSON.stringify(result));
    writeFileSync(flags.results, `${lines.join("\n")}\n`);
  }
}

function chosenTasks(): readonly CaseTask[] {
  const named = flags.source?.split(",") ?? [];
  const all = chooseSources({ names: named, shipped: flags.shipped });
  const spoken = all.sources.filter(({ name }) => name === "coding-sessions");
  const sources = named.length > 0 || spoken.length === 0 ? all.sources : spoken;
  return [
    ...caseTasks({
      folder: all.folder,
      sources,
      seed: 1,
      ratios: flags.ratio.split(","),
      ...(flags.sample !== undefined && { sample: Number(flags.sample) }),
    }),
  ];
}

/** A job without a result is left out; one with an error holds nothing. */
function othersRows(named: string, tasks: readonly CaseTask[]): readonly SaidRow[] {
  const [strategy, file] = [named.slice(0, named.indexOf("=")), named.slice(named.indexOf("=") + 1)];
  if (strategy === "") throw new Error(`${named} is not NAME=RESULTS.jsonl.`);
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  const results = new Map(
    lines.map((line) => {
      const { id, messages } = JSON.parse(line) as { id: string; messages?: readonly WireMessage[] };
      return [id, messages] as const;
    }),
  );
  return tasks.flatMap(({ case: own }) =>
    own.targets
      .filter((target) => results.has(jobId(own, target)))
      .map((target) =>
        measureSaid({ case: own, target, strategy, messages: results.get(jobId(own, target)) }),
      ),
  );
}

function tableOf(rows: readonly SaidRow[]): string {
  const cells = [...Map.groupBy(rows, ({ strategy }) => strategy).values()].flatMap((own) =>
    [...Map.groupBy(own, ({ size }) => size).values()].sort(bySize),
  );
  return markdownTable([
    [
      "strategy",
      "size",
      "cases",
      "user's words, %",
      "agent's words, %",
      "last long answer whole, %",
      "over",
      "failed",
    ],
    ...cells.map((cell) => [
      cell[0]!.strategy,
      sizeName(cell[0]!.size),
      String(cell.length),
      percent(sumOf(cell.map(({ user }) => user))),
      percent(sumOf(cell.map(({ agent }) => agent))),
      percent(sumOf(cell.map(({ last }) => last))),
      String(cell.filter(({ outcome }) => outcome === "over").length),
      String(cell.filter(({ outcome }) => outcome === "failed").length),
    ]),
  ]);
}

/** From the largest size to the smallest, recorded ones last. */
function bySize([a]: readonly SaidRow[], [b]: readonly SaidRow[]): number {
  return rank(b!.size) - rank(a!.size);
}

function rank(size: string): number {
  return size === "recorded" ? 0 : Number(size);
}

function sizeName(size: string): string {
  return size === "recorded" ? "summary's size" : `${Number(size) * 100} %`;
}

function percent({ held, all }: Share): string {
  return all === 0 ? "–" : ((100 * held) / all).toFixed(1);
}
