/**
 * npm run eval:deviations: long outputs shaped to 15 % of their tokens; is the one thing that matters in view?
 * Made outputs of ten kinds, then the recorded ones beside the checkout in which a failure is marked.
 */
import { parseArgs } from "node:util";
import { KIND_NAMES, makeCase } from "./generate.ts";
import { LEAST_TOKENS, missing, missingMarks, tokensOf } from "./measure.ts";
import { recordedFailures } from "./recorded.ts";

const { values: flags } = parseArgs({
  options: {
    seeds: { type: "string", default: "30" },
    kind: { type: "string" },
    show: { type: "boolean", default: false },
    made: { type: "boolean", default: false },
  },
});

interface Tally {
  cases: number;
  whole: number;
}

const tallies = new Map<string, Tally>();
for (const kind of flags.kind?.split(",") ?? KIND_NAMES) {
  if (!KIND_NAMES.includes(kind)) continue;
  for (let seed = 0; seed < Number(flags.seeds); seed++) {
    const made = makeCase(kind, seed);
    if (tokensOf(made.text) < LEAST_TOKENS)
      throw new Error(`${kind} ${seed} is too short: ${tokensOf(made.text)}`);
    const { lost, shown } = missing(made);
    count(`made ${kind}, ${made.isQuiet ? "quiet" : "told as an error"}`, lost.length === 0);
    if (flags.show && lost.length > 0) show(`${kind} ${seed} ${made.name}`, lost, shown.text);
    if (shown.tokens > shown.maxTokens)
      throw new Error(`${kind} ${seed} is too long: ${shown.tokens} of ${shown.maxTokens}`);
  }
}
if (!flags.made) {
  for await (const { source, output, marks } of recordedFailures()) {
    const { lost, shown } = missingMarks(output, marks);
    count(`recorded ${source}`, lost.length === 0);
    if (flags.show && lost.length > 0)
      show(`${source} ${output.toolName} ${output.toolArguments.slice(0, 200)}`, lost, shown.text);
  }
}
process.stdout.write(`${table()}\n`);

function count(name: string, isWhole: boolean): void {
  const tally = tallies.get(name) ?? { cases: 0, whole: 0 };
  tally.cases++;
  if (isWhole) tally.whole++;
  tallies.set(name, tally);
}

function show(name: string, lost: readonly string[], text: string): void {
  process.stdout.write(`\n##### ${name}\nLOST ${JSON.stringify(lost)}\n${text}\n`);
}

function table(): string {
  const rows = [...tallies].map(
    ([name, { cases, whole }]) =>
      `${name.padEnd(36)}${String(whole).padStart(6)} of ${String(cases).padStart(5)}  ${((100 * whole) / cases).toFixed(1).padStart(5)} %`,
  );
  const all = [...tallies.values()].reduce(
    (sum, { cases, whole }) => ({ cases: sum.cases + cases, whole: sum.whole + whole }),
    { cases: 0, whole: 0 },
  );
  return [
    ...rows,
    `${"all".padEnd(36)}${String(all.whole).padStart(6)} of ${String(all.cases).padStart(5)}  ${((100 * all.whole) / all.cases).toFixed(1).padStart(5)} %`,
  ].join("\n");
}
