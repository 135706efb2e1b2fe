/**
 * npm run eval:lines: of the lines of all hand-offs, how many are a whole line, sentence or key/value of the source, or a
 * ledger line of a documented form? At least 95 % must be.
 */
import { parseArgs } from "node:util";
import { markdownTable } from "../figures/markdown-table.ts";
import { createProgressBar } from "../figures/progress-bar.ts";
import { fillMarkers } from "../figures/write-docs.ts";
import { runPool } from "../measure/pool.ts";
import { type CaseTask, caseTasks } from "../measure/tasks.ts";
import { chooseSources } from "../recordings/choose-sources.ts";
import type { CheckedHandoff } from "./lines-worker.ts";

const bar = 0.95;

const { values: flags } = parseArgs({
  options: {
    source: { type: "string" },
    sample: { type: "string" },
    preset: { type: "string", default: "balanced" },
    /** How many lines that are neither to print. */
    show: { type: "string", default: "20" },
    shipped: { type: "boolean", default: false },
    docs: { type: "boolean", default: false },
  },
});

const tasks = [
  ...caseTasks({
    ...chooseSources({ names: flags.source?.split(",") ?? [], shipped: flags.shipped }),
    seed: 1,
    ...(flags.sample !== undefined && { sample: Number(flags.sample) }),
  }),
];
const progress = createProgressBar(tasks.length);
const answers = await runPool<CaseTask, readonly CheckedHandoff[]>({
  script: new URL("./lines-worker.ts", import.meta.url),
  workerData: flags.preset,
  tasks,
  onDone: ({ source }, done) => progress.show(done, source),
});
progress.end();
const handoffs = answers.flat();
const lines = handoffs.flatMap((handoff) => handoff.lines);
const isWhole = ({ kind }: { kind: string }) => kind !== "neither";
const share = lines.filter(isWhole).length / Math.max(1, lines.length);
const below = handoffs.filter((each) => each.lines.filter(isWhole).length < each.lines.length * bar);

const told = `${(share * 100).toFixed(1)} % of ${lines.length} lines in ${handoffs.length} hand-offs; ${below.length} hand-offs are below ${bar * 100} % by themselves.

${bySection()}`;
process.stdout.write(`${told}\n`);
if (flags.docs) fillMarkers("lines", told);
for (const { case: id, target, section, line } of strays().slice(0, Number(flags.show)))
  process.stdout.write(`${id} (${target}), ${section}: ${JSON.stringify(line)}\n`);
if (share < bar) process.exitCode = 1;

function bySection(): string {
  const kinds = [...new Set(lines.map(({ kind }) => kind))].sort();
  const sections = Map.groupBy(lines, ({ section }) => section);
  return markdownTable([
    ["section", "lines", "whole, %", ...kinds],
    ...[...sections].map(([section, own]) => [
      section,
      String(own.length),
      ((own.filter(isWhole).length / own.length) * 100).toFixed(1),
      ...kinds.map((kind) => String(own.filter((line) => line.kind === kind).length)),
    ]),
  ]);
}

/** Lines that are neither, spread over all hand-offs. */
function strays() {
  const all = handoffs.flatMap(({ lines: own, ...rest }) =>
    own.filter((line) => !isWhole(line)).map((line) => ({ ...rest, ...line })),
  );
  const step = Math.max(1, Math.floor(all.length / Math.max(1, Number(flags.show))));
  return all.filter((_, order) => order % step === 0);
}
