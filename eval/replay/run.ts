/** npm run eval:replay: all recordings, replayed at four windows with every strategy; see docs/replay.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createProgressBar } from "../figures/progress-bar.ts";
import { seededRandom, shuffled } from "../figures/seeded-random.ts";
import { runPool } from "../measure/pool.ts";
import { chooseSources } from "../recordings/choose-sources.ts";
import type { ReplayWork } from "./replay-worker.ts";
import type { ReplayRow } from "./row.ts";
import { replayStrategies } from "./strategies.ts";
import { readStretches, type Stretch } from "./stretches.ts";
import { keyOf } from "./summed.ts";
import { replayTables } from "./tables.ts";
import { writeReplayDocs } from "./write-docs.ts";

const usage = `Usage: npm run eval:replay -- [options]
  --strategy a,b   only these; "nothing" is always among them
  --window a,b     only these windows; default 32000,64000,128000,200000
  --source a,b     only these sources
  --sample N       N recordings of each source
  --workers N      default one for each core
  --json FILE      rows for machines
  --from a,b       no replaying: the rows of earlier --json files
  --docs           writes the tables and the plot into docs/; with --presets FILE also the table of all presets, from the rows in it
  --presets FILE   rows of a run with every strategy, which may be of a sample: all of them take hours
`;

const { values: flags } = parseArgs({
  options: {
    strategy: { type: "string" },
    window: { type: "string", default: "32000,64000,128000,200000" },
    source: { type: "string" },
    sample: { type: "string" },
    workers: { type: "string" },
    json: { type: "string" },
    from: { type: "string" },
    docs: { type: "boolean", default: false },
    presets: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

if (flags.help) process.stdout.write(usage);
else await run();

async function run(): Promise<void> {
  const rows = flags.from ? once(listOf(flags.from).flatMap(readRows)) : await replayAll();
  if (flags.json) writeFileSync(flags.json, `${JSON.stringify(rows)}\n`);
  process.stdout.write(`${replayTables(rows)}\n`);
  if (flags.docs) writeReplayDocs(rows, flags.presets === undefined ? rows : readRows(flags.presets));
}

/** "nothing" is in every file. */
function once(rows: readonly ReplayRow[]): readonly ReplayRow[] {
  return [...new Map(rows.map((row) => [`${row.strategy}|${keyOf(row)}`, row])).values()];
}

function readRows(file: string): readonly ReplayRow[] {
  return JSON.parse(readFileSync(file, "utf8")) as readonly ReplayRow[];
}

async function replayAll(): Promise<readonly ReplayRow[]> {
  const { folder, sources } = chooseSources({ names: listOf(flags.source) });
  const wanted = listOf(flags.strategy);
  const strategies = replayStrategies
    .map(({ name }) => name)
    .filter((name) => wanted.length === 0 || name === "nothing" || wanted.includes(name));
  const tasks = sources.flatMap((source) => {
    const all = shuffled(readStretches(folder, source), seededRandom(1, source.name));
    return all.slice(0, flags.sample === undefined ? undefined : Number(flags.sample));
  });
  const progress = createProgressBar(tasks.length);
  const workerData: ReplayWork = { windows: listOf(flags.window).map(Number), strategies };
  const rows = await runPool<Stretch, readonly ReplayRow[]>({
    script: new URL("./replay-worker.ts", import.meta.url),
    workerData,
    tasks,
    onDone: ({ source }, done) => progress.show(done, source),
    ...(flags.workers !== undefined && { workers: Number(flags.workers) }),
  });
  progress.end();
  return rows.flat();
}

function listOf(flag: string | undefined): readonly string[] {
  return flag === undefined ? [] : flag.split(",").filter(Boolean);
}
