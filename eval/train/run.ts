/** npm run train: learns from the recordings which specifics are needed again, and writes the weights that the digest uses. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { FEATURES } from "../../src/handoff/specific-features.ts";
import { type BoostedTrees, compileTrees } from "../../src/salience/boosted-trees.ts";
import { dataFolder, readSource, sources } from "../recordings/sources.ts";
import { type Example, examplesOf } from "./examples.ts";
import { type GrowOptions, growTrees } from "./grow-trees.ts";
import { qualityOf } from "./quality.ts";
import { trainingRows } from "./rows.ts";

const usage = `Usage: npm run train -- [options]
  --groups             also trained without each group of conversations, and measured on it
  --features           also trained without each feature
  --dry-run            no weights are written
`;

const { values: flags } = parseArgs({
  options: {
    groups: { type: "boolean", default: false },
    features: { type: "boolean", default: false },
    "dry-run": { type: "boolean", default: false },
    options: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

/** Benchmarks are not trained on (shared/data/README.md). */
const trainedOn = ["coding-sessions", "derived-openai"];
const growOptions: GrowOptions = {
  trees: 40,
  depth: 3,
  rate: 0.15,
  minHessian: 1,
  lambda: 5,
  ...JSON.parse(flags.options ?? "{}"),
};
const shares = [0.12, 0.2, 0.4, 0.6];
const weightsFile = join(import.meta.dirname, "../../src/handoff/specific-weights.json");

if (flags.help) process.stdout.write(usage);
else train();

function train(): void {
  const folder = dataFolder();
  if (folder === undefined) throw new Error("There are no recordings beside the checkout to train on.");
  const examples = sources
    .filter(({ name }) => trainedOn.includes(name))
    .flatMap((source) => [...examplesOf(source.name, readSource(folder, source))]);
  const rowsCount = examples.reduce((sum, { labels }) => sum + labels.length, 0);
  process.stderr.write(`${examples.length} pasts, ${rowsCount} specifics\n`);
  const [seen, heldOut] = [examples.filter((each) => !each.heldOut), examples.filter((each) => each.heldOut)];
  const model = grow(seen);
  show("held out", model, heldOut);
  show("trained on", model, seen);
  for (const [group, own] of Map.groupBy(heldOut, (each) => each.group))
    show(`held out, ${group}`, model, own);
  if (flags.groups)
    for (const group of new Set(examples.map((each) => each.group)))
      show(
        `without ${group}, on it`,
        grow(seen.filter((each) => each.group !== group)),
        examples.filter((each) => each.group === group),
      );
  if (flags.features)
    for (const [feature, name] of FEATURES.entries())
      show(`without "${name}"`, grow(seen, new Set([feature])), heldOut);
  if (!flags["dry-run"]) writeFileSync(weightsFile, `${JSON.stringify(rounded(model))}\n`);
}

function grow(examples: readonly Example[], without?: ReadonlySet<number>): BoostedTrees {
  return growTrees(trainingRows(examples), { ...growOptions, ...(without && { without }) });
}

function show(name: string, model: BoostedTrees, examples: readonly Example[]): void {
  const chanceOf = compileTrees(model);
  const held = shares.map((share) => qualityOf(examples, chanceOf, share).toFixed(1).padStart(6)).join("");
  process.stdout.write(`${name.padEnd(44)}${String(examples.length).padStart(5)}${held}\n`);
}

function rounded({ bias, trees }: BoostedTrees) {
  const round = (value: number) => Number(value.toPrecision(5));
  return {
    version: 1,
    features: FEATURES,
    bias: round(bias),
    trees: trees.map(({ feature, value, left, right }) => ({
      feature,
      value: value.map(round),
      left,
      right,
    })),
  };
}
