/** Ten kinds of long outputs in each of which one thing matters; in every second one it is not called an error. */
import { seededRandom } from "../figures/seeded-random.ts";
import { loudBuilds, quietBuilds } from "./builds.ts";
import { type Case, diceOf, type Make } from "./case.ts";
import {
  loudJson,
  loudMixed,
  loudPages,
  loudTraces,
  quietJson,
  quietMixed,
  quietPages,
  quietTraces,
} from "./documents.ts";
import { loudLogs, quietLogs } from "./logs.ts";
import { loudCsv, loudListings, loudRows, quietCsv, quietListings, quietRows } from "./tables.ts";
import { loudTestRuns, quietTestRuns } from "./test-runs.ts";

const KINDS: Readonly<Record<string, readonly [loud: readonly Make[], quiet: readonly Make[]]>> = {
  log: [loudLogs, quietLogs],
  build: [loudBuilds, quietBuilds],
  tests: [loudTestRuns, quietTestRuns],
  csv: [loudCsv, quietCsv],
  database: [loudRows, quietRows],
  listing: [loudListings, quietListings],
  json: [loudJson, quietJson],
  page: [loudPages, quietPages],
  trace: [loudTraces, quietTraces],
  mixed: [loudMixed, quietMixed],
};

export const KIND_NAMES: readonly string[] = Object.keys(KINDS);

/** The case of a kind and a seed; even seeds are the quiet ones. */
export function makeCase(kind: string, seed: number): Case {
  const [loud, quiet] = KINDS[kind]!;
  const isQuiet = seed % 2 === 0;
  const makers = isQuiet ? quiet : loud;
  const make = makers[Math.floor(seed / 2) % makers.length]!;
  const { lines, matters, command, toolName } = make(diceOf(seededRandom(seed, kind)));
  return {
    kind,
    name: command ?? toolName ?? kind,
    text: lines.join("\n"),
    toolName: toolName ?? "Bash",
    toolArguments: JSON.stringify(command === undefined ? {} : { command }),
    matters,
    isQuiet,
  };
}
