/** createPreparer: what becomes of one request's body: the known compaction of its past replayed, and a new one where due. */

import { COMPRESS_CONTEXT, readCompressRequest } from "../agent-control/compress-context.ts";
import type { Archive } from "../archive/archive.ts";
import { type CompactOptions, createCompactor } from "../compactor.ts";
import type { JsonSource } from "../formats/json-source.ts";
import type { PresetExpression } from "../policy/presets.ts";
import { recallTools } from "../recall/tools.ts";
import { maskJson } from "../redact/mask-json.ts";
import { afterOverflow } from "./after-overflow.ts";
import { type ChainSeed, digestOf, firstLink, nextLink } from "./chain.ts";
import { fitting } from "./fits.ts";
import { hurriedArchive } from "./hurried-archive.ts";
import { limitsOf } from "./limits.ts";
import type { MessageFacts } from "./message-facts.ts";
import { compressTool, type OwnCall, offerTools } from "./offered-tools.ts";
import { policyOf } from "./policies.ts";
import { createRequestReader, type RequestRead } from "./read-request.ts";
import { cook, type Entry, entriesFor, recipeAfter } from "./recipe.ts";
import { createRecipes, type Found, type Known, type Recipes } from "./recipes.ts";
import { roomBeforeDue } from "./room-before-due.ts";
import type { OwnTools } from "./settings.ts";
import { createStopwatch, type Period, timedWrites } from "./stopwatch.ts";
import { requestSummaries } from "./summaries/request-summaries.ts";
import type { SummaryJob } from "./summaries/summary-job.ts";
import { summaryStore } from "./summaries/summary-store.ts";

export interface PreparerOptions {
  readonly archive?: Archive | undefined;
  readonly preset: string;
  /** The window of every model; the model's own where it is absent. */
  readonly window?: number | undefined;
  readonly reserve?: number | undefined;
  /** How long the archive may take over a question, and over a write. */
  readonly archiveTimeoutMs: number;
  readonly archiveWriteTimeoutMs: number;
  /** Other processes compact the same conversations. */
  readonly isShared?: boolean;
  /** The tools that are offered in requests. @default "none" */
  readonly tools?: OwnTools;
  /** Has a summary written, where somebody can; it is looked for in the archive when the compaction is due. */
  readonly onSummaryDue?: ((job: SummaryJob) => void) | undefined;
  readonly clock?: () => number;
}

export interface Job {
  /** The body as text. */
  readonly text: string;
  readonly format: string;
  readonly tenant: string;
  readonly conversation?: string | undefined;
  /** Only the past is replayed; nothing new is compacted. */
  readonly replayOnly?: boolean;
  /** What the provider said when it refused the request for its size. */
  readonly overflow?: string;
}

/** What may be sent should the time run out. */
export interface Progress {
  readonly text: string;
  readonly fits: boolean;
  readonly tools?: readonly string[];
  readonly conversation?: string | undefined;
}

export interface Prepared {
  readonly text: string;
  readonly outcome: "untouched" | "replayed" | "compacted" | "compacted-without-archive" | "failed-open";
  /** Why, where it is not plain. */
  readonly reason?: string;
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
  /** The conversation's name in the archive, for recall. */
  readonly conversation?: string | undefined;
  /** The names of the gateway's own tools that the text offers. */
  readonly tools?: readonly string[];
  /** Who wrote the summary in its hand-off. */
  readonly summarizer?: string;
  /** When the archive was written to. */
  readonly writes?: readonly Period[];
  /** What is added behind so many bytes of the body needs no preparation while it has fewer tokens. */
  readonly room?: { readonly after: number; readonly tokens: number };
}

/** A turn in which the gateway ran tools of its own: what the client heard of it, and what really was said. */
export interface OwnTurn {
  /** The request that it began with. */
  readonly job: Job;
  /** The calls of own tools. */
  readonly calls: readonly OwnCall[];
  /** The messages by which the client may tell of it in its next request; any of these. */
  readonly echoes: readonly (readonly unknown[])[];
  /** What goes upstream in their place. */
  readonly entries: readonly Entry[];
}

/** Hears what may be sent already, and may reject to end the work there. */
export type Tell = (progress: Progress) => Promise<void> | void;

