/** npm run eval:exam: what does a reader know who has only the compacted past? See docs/evaluation.md, "The judges". */
import { parseArgs } from "node:util";
import { dataFolder } from "../recordings/sources.ts";
import { examFolder } from "./exam.ts";
import { verbs } from "./verbs.ts";

const usage = `Usage: npm run eval:exam -- VERB …
  jobs FILE                     the pasts as \`pith compact --jsonl\` reads them, for other strategies
  compact OUT [NAME=RESULTS …]  compacts them with Pith, without a model, and writes every strategy's contexts into OUT
  papers OUT READERS            OUT/reader-K/exam.md: every case once, strategies rotated; as many readers as strategies read all once
  sheets OUT                    OUT/sheet-CASE.md: all answers, blind and shuffled, for one marker
  table OUT                     OUT/marks.json as tables
Options
  --cases A,B                   only these cases
  --ratio 0.1                   every target is this share of its past (jobs and compact)
  --times 1.3                   every target is so many times as large (jobs and compact)
  --written DIR                 also with a model that answers by hand (compact): DIR/CASE-…/prompt.md waits for answer.md beside it, and the
                                next run uses it; the recorded summary is one more answer
  --preset-threshold            no target: the default preset in a window that the past has just filled (jobs and compact)
  --exam DIR, --data DIR        where the questions and the recordings are; default ../shared/data/exam and ../shared/data
With PITH_READER_URL, PITH_READER_MODEL, PITH_READER_KEY and PITH_READER_API (openai or anthropic) papers are answered by that model,
with PITH_MARKER_… sheets are marked by that one.
`;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cases: { type: "string", default: "" },
    ratio: { type: "string" },
    times: { type: "string" },
    written: { type: "string" },
    "preset-threshold": { type: "boolean", default: false },
    exam: { type: "string", default: examFolder },
    data: { type: "string", default: dataFolder() ?? "." },
    help: { type: "boolean", default: false },
  },
});
const [verb, place, ...rest] = positionals;

if (flags.help) process.stdout.write(usage);
else if (verb === undefined || place === undefined || !Object.hasOwn(verbs, verb)) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else await run(verb, place);

async function run(named: string, where: string): Promise<void> {
  const options = {
    exam: flags.exam,
    data: flags.data,
    cases: flags.cases.split(",").filter(Boolean),
    ratio: flags.ratio === undefined ? undefined : Number(flags.ratio),
    times: flags.times === undefined ? undefined : Number(flags.times),
    written: flags.written,
    presetThreshold: flags["preset-threshold"],
    environment: process.env,
  };
  const { lines, failures = [] } = await verbs[named]!(options, where, rest);
  for (const line of lines) process.stdout.write(`${line}\n`);
  for (const failure of failures) process.stderr.write(`${failure}\n`);
  if (failures.length > 0) process.exitCode = 1;
}
