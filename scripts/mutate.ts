/**
 * Shows that the tests of a numbered behaviour fail when the behaviour is switched off: draws rows by seed, edits a copy
 * of the sources as scripts/mutations.ts says, and runs the tests that claim the row.
 *
 *     npm run mutate -- --seed 7 --count 30      npm run mutate -- --row F5      npm run mutate -- --check
 */
import { execFile } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { copyOfProject } from "./copy-of-project.ts";
import { listTests, projectRoot } from "./listed-tests.ts";
import { type Mutation, mutations } from "./mutations.ts";
import { whyUnreached } from "./reached.ts";
import { shuffle } from "./shuffle.ts";
import { specRows } from "./spec-rows.ts";

const { values: flags } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "30" },
    row: { type: "string", multiple: true },
    all: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
  },
});

const misfits = mutations.flatMap(misfitsOf);
for (const misfit of misfits) process.stderr.write(`${misfit}\n`);
const rows = new Set(mutations.map(({ row }) => row)).size;
process.stderr.write(
  `${mutations.length - misfits.length} of ${mutations.length} mutations, for ${rows} rows, fit the sources\n`,
);
if (misfits.length > 0) process.exit(1);
if (!flags.check) process.exitCode = (await survivors(draw())) > 0 ? 1 : 0;

/** A mutation that does not fit: its row is unknown, its text does not stand in the file exactly once, or no preset gets there. */
function misfitsOf({ row, file, find }: Mutation): readonly string[] {
  if (!specRows.some(({ number }) => number === row)) return [`${row} does not exist.`];
  const path = join(projectRoot, file);
  if (!existsSync(path)) return [`${row}: ${file} does not exist.`];
  const times = readFileSync(path, "utf8").split(find).length - 1;
  if (times !== 1) return [`${row}: ${JSON.stringify(find)} stands ${times} times in ${file}, not once.`];
  const why = whyUnreached(file, find);
  return why === undefined ? [] : [`${row}: ${why}: it proves no behaviour.`];
}

function draw(): readonly Mutation[] {
  if (flags.all) return mutations;
  if (flags.row) return mutations.filter(({ row }) => flags.row!.includes(row));
  const shuffled = shuffle(mutations, Number(flags.seed));
  const perRow = new Map(shuffled.map((mutation) => [mutation.row, mutation]));
  return [...perRow.values()].slice(0, Number(flags.count));
}

async function survivors(drawn: readonly Mutation[]): Promise<number> {
  const tests = await listTests();
  const workplaces = [copyOfProject(), copyOfProject()];
  const queue = [...drawn];
  let survived = 0;
  await Promise.all(
    workplaces.map(async (folder) => {
      for (let mutation = queue.shift(); mutation; mutation = queue.shift()) {
        const { row } = mutation;
        const files = [
          ...new Set(tests.filter(({ numbers }) => numbers.includes(row)).map(({ file }) => file)),
        ];
        const failed = files.length === 0 ? 0 : await failuresOf(mutation, folder, files);
        if (failed === 0) survived++;
        const verdict = failed > 0 ? `noticed by ${failed} test${failed > 1 ? "s" : ""}` : "SURVIVED";
        process.stdout.write(`${row.padEnd(4)} ${mutation.file.padEnd(44)} ${verdict}\n`);
      }
    }),
  );
  for (const folder of workplaces) rmSync(join(folder, ".."), { recursive: true });
  process.stdout.write(
    `${drawn.length - survived} of ${drawn.length} switched-off behaviours were noticed (seed ${flags.seed})\n`,
  );
  return survived;
}

async function failuresOf(
  { row, file, find, replace }: Mutation,
  folder: string,
  files: readonly string[],
): Promise<number> {
  const path = join(folder, file);
  const original = readFileSync(path, "utf8");
  const report = join(folder, "report.json");
  writeFileSync(
    path,
    original.replace(find, () => replace),
  );
  rmSync(report, { force: true });
  try {
    const vitest = join(folder, "node_modules/vitest/vitest.mjs");
    const pattern = `\\[[^\\]]*\\b${row}\\b`;
    const run = ["run", ...files, "-t", pattern, "--bail=1", "--reporter=json", `--outputFile=${report}`];
    await new Promise((done) =>
      execFile(process.execPath, [vitest, ...run], { cwd: folder, timeout: 120_000 }, done),
    );
    const { numFailedTests, numTotalTests } = JSON.parse(readFileSync(report, "utf8"));
    if (numTotalTests === 0)
      throw new Error(`${row}: with this mutation in place, ${file} does not even load.`);
    return numFailedTests;
  } finally {
    writeFileSync(path, original);
  }
}
