/** compactRequest: a request's messages through the engine, and what is remembered of that. */
import { fillOf } from "../agent-control/fill-note.ts";
import type { Archive } from "../archive/archive.ts";
import { doorCompactor } from "../compactor.ts";
import type { JsonSource } from "../json/source.ts";
import type { PresetExpression } from "../policy/presets.ts";
import { maskJson } from "../redact/mask-json.ts";
import { readOccasion } from "../run/occasion.ts";
import type { CompactOptions } from "../run/options.ts";
import type { Result } from "../run/result.ts";
import { afterOverflow } from "./after-overflow.ts";
import type { Job, Prepared } from "./job.ts";
import type { Limits } from "./limits.ts";
import { cook, recipeAfter } from "./recipe.ts";
import type { KnownRecipe, Recipes } from "./recipes.ts";
import { type Stopwatch, timedWrites } from "./stopwatch.ts";
import { type RequestSummaries, requestSummaries } from "./summaries/request-summaries.ts";
import type { SummaryJob } from "./summaries/summary-job.ts";
import type { SummaryStore } from "./summaries/summary-store.ts";

/** One request. */
export interface Compactable {
  readonly job: Job;
  readonly source: JsonSource;
  /** The link at its last message. */
  readonly link: string;
  readonly limits: Limits | undefined;
  /** The conversation's name in the archive. */
  readonly name: string;
  /** What is known of its past. */
  readonly base: KnownRecipe;
}

/** What a request is compacted with. */
export interface Means {
  readonly preset: string;
  readonly clock: () => number;
  /** Absent where what leaves the context is gone. */
  readonly archive: Archive | undefined;
  /** Where it is remembered. */
  readonly recipes: Recipes;
  /** Nothing but what was compacted is remembered: only for as long as the archive is down. */
  readonly isMakeshift: boolean;
  /** Where summaries are kept that somebody writes in the background. */
  readonly summaries?: SummaryStore | undefined;
  readonly watch: Stopwatch;
}

type Named = KnownRecipe & { readonly name: string };

/** Rejects where the engine or the archive fails; then nothing is remembered. */
export async function compactRequest(request: Compactable, means: Means): Promise<Prepared> {
  const { job, source, link, name, base, limits } = request;
  const { recipes, isMakeshift, watch } = means;
  const from = cook(source, base.recipe, job.format);
  const summaries = await summariesFor(request, means);
  const results = await runEngine(from, request, means, summaries);
  const { body: sent, report, state } = results.at(-1)!;
  if (report.error) throw report.error;
  const keep = (next: Named): Promise<void> => watch.time(() => recipes.keep(job.tenant, link, next));
  const { promptTokensBefore: tokensBefore, promptTokensAfter: tokensAfter, summary } = report;
  const fill = fillOf(report);
  const asked = report.request && { asked: report.request.reason };
  if (sent === from) {
    const { recipe, conversation, snapshot, memory } = base;
    const begins = summaries?.isDue() ?? false;
    const window = limits?.window;
    const next: Named = {
      recipe,
      name,
      conversation,
      state,
      fill,
      window,
      snapshot: begins ? link : snapshot,
      memory,
    };
    // What other gateways must know too: that a request was honoured, and that a summary is under way.
    if (begins || base.requested) await keep(next);
    else if (!isMakeshift) recipes.remember(link, next);
    const outcome = from === job.text ? "untouched" : "replayed";
    const due = begins ? summaryJob(from, request, means, state) : undefined;
    return { text: from, outcome, conversation, tokensBefore, fill, ...asked, ...(due && { due }) };
  }
  const count = source.elements.length;
  const recipe = results
    .filter(({ report }) => report.compacted)
    .reduce((earlier, result) => recipeAfter(earlier, result, count), base.recipe);
  await keep({ recipe, state, name, fill, window: limits?.window, conversation: name, memory: base.memory });
  return {
    text: cook(source, recipe, job.format),
    tokensBefore,
    tokensAfter,
    fill,
    ...asked,
    ...(report.cause && { cause: report.cause }),
    ...(report.safetyNet && { safetyNet: report.safetyNet.fill }),
    stages: report.stages,
    ...(summary?.summarizer !== undefined && { summarizer: summary.summarizer }),
    ...(isMakeshift
      ? { outcome: "compacted-without-archive", conversation: base.conversation }
      : { outcome: "compacted", conversation: name }),
  };
}

/** Whether the engine will make it smaller; where not, to ask it takes no longer than a look. Throws InputError. */
export function willCompact(
  { job, source, limits, base }: Omit<Compactable, "link" | "name">,
  { preset, clock }: Pick<Means, "preset" | "clock">,
): boolean {
  if (job.overflow !== undefined || !limits) return true;
  const { window, reserve } = limits;
  const options = { format: job.format, preset: preset as PresetExpression, window, reserve };
  const call = { state: base.state, ...(base.requested && { requested: base.requested }) };
  return readOccasion(cook(source, base.recipe, job.format), options, call, clock()).goal.act;
}

/** What the engine made of the body; a second result is made of the first one's. */
async function runEngine(
  from: string,
  { job, limits, name, base }: Compactable,
  { preset, clock, archive, watch }: Means,
  summaries: RequestSummaries | undefined,
): Promise<readonly Result<string>[]> {
  const compactor = doorCompactor({
    format: job.format,
    preset: preset as PresetExpression,
    clock,
    ...(limits && { window: limits.window, reserve: limits.reserve }),
    ...(archive && { archive: timedWrites(archive, watch) }),
    ...(summaries && { summaries }),
  });
  const call: CompactOptions = {
    state: base.state,
    conversationId: name,
    ...(base.requested && { requested: base.requested }),
    ...(summaries && { summarize: "background" }),
  };
  if (job.overflow) return afterOverflow(compactor, from, call, job.overflow);
  return [await compactor.compact(from, call)];
}

/** A summary that was begun at an earlier request and cannot be had is one that is not ready. */
async function summariesFor(
  { job, base: { snapshot } }: Compactable,
  { summaries }: Means,
): Promise<RequestSummaries | undefined> {
  if (!summaries) return undefined;
  if (snapshot === undefined) return requestSummaries(undefined);
  const ready = await summaries.find(job.tenant, snapshot).catch(() => undefined);
  return requestSummaries(ready ?? "not-ready");
}

function summaryJob(
  from: string,
  { job: { tenant, format }, link: snapshot, limits, name: conversation }: Compactable,
  { preset }: Means,
  state: KnownRecipe["state"],
): SummaryJob | undefined {
  if (!limits) return undefined;
  const { window, reserve } = limits;
  const { text } = maskJson(from);
  return { tenant, snapshot, conversation, text, format, preset, window, reserve, state };
}