export interface Preparer {
  /** Never rejects: on any failure the text is the best that is known, and `reason` says why. */
  readonly prepare: (job: Job, tell?: Tell) => Promise<Prepared>;
  /** Rejects where it could not be kept: then the next request has only what the client heard. */
  readonly keepTurn: (turn: OwnTurn) => Promise<void>;
}

/** How long an archive that failed is left alone. */
const ARCHIVE_PAUSE_MS = 5_000;

export function createPreparer(options: PreparerOptions): Preparer {
  const clock = options.clock ?? Date.now;
  const archive =
    options.archive &&
    hurriedArchive(options.archive, {
      timeoutMs: options.archiveTimeoutMs,
      writeTimeoutMs: options.archiveWriteTimeoutMs,
      pauseMs: ARCHIVE_PAUSE_MS,
      clock,
    });
  const recipes = createRecipes(archive, clock);
  /** What was compacted while the archive was down: only for as long as it is, since nothing of it can be recalled. */
  const makeshift = createRecipes(undefined, clock);
  const { onSummaryDue } = options;
  const store = onSummaryDue && archive && summaryStore(archive, clock);
  const { tools = "none" } = options;
  const isAgentControlled = policyOf(options.preset, options.window).agentControlled !== undefined;

  /** Whatever became of the past, once the tools were offered they stay: the messages may hold calls of them. */
  const offered = ({ rest = {} }: JsonSource, { format }: Job, prepared: Prepared): Prepared => {
    const recall =
      options.archive && tools !== "none" && prepared.conversation !== undefined
        ? recallTools(options.archive)
        : [];
    const compress = tools === "all" && (isAgentControlled || recall.length > 0) ? [compressTool] : [];
    const own = [...recall, ...compress];
    return own.length === 0 ? prepared : { ...prepared, ...offerTools(prepared.text, rest, format, own) };
  };

  /** The summary that was begun at an earlier request. One that cannot be had is one that is not ready. */
  const summaryFor = async (tenant: string, { snapshot }: Known) => {
    if (!store || snapshot === undefined) return undefined;
    return (await store.find(tenant, snapshot).catch(() => undefined)) ?? "not-ready";
  };

  const reader = createRequestReader();

  const prepareBody = async ({ source, facts }: RequestRead, job: Job, tell: Tell): Promise<Prepared> => {
    const { text, tenant, format } = job;
    const count = source.elements.length;
    if (count === 0 || isStateful(source)) return { text, outcome: "untouched" };
    const links = linksOf(facts, job);
    const link = links[count]!;
    const limits = limitsOf(source, options);
    const found = await recipes.find(tenant, links);
    const given = cook(source, found.recipe, format);
    const replayed: Prepared = {
      text: given,
      outcome: given === text ? "untouched" : "replayed",
      conversation: found.conversation,
    };
    const isKnown = found.at === count && job.overflow === undefined;
    const hasLimit = limits !== undefined || job.overflow !== undefined;
    if (job.replayOnly || isKnown || !hasLimit) return replayed;

    const request = { source, facts, known: found, limits: limits!, summarizes: store !== undefined };
    const room = limits && !job.overflow ? roomBeforeDue(request, options.preset, reader.messageFacts) : 0;
    if (room > 0) {
      const { at: _, failure, ...known } = found;
      if (failure !== undefined) return { ...replayed, outcome: "failed-open", reason: reasonOf(failure) };
      recipes.remember(link, known);
      // Another gateway may know more by the next request.
      if (options.isShared || replayed.outcome !== "untouched" || known.conversation !== undefined)
        return replayed;
      const after = Buffer.byteLength(text.slice(0, source.elements.at(-1)!.end));
      return { ...replayed, room: { after, tokens: room } };
    }

    const fits = fitting(given, format, limits?.budget);
    // What the provider refused does not fit, whatever is counted here.
    await tell({ ...offered(source, job, replayed), fits: job.overflow === undefined && fits() });
    const name = found.conversation ?? `${tenant}/${job.conversation ?? link.slice(0, 24)}`;
    const watch = createStopwatch();

    const compacted = async (base: Found, kept: Archive | undefined, known: Recipes): Promise<Prepared> => {
      const from = cook(source, base.recipe, format);
      const summaries = kept && store && requestSummaries(await summaryFor(tenant, base));
      const compactor = createCompactor({
        format,
        preset: options.preset as PresetExpression,
        clock,
        ...(limits && { window: limits.window, reserve: limits.reserve }),
        ...(kept && { archive: timedWrites(kept, watch) }),
        ...(summaries && { summaries }),
      });
      const call: CompactOptions = {
        state: base.state,
        conversation: name,
        ...(base.requested && { requested: base.requested }),
        ...(summaries && { summarize: "background" }),
      };
      const result = job.overflow
        ? await afterOverflow(compactor, from, call, job.overflow)
        : await compactor.compact(from, call);
      const { report, state } = result;
      if (report.error) throw report.error;
      const keep = (next: Known): Promise<void> => watch.time(() => known.keep(tenant, link, next));
      if (result.output === from) {
        const { recipe, conversation, snapshot } = base;
        const next: Known = { recipe, conversation, state, snapshot };
        const begins = summaries?.isDue() && limits && onSummaryDue;
        // What other gateways must know too: that a request was honoured, and that a summary is under way.
        if (begins || base.requested) await keep({ ...next, ...(begins && { snapshot: link }) });
        else if (kept || !archive) known.remember(link, next);
        if (begins) {
          const { window, reserve } = limits;
          const { text: masked } = maskJson(from);
          const { preset } = options;
          onSummaryDue({
            ...{ tenant, snapshot: link, conversation: name, text: masked },
            ...{ format, preset, window, reserve, state },
          });
        }
        return { ...replayed, text: from, tokensBefore: report.promptTokensBefore };
      }
      const recipe = recipeAfter(base.recipe, { given: from, compacted: String(result.output), count });
      await keep({ recipe, state, conversation: name });
      return {
        text: cook(source, recipe, format),
        tokensBefore: report.promptTokensBefore,
        tokensAfter: report.promptTokensAfter,
        ...(report.summary?.summarizer !== undefined && { summarizer: report.summary.summarizer }),
        ...(kept || !archive
          ? { outcome: "compacted", conversation: name }
          : { outcome: "compacted-without-archive", conversation: base.conversation }),
      };
    };

    const timed = async (): Promise<Prepared> => {
      try {
        if (found.failure !== undefined) throw found.failure;
        return await compacted(found, archive, recipes);
      } catch (failure) {
        const reason = reasonOf(failure);
        if (fits() && !job.overflow) return { ...replayed, outcome: "failed-open", reason };
        const earlier = await makeshift.find(tenant, links);
        const base = earlier.at > found.at ? earlier : found;
        return { ...(await compacted(base, undefined, makeshift)), reason };
      }
    };
    return { ...(await timed()), writes: watch.periods };
  };

  const prepare = async (job: Job, tell: Tell): Promise<Prepared> => {
    const request = reader.read(job.text);
    return offered(request.source, job, await prepareBody(request, job, tell));
  };

  return {
    keepTurn: async ({ job, calls, echoes, entries }) => {
      const { facts } = reader.read(job.text);
      const links = linksOf(facts, job);
      const { recipe, at: _, failure: _failure, ...known } = await recipes.find(job.tenant, links);
      const before = entriesFor(recipe, facts.length);
      const linkAfter = (echo: readonly unknown[]): string =>
        echo.reduce<string>((link, message) => nextLink(link, digestOf(message)), links.at(-1)!);
      const kept = new Map(echoes.map((echo) => [linkAfter(echo), echo.length]));
      const asked = calls.findLast((call) => call.name === COMPRESS_CONTEXT);
      const requested = asked ? readCompressRequest(asked.id, asked.arguments) : known.requested;
      for (const [link, length] of kept) {
        const covers = facts.length + length;
        const next = { covers, entries: [...before, ...entries], noted: recipe.noted };
        await recipes.keep(job.tenant, link, { ...known, recipe: next, requested });
      }
    },
    prepare: (job, tell = () => {}) =>
      prepare(job, tell).catch((error: unknown) => ({
        text: job.text,
        outcome: "failed-open",
        reason: reasonOf(error),
      })),
  };
}

/** The link at k stands for the first k messages; there is one more than there are messages. */
function linksOf(facts: readonly MessageFacts[], seed: ChainSeed): readonly string[] {
  const links = [firstLink(seed)];
  for (const { linkAfter } of facts) links.push(linkAfter(links.at(-1)!));
  return links;
}

function reasonOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

/** The provider has the past of such a request; what is in the body is not the whole conversation. */
function isStateful({ rest = {} }: JsonSource): boolean {
  return [rest.previous_response_id, rest.conversation, rest.prompt].some(
    (value) => value !== undefined && value !== null,
  );
}
