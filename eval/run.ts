/**
 * npm run eval: carry-forward recall of Pith over the recordings beside the checkout, or over the shipped example where there
 * are none. npm run eval:peers: the same with its peers. See docs/evaluation.md.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { figuresOf } from "./figures/figure.ts";
import { createProgressBar } from "./figures/progress-bar.ts";
import type { Row } from "./figures/row.ts";
import { figureTables } from "./figures/table.ts";
import { versusTable } from "./figures/versus.ts";
import { writeFigures } from "./figures/write-docs.ts";
import { runPool } from "./measure/pool.ts";
import { type CaseTask, caseTasks } from "./measure/tasks.ts";
import { chooseSources } from "./recordings/choose-sources.ts";
import { canRun, namedStrategies } from "./strategies/all.ts";

const usage = `Usage: npm run eval -- [options]
  --peers              every strategy: Pith, its presets, its peers and the naive ones
  --strategy a,b       only these strategies, or groups of them: pith, preset, peer, naive
  --source a,b         only these sources
  --ratio 0.3,recorded only these sizes
  --sample N           N conversations of each source, drawn by the seed
  --held-out           only conversations that were kept apart
  --shipped            the shipped example, even where the recordings are
  --seed N             for the draw and the confidence intervals; default 1
  --json FILE          figures and rows for machines
  --from a,b           no measuring: the rows of earlier --json files, of the same case the last one's
  --docs               writes the tables and the plots into docs/
`;

interface Measured {
  readonly seed: number;
  readonly rows: readonly Row[];
}

const { values: flags } = parseArgs({
  options: {
    peers: { type: "boolean", default: false },
    strategy: { type: "string" },
    source: { type: "string" },
    ratio: { type: "string" },
    sample: { type: "string" },
    "held-out": { type: "boolean", default: false },
    shipped: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    json: { type: "string" },
    from: { type: "string" },
    docs: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const isPart =
  flags["held-out"] ||
  [flags.source, flags.ratio, flags.sample, flags.strategy].some((flag) => flag !== undefined);

if (flags.help) process.stdout.write(usage);
else if (flags.docs && (isPart || flags.shipped)) throw new Error("--docs is for whole runs only.");
else await evaluate();

async function evaluate(): Promise<void> {
  const { seed, rows } = flags.from ? joined(listOf(flags.from).map(readMeasured)) : await measure();
  const figures = figuresOf(rows, seed);
  const versus = versusTable(rows, seed);
  process.stdout.write(`${figureTables(figures)}\n\n${versus}\n`);
  if (flags.json) writeFileSync(flags.json, `${JSON.stringify({ seed, figures, rows }, null, 1)}\n`);
  if (flags.docs) writeFigures(figures, versus);
}

function readMeasured(file: string): Measured {
  return JSON.parse(readFileSync(file, "utf8")) as Measured;
}

/** Peers do not change when Pith does: their rows can be taken from an earlier run. */
function joined(runs: readonly Measured[]): Measured {
  const rows = runs.flatMap((run) => run.rows);
  const keyOf = (row: Row) => `${row.source}|${row.case}|${row.kind}|${row.strategy}`;
  return { seed: runs[0]!.seed, rows: [...new Map(rows.map((row) => [keyOf(row), row])).values()] };
}

async function measure(): Promise<Measured> {
  const seed = Number(flags.seed);
  const chosen = chooseSources({ names: listOf(flags.source), shipped: flags.shipped });
  const wanted = namedStrategies(strategyNames());
  const strategies = wanted.filter(canRun).map(({ name }) => name);
  const missing = wanted.filter((strategy) => !canRun(strategy)).map(({ name }) => name);
  if (missing.length > 0)
    process.stderr.write(
      `Not installed, left out: ${missing.join(", ")} (npm run eval:peers installs them)\n`,
    );
  process.stderr.write(`${chosen.sources.length} sources, strategies: ${strategies.join(", ")}\n`);

  const startedAt = Date.now();
  const tasks = [
    ...caseTasks({
      ...chosen,
      seed,
      heldOut: flags["held-out"],
      ratios: listOf(flags.ratio),
      ...(flags.sample !== undefined && { sample: Number(flags.sample) }),
    }),
  ];
  const progress = createProgressBar(tasks.length);
  const answers = await runPool<CaseTask, readonly Row[]>({
    script: new URL("./measure/measure-worker.ts", import.meta.url),
    workerData: strategies,
    tasks,
    onDone: ({ source }, done) => progress.show(done, source),
  });
  progress.end();
  process.stderr.write(`${tasks.length} cases in ${((Date.now() - startedAt) / 1000).toFixed(0)} s\n`);
  return { seed, rows: answers.flat() };
}

function strategyNames(): readonly string[] {
  if (flags.strategy) return listOf(flags.strategy);
  return flags.peers ? ["pith", "preset", "peer", "naive"] : ["pith", "naive"];
}

function listOf(flag: string | undefined): readonly string[] {
  return flag === undefined ? [] : flag.split(",").filter(Boolean);
}
