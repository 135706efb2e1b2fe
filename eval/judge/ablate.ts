/**
 * npm run ablate: what each number of taste and each pattern is worth, by what the judge still finds when the number says nothing
 * and the pattern finds nothing.
 */
import { appendFileSync, cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { markdownTable } from "../figures/markdown-table.ts";
import { dataFolder } from "../recordings/sources.ts";
import { differenceOf } from "./difference.ts";
import type { Score } from "./judge.ts";
import { cacheFolder, checkout, type JudgedPackage } from "./package.ts";
import { patternsOf, withoutPattern } from "./patterns.ts";
import { runJudge } from "./run-judge.ts";

/** By its name in `src/engine/numbers.ts`, the value with which a number says nothing. */
const neutral: Readonly<Record<string, number>> = {
  closing: 1,
  oldest: 1,
  newestWorth: 1,
  shownAgain: 1,
  "brief.worth": 0,
  edge: 1,
  marked: 1,
  fragment: 1,
  echo: 1,
  failed: 1,
  repeated: 1,
  topical: 0,
  chosen: 1,
  beside: 1,
  hole: 1,
  sibling: 1,
  overhead: 0,
  opening: 0,
  bad: 1,
  sentence: 1,
  prose: 1,
  defines: 1,
  gone: 1,
  around: 1,
  "share.first": 0,
  "share.asks": 0,
  "share.state": 0,
  "share.told": 0,
  "share.last": 0,
  "share.whole": 0,
  "share.now": 0,
  "share.spoken": 0,
  "share.unanswered": 0,
  "share.done": 0,
};
const asked = ["answers", "deeds", "needles", "truth", "words"];

const patterns = new Map(patternsOf(checkout().folder).map((pattern) => [pattern.name, pattern]));
const groups: Readonly<Record<string, readonly string[]>> = {
  numbers: Object.keys(neutral),
  patterns: [...patterns.keys()],
};
const wanted = process.argv.slice(2).flatMap((name) => groups[name] ?? [name]);
const unknown = wanted.filter((name) => !Object.hasOwn(neutral, name) && !patterns.has(name));
if (unknown.length > 0)
  throw new Error(
    `No number and no pattern ${unknown.join(", ")}; there are ${Object.values(groups).flat().join(", ")}.`,
  );
const data = dataFolder();
if (data === undefined)
  process.stderr.write("NO RECORDINGS in ../shared/data: only what is made up is judged.\n");

const whole = await scoresOf(checkout());
const lines: (readonly string[])[] = [
  ["without", "figures added up", "99 %", "rows that are worse without it"],
];
for (const name of wanted.length > 0 ? wanted : groups.numbers!) {
  const without = await scoresOf(packageWithout(name));
  const level = 0.99;
  const { mean, low, high } = differenceOf(inOneRow(without), inOneRow(whole), { level });
  const worse = [...Map.groupBy(whole, ({ row }) => row)].filter(([row, scores]) => {
    const others = without.filter((score) => score.row === row);
    return differenceOf(others, scores, { level }).verdict === "worse";
  });
  const signed = (value: number) => `${value > 0 ? "+" : ""}${(100 * value).toFixed(2)}`;
  lines.push([name, signed(mean), `${signed(low)} to ${signed(high)}`, worse.map(([row]) => row).join(", ")]);
  process.stderr.write(`${lines.at(-1)!.join("  ")}\n`);
}
process.stdout.write(`${markdownTable(lines)}\n`);

async function scoresOf(judged: JudgedPackage): Promise<readonly Score[]> {
  const found: Score[] = [];
  for (const judge of asked) found.push(...(await runJudge({ judge, judged, engine: "1", data })).scores);
  return found.filter(({ row }) => !/^(?:faults|time)\//.test(row));
}

/** All figures as one, each case for itself. */
function inOneRow(scores: readonly Score[]): readonly Score[] {
  return scores.map((score) => ({ ...score, row: "all", case: `${score.row} ${score.case}` }));
}

/** The checkout as it is built, with one number that says nothing, or one pattern that finds nothing. */
function packageWithout(name: string): JudgedPackage {
  const folder = join(cacheFolder, "without");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const part of ["dist", "package.json"])
    cpSync(join(checkout().folder, part), join(folder, part), { recursive: true });
  const pattern = patterns.get(name);
  if (pattern) withoutPattern(folder, pattern);
  else appendFileSync(join(folder, "dist/engine/numbers.js"), `\nNUMBERS.${name} = ${neutral[name]};\n`);
  return { name: `without ${name}`, folder };
}
