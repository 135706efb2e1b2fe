/** npm run judge: what a package still holds after a compaction, in one table; see docs/evaluation.md, "The quick judge". */
import { parseArgs } from "node:util";
import { dataFolder } from "../recordings/sources.ts";
import { judges } from "./judges.ts";
import { checkout, packageAt } from "./package.ts";
import { type JudgeRun, runJudge, runJudgeOnce } from "./run-judge.ts";
import { type Column, judgeTable } from "./table.ts";

const usage = `Usage: npm run judge -- [options] [JUDGE …]
  JUDGE          ${Object.keys(judges).join(", ")}; default all of them
  --at COMMIT    that commit's package beside this checkout's, and the difference
  --engine       this checkout with PITH_ENGINE=1
  --at-engine    the commit with PITH_ENGINE=1
  --row NAME     one figure, with the interval of one that is looked at alone: a row, or all rows whose names begin so
  --dump DIR     writes what this checkout makes of conversations that may be read
`;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    at: { type: "string" },
    engine: { type: "boolean", default: false },
    "at-engine": { type: "boolean", default: false },
    row: { type: "string" },
    dump: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

if (flags.help) process.stdout.write(usage);
else await run();

async function run(): Promise<void> {
  const unknown = positionals.filter((name) => !Object.hasOwn(judges, name));
  if (unknown.length > 0) throw new Error(`No judge ${unknown.join(", ")}.\n${usage}`);
  const names = Object.keys(judges).filter((name) => positionals.length === 0 || positionals.includes(name));
  const data = dataFolder();
  if (data === undefined)
    process.stderr.write("NO RECORDINGS in ../shared/data: only what is made up is judged.\n");
  const engine = flags.engine ? "1" : undefined;
  const beside = flags.at === undefined ? undefined : packageAt(flags.at);
  const ours = await column(names, { judged: checkout(), engine, data, dump: flags.dump }, runJudge);
  const columns = [ours];
  if (beside) {
    const engineBeside = flags["at-engine"] ? "1" : undefined;
    columns.push(await column(names, { judged: beside, engine: engineBeside, data }, runJudgeOnce));
  }
  process.stdout.write(`${judgeTable(columns, { row: flags.row })}\n`);
}

async function column(
  names: readonly string[],
  run: Omit<JudgeRun, "judge">,
  judgeWith: typeof runJudge,
): Promise<Column> {
  const startedAt = performance.now();
  const found = [];
  for (const judge of names) found.push(await judgeWith({ ...run, judge }));
  const notes = found.flatMap((each) => each.notes);
  const name = run.engine ? `${run.judged.name}, engine` : run.judged.name;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  process.stderr.write(`${name}: ${seconds} s\n${notes.map((note) => `  ${note}\n`).join("")}`);
  return { name, scores: found.flatMap(({ scores }) => scores) };
}
