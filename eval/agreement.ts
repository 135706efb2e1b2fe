/**
 * npm run eval:agreement: checks this measure against the reference implementation beside the checkout, on the same cases: the
 * same probes, the same targets, and the same verbatim, held and token counts of the same results.
 */
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { createProgressBar } from "./figures/progress-bar.ts";
import { fillMarkers } from "./figures/write-docs.ts";
import { type Case, casesOf, type Target } from "./measure/cases.ts";
import { recallOf } from "./measure/held.ts";
import { pastText } from "./measure/probes.ts";
import { countedTokens, systemTexts } from "./measure/sizes.ts";
import { commonSpecifics } from "./measure/specifics.ts";
import { textOf, type WireMessage } from "./measure/wire-message.ts";
import { chooseSources } from "./recordings/choose-sources.ts";
import { type Recording, readSource } from "./recordings/sources.ts";
import { cutToolOutput } from "./strategies/cut-tool-output.ts";
import { keepRecent } from "./strategies/keep-recent.ts";
import { pith } from "./strategies/pith.ts";

interface ReferenceCase {
  readonly id: string;
  readonly kind: string;
  readonly past: readonly WireMessage[];
  readonly probes: readonly string[];
  readonly text: string;
  readonly target: number;
}

interface Reference {
  readonly cases: (recordings: readonly Recording[]) => readonly ReferenceCase[];
  readonly total: (messages: readonly WireMessage[], given: readonly string[]) => number;
  readonly score: (
    past: string,
    probes: readonly string[],
    compacted: readonly WireMessage[],
    system: ReadonlySet<string>,
  ) => { readonly n: number; readonly verbatim: number; readonly held: number };
}

const { values: flags } = parseArgs({
  options: {
    source: { type: "string" },
    sample: { type: "string" },
    docs: { type: "boolean", default: false },
  },
});
const judged = { pith: pith("balanced"), recent: keepRecent, "cut-tools": cutToolOutput };
const found = { cases: 0, sameCases: 0, results: 0, sameResults: 0, widest: 0 };

const reference = await loadReference();
const { folder, sources } = chooseSources({ names: flags.source?.split(",") ?? [] });
for (const source of sources) {
  const recordings = readSource(folder, source);
  const common = commonSpecifics(recordings.map(({ messages }) => messages.map(textOf).join("\n")));
  const ours = new Map(
    recordings
      .flatMap(({ id, messages }) => casesOf({ id, messages, common }))
      .flatMap((own) => own.targets.map((target) => [referenceId(own, target), { own, target }] as const)),
  );
  const theirs = reference.cases(recordings);
  const progress = createProgressBar(theirs.length);
  found.cases += new Set([...ours.keys(), ...theirs.map(({ id }) => id)]).size;
  const limit = flags.sample === undefined ? theirs.length : Number(flags.sample);
  for (const [order, their] of theirs.entries()) {
    const mine = ours.get(their.id);
    if (mine && isSameCase(mine, their)) {
      found.sameCases++;
      if (order < limit) await compareResults(mine.own, mine.target, their);
    }
    progress.show(order + 1, source.name);
  }
  progress.end();
}

const told = `Cases with the same probes and target: ${found.sameCases} of ${found.cases}. Results with the same verbatim, held and
token counts: ${found.sameResults} of ${found.results}; the widest difference in held is ${found.widest}.`;
process.stdout.write(`${told}\n`);
if (flags.docs) fillMarkers("agreement", told);
if (found.sameCases < found.cases || found.sameResults < found.results) process.exitCode = 1;

/** The reference has one case for each target. */
function referenceId({ id }: Case, { kind }: Target): string {
  return kind === "recorded" ? id : `${id}/${kind.split(" ")[1]}`;
}

function isSameCase({ own, target }: { own: Case; target: Target }, their: ReferenceCase): boolean {
  return (
    own.probes.join("\n") === their.probes.join("\n") &&
    target.tokens === their.target &&
    target.kind === their.kind
  );
}

async function compareResults(own: Case, target: Target, their: ReferenceCase): Promise<void> {
  const given = systemTexts(own.past);
  for (const strategy of Object.values(judged)) {
    let messages: readonly WireMessage[];
    try {
      messages = await (await strategy.prepare(own.past))(target.tokens);
    } catch {
      // A target that cannot be reached leaves nothing to compare.
      continue;
    }
    const kept = messages.map(textOf).filter((text) => !given.includes(text));
    const mine = recallOf(pastText(own.past), kept.join("\n"), own.probes);
    const reckoned = reference.score(their.text, their.probes, messages, new Set(given));
    const isSame =
      mine.verbatim === reckoned.verbatim &&
      mine.held === reckoned.held &&
      countedTokens(messages, given) === reference.total(messages, given);
    found.results++;
    if (isSame) found.sameResults++;
    found.widest = Math.max(found.widest, Math.abs(mine.held - reckoned.held) / reckoned.n);
  }
}

/** The reference needs a package of ours, so a copy is run from where that is found. */
async function loadReference(): Promise<Reference> {
  const tools = join(import.meta.dirname, "../../shared/tools");
  if (!existsSync(tools)) throw new Error("There is no reference implementation beside this checkout.");
  const copy = join(import.meta.dirname, "../node_modules/.cache/pith-eval-reference");
  mkdirSync(copy, { recursive: true });
  for (const file of ["carry.mjs", "eval_carry.mjs"]) cpSync(join(tools, file), join(copy, file));
  const load = (file: string) => import(pathToFileURL(join(copy, file)).href);
  return { ...(await load("carry.mjs")), ...(await load("eval_carry.mjs")) } as Reference;
}
