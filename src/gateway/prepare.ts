/** createPreparer: what becomes of one request's body: the known compaction of its past replayed, and a new one where due. */

import type { Archive } from "../archive/archive.ts";
import { type Compactor, createCompactor } from "../compactor.ts";
import type { JsonSource } from "../formats/json-source.ts";
import type { PresetExpression } from "../policy/presets.ts";
import { afterOverflow } from "./after-overflow.ts";
import { type ChainSeed, digestOf, firstLink, nextLink } from "./chain.ts";
import { isFarFromDue } from "./far-from-due.ts";
import { fitting } from "./fits.ts";
import { hurriedArchive } from "./hurried-archive.ts";
import { limitsOf } from "./limits.ts";
import type { MessageFacts } from "./message-facts.ts";
import { offerTools } from "./offered-tools.ts";
import { createRequestReader, type RequestRead } from "./read-request.ts";
import { cook, type Entry, entriesFor, recipeAfter } from "./recipe.ts";
import { createRecipes, type Found, type Known } from "./recipes.ts";

export interface PreparerOptions {
  readonly archive?: Archive | undefined;
  readonly preset: string;
  /** The window of every model; the model's own where it is absent. */
  readonly window?: number | undefined;
  readonly reserve?: number | undefined;
  /** How long the archive may take over a question, and over a write. */
  readonly archiveTimeoutMs: number;
  readonly archiveWriteTimeoutMs: number;
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
  /** The recall tools are offered in the request, once there is something to recall. */
  readonly offersTools?: boolean;
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
}

/** A turn in which the gateway ran tools of its own: what the client heard of it, and what really was said. */
export interface OwnTurn {
  /** The request that it began with. */
  readonly job: Job;
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

  /** Whatever became of the past, once the tools were offered they stay: the messages may hold calls of them. */
  const offered = ({ rest = {} }: JsonSource, { offersTools, format }: Job, prepared: Prepared): Prepared => {
    if (!offersTools || !options.archive || prepared.conversation === undefined) return prepared;
    return { ...prepared, ...offerTools(prepared.text, rest, format, options.archive) };
  };

  const reader = createRequestReader();

  const prepareBody = async ({ source, facts }: RequestRead, job: Job, tell: Tell): Promise<Prepared> => {
    const { text, tenant, format } = job;
    const count = source.elements.length;
    if (count === 0 || isStateful(source)) return { text, outcome: "untouched" };
    const links = linksOf(facts, job);
    const link = links[count]!;
    const limits = limitsOf(source, options);
    const compactor = (kept: Archive | undefined): Compactor =>
      createCompactor({
        format,
        preset: options.preset as PresetExpression,
        clock,
        ...(limits && { window: limits.window, reserve: limits.reserve }),
        ...(kept && { archive: kept }),
      });
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

    if (
      limits &&
      !job.overflow &&
      isFarFromDue({ source, facts, known: found, limits }, options.preset, reader.messageFacts)
    ) {
      const { recipe, state, conversation, failure } = found;
      if (failure !== undefined) return { ...replayed, outcome: "failed-open", reason: reasonOf(failure) };
      recipes.remember(link, { recipe, state, conversation });
      return replayed;
    }

    const fits = fitting(given, format, limits?.budget);
    // What the provider refused does not fit, whatever is counted here.
    await tell({ ...offered(source, job, replayed), fits: job.overflow === undefined && fits() });
    const name = found.conversation ?? `${tenant}/${job.conversation ?? link.slice(0, 24)}`;

    const compacted = async (
      base: Found,
      kept: Archive | undefined,
      keep: (known: Known) => Promise<void> | void,
    ): Promise<Prepared> => {
      const from = cook(source, base.recipe, format);
      const call = { state: base.state, conversation: name };
      const result = job.overflow
        ? await afterOverflow(compactor(kept), from, call, job.overflow)
        : await compactor(kept).compact(from, call);
      const { report, state } = result;
      if (report.error) throw report.error;
      if (result.output === from) {
        const { recipe, conversation } = base;
        if (kept || !archive) recipes.remember(link, { recipe, conversation, state });
        return { ...replayed, text: from, tokensBefore: report.promptTokensBefore };
      }
      const recipe = recipeAfter(base.recipe, { given: from, compacted: String(result.output), count });
      await keep({ recipe, state, conversation: name });
      return {
        text: cook(source, recipe, format),
        tokensBefore: report.promptTokensBefore,
        tokensAfter: report.promptTokensAfter,
        ...(kept || !archive
          ? { outcome: "compacted", conversation: name }
          : { outcome: "compacted-without-archive", conversation: base.conversation }),
      };
    };

    try {
      if (found.failure !== undefined) throw found.failure;
      return await compacted(found, archive, (known) => recipes.keep(tenant, link, known));
    } catch (failure) {
      const reason = reasonOf(failure);
      if (fits() && !job.overflow) return { ...replayed, outcome: "failed-open", reason };
      const earlier = await makeshift.find(tenant, links);
      const base = earlier.at > found.at ? earlier : found;
      const rescued = await compacted(base, undefined, (known) => makeshift.remember(link, known));
      return { ...rescued, reason };
    }
  };

  const prepare = async (job: Job, tell: Tell): Promise<Prepared> => {
    const request = reader.read(job.text);
    return offered(request.source, job, await prepareBody(request, job, tell));
  };

  return {
    keepTurn: async ({ job, echoes, entries }) => {
      const { facts } = reader.read(job.text);
      const links = linksOf(facts, job);
      const { recipe, state, conversation } = await recipes.find(job.tenant, links);
      const before = entriesFor(recipe, facts.length);
      const linkAfter = (echo: readonly unknown[]): string =>
        echo.reduce<string>((link, message) => nextLink(link, digestOf(message)), links.at(-1)!);
      const kept = new Map(echoes.map((echo) => [linkAfter(echo), echo.length]));
      for (const [link, length] of kept) {
        const covers = facts.length + length;
        const next = { covers, entries: [...before, ...entries], noted: recipe.noted };
        await recipes.keep(job.tenant, link, { recipe: next, state, conversation });
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
