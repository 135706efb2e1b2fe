/** createPreparer: what becomes of one request's body: the known compaction of its past replayed, and a new one where due. */

import { COMPRESS_CONTEXT } from "../agent-control/compress-context.ts";
import type { Archive } from "../archive/archive.ts";
import type { AskingMessages } from "../archive/branch.ts";
import { reasonOf } from "../errors/reason-of.ts";
import { type JsonSource, parseSlice } from "../json/source.ts";
import { actsOnRequests } from "../policy/acts-on-requests.ts";
import { readConversation } from "../providers/detect.ts";
import { refuseOther } from "../providers/no-conversation.ts";
import { recallTools } from "../recall/tools.ts";
import { bodySize } from "./body-size.ts";
import { type ChainSeed, firstLink } from "./chain.ts";
import { type Compactable, compactRequest, type Means, willCompact } from "./compact-request.ts";
import { crowdingTokens } from "./fixed-part.ts";
import { hurriedArchive } from "./hurried-archive.ts";
import type { Job, JobProgress, OwnTurn, Prepared } from "./job.ts";
import { keepTurn } from "./keep-turn.ts";
import { type Limits, limitsOf } from "./limits.ts";
import type { MessageFacts } from "./message-facts.ts";
import { notedFill } from "./noted-fill.ts";
import { compressTool, offerTools } from "./offered-tools.ts";
import { policyOf } from "./policies.ts";
import { createRequestReader, type RequestRead } from "./read-request.ts";
import { cook } from "./recipe.ts";
import { createRecipes, type FoundRecipe, nameOf, type Recipes } from "./recipes.ts";
import { roomBeforeDue } from "./room-before-due.ts";
import type { OwnTools } from "./settings.ts";
import { steadyClock } from "./steady-clock.ts";
import { createStopwatch } from "./stopwatch.ts";
import { summaryStore, wasNeverAsked } from "./summaries/summary-store.ts";
import type { GivenWindows } from "./windows.ts";

export interface PreparerOptions extends GivenWindows {
  readonly archive?: Archive | undefined;
  readonly preset: string;
  readonly reserve?: number | undefined;
  /** How long the archive may take over a question, and over a write. */
  readonly archiveTimeoutMs: number;
  readonly archiveWriteTimeoutMs: number;
  /** Other processes compact the same conversations. */
  readonly isShared?: boolean;
  /** The tools that are offered in requests. @default "none" */
  readonly tools?: OwnTools;
  /** Somebody writes summaries of what is told as `due`; they are looked for in the archive when the compaction is due. */
  readonly summarizes?: boolean;
  readonly clock?: () => number;
}

export interface Preparer {
  /** Never rejects: on any failure the text is the best that is known, and `reason` says why. */
  readonly prepare: (job: Job) => Promise<Prepared>;
  /** The same, unless a compaction is due: then only what can be sent without. Never rejects. */
  readonly look: (job: Job) => Promise<Prepared | JobProgress>;
  /** Whether the body is within its model's window as it came. Throws where it cannot be read. */
  readonly fits: (job: Job) => boolean;
  /** The messages of a request, as it goes upstream and as the client has them. Never rejects. */
  readonly asking: (job: Job) => Promise<readonly AskingMessages[]>;
  /** Rejects where it could not be kept: then the next request has only what the client heard. */
  readonly keepTurn: (turn: OwnTurn) => Promise<void>;
}

/** A body that was read and is due for a compaction. */
interface Due {
  readonly job: Job;
  readonly source: JsonSource;
  /** One more than it has messages. */
  readonly links: readonly string[];
  readonly limits: Limits | undefined;
  readonly found: FoundRecipe;
  /** What can be sent without. */
  readonly replayed: Prepared;
  readonly fits: () => boolean;
}

const RECALL_CALL = /"name"\s*:\s*"recall_(?:search|expand)"/;

/** How long an archive that failed is left alone. */
const ARCHIVE_PAUSE_MS = 5_000;

export function createPreparer(options: PreparerOptions): Preparer {
  const givenClock = options.clock ?? Date.now;
  const clock = steadyClock(givenClock);
  const archive =
    options.archive &&
    hurriedArchive(options.archive, {
      timeoutMs: options.archiveTimeoutMs,
      writeTimeoutMs: options.archiveWriteTimeoutMs,
      pauseMs: ARCHIVE_PAUSE_MS,
      clock: givenClock,
    });
  const recipes = createRecipes(archive, clock);
  /**
   * What was compacted while the archive was down: only for as long as it is, since nothing of it can be recalled. It goes with
   * what else is remembered.
   */
  const makeshifts = new WeakMap<object, Recipes>();
  const makeshiftBeside = ({ memory }: FoundRecipe): Recipes => {
    const makeshift = makeshifts.get(memory) ?? createRecipes(undefined, clock);
    makeshifts.set(memory, makeshift);
    return makeshift;
  };
  const summaries = options.summarizes && archive ? summaryStore(archive, clock) : undefined;
  const { tools = "none" } = options;
  const isAgentControlled = actsOnRequests(policyOf(options.preset, options.window));

  /** While the archive is down there is nothing to recall; but what the messages have calls of must be declared. */
  const mayRecall = ({ text, conversation }: Prepared): boolean =>
    conversation !== undefined && (!archive?.isDown() || RECALL_CALL.test(text));

  /** Whatever became of the past, once the tools were offered they stay: the messages may hold calls of them. */
  const offered = ({ rest = {} }: JsonSource, { format, replayOnly }: Job, prepared: Prepared): Prepared => {
    const recall =
      options.archive && tools !== "none" && mayRecall(prepared) ? recallTools(options.archive) : [];
    const compress = tools === "all" && isAgentControlled ? [compressTool] : [];
    const own = [...recall, ...compress];
    if (own.length === 0) return prepared;
    const offer = offerTools(prepared.text, rest, format, own);
    const { fill, ...known } = prepared;
    // Only an agent that may compact by itself must know.
    if (!fill || !offer.tools.includes(COMPRESS_CONTEXT)) return { ...known, ...offer };
    return { ...prepared, ...offer, text: replayOnly ? offer.text : notedFill(offer.text, format, fill) };
  };

  const reader = createRequestReader();

  /** What is known without a summary that was begun but that nobody could be asked for. */
  const withoutUnasked = async (found: FoundRecipe, tenant: string): Promise<FoundRecipe> => {
    const { snapshot, ...rest } = found;
    if (!summaries || snapshot === undefined) return found;
    const kept = await summaries.find(tenant, snapshot).catch(() => undefined);
    return kept && wasNeverAsked(kept) ? rest : found;
  };

  const readBody = async ({ source, facts }: RequestRead, job: Job): Promise<Prepared | Due> => {
    const { text, tenant, format } = job;
    const count = source.elements.length;
    if (count === 0 || isStateful(source)) return { text, outcome: "untouched" };
    refuseOther(valuesIn(source), format);
    const links = linksOf(facts, job);
    const link = links[count]!;
    const limits = limitsOf(source, options);
    const found = await withoutUnasked(await recipes.find(tenant, links), tenant);
    const given = cook(source, found.recipe, format);
    const replayed: Prepared = {
      text: given,
      outcome: given === text ? "untouched" : "replayed",
      conversation: found.conversation,
      ...(found.at === count && { fill: found.fill }),
    };
    const isForSmaller = (found.window ?? 0) > (limits?.window ?? Infinity);
    const isKnown = found.at === count && job.overflow === undefined && !isForSmaller;
    const hasLimit = limits !== undefined || job.overflow !== undefined;
    if (job.replayOnly || isKnown || !hasLimit) return replayed;

    const request = { source, facts, known: found, limits: limits!, summarizes: summaries !== undefined };
    const size = bodySize(given, format);
    const room =
      limits && !job.overflow ? roomBeforeDue(request, options.preset, reader.messageFacts, size) : 0;
    if (room > 0) {
      const { at: _, failure, ...known } = found;
      if (failure !== undefined) return { ...replayed, outcome: "failed-open", reason: reasonOf(failure) };
      recipes.remember(link, { ...known, window: limits?.window });
      // Another gateway may know more by the next request.
      if (options.isShared || replayed.outcome !== "untouched" || known.conversation !== undefined)
        return replayed;
      const after = Buffer.byteLength(text.slice(0, source.elements.at(-1)!.end));
      return { ...replayed, room: { after, tokens: room } };
    }

    // What the provider refused does not fit, whatever is counted here.
    const fits = (): boolean => job.overflow === undefined && size.fits(limits?.budget);
    return { job, source, links, limits, found, replayed, fits };
  };

  const compactDue = async ({
    job,
    source,
    links,
    limits,
    found,
    replayed,
    fits,
  }: Due): Promise<Prepared> => {
    const { tenant } = job;
    const link = links.at(-1)!;
    const watch = createStopwatch();
    const compactable: Compactable = {
      job,
      source,
      link,
      limits,
      name: nameOf(found, job, link),
      base: found,
    };
    const means: Means = {
      ...{ preset: options.preset, clock, archive, recipes, summaries, watch },
      isMakeshift: false,
    };
    const compacted = async (): Promise<Prepared> => {
      try {
        if (found.failure !== undefined) throw found.failure;
        return await compactRequest(compactable, means);
      } catch (failure) {
        const reason = reasonOf(failure);
        if (fits()) return { ...replayed, outcome: "failed-open", reason };
        const makeshift = makeshiftBeside(found);
        const earlier = await makeshift.find(tenant, links);
        const { memory: _, ...base } = earlier.at > found.at ? earlier : found;
        const without = { archive: undefined, recipes: makeshift, summaries: undefined };
        const isMakeshift = archive !== undefined;
        return {
          ...(await compactRequest({ ...compactable, base }, { ...means, ...without, isMakeshift })),
          reason,
        };
      }
    };
    return { ...(await compacted()), writes: watch.periods };
  };

  const withHealth = (prepared: Prepared): Prepared =>
    archive ? { ...prepared, archive: archive.isDown() ? "down" : "up" } : prepared;

  const failedOpen = ({ text }: Job, error: unknown): Prepared => ({
    text,
    outcome: "failed-open",
    reason: reasonOf(error),
  });

  const look = async (job: Job): Promise<Prepared | JobProgress> => {
    const request = reader.read(job.text);
    const read = await readBody(request, job);
    if ("outcome" in read) return offered(request.source, job, read);
    // The threshold is near, but a compaction would not pay yet: that is told at once.
    if (!willCompact({ ...read, base: read.found }, { preset: options.preset, clock }))
      return offered(request.source, job, await compactDue(read));
    const { text, tools, conversation } = offered(request.source, job, read.replayed);
    return { text, conversation, ...(tools && { tools }), fits: read.fits() };
  };

  const asking = async (job: Job): Promise<readonly AskingMessages[]> => {
    const { source, facts } = reader.read(job.text);
    const { recipe } = await recipes.find(job.tenant, linksOf(facts, job));
    const texts = new Set([cook(source, recipe, job.format), job.text]);
    return [...texts].map((text) => readConversation(text, { format: job.format }).messages);
  };

  const prepare = async (job: Job): Promise<Prepared> => {
    const request = reader.read(job.text);
    const read = await readBody(request, job);
    if ("outcome" in read) return offered(request.source, job, read);
    const { source, facts } = request;
    const { limits } = read;
    const fixedTokens = limits && crowdingTokens(source, facts, limits, reader.messageFacts);
    const compacted = await compactDue(read).catch((error: unknown) => failedOpen(job, error));
    return offered(source, job, { ...compacted, ...(fixedTokens !== undefined && { fixedTokens }) });
  };

  const fits = ({ text, format }: Job): boolean => {
    const limits = limitsOf(reader.read(text).source, options);
    return limits !== undefined && bodySize(text, format).fits(limits.window);
  };

  return {
    fits,
    // What cannot be read has no past.
    asking: (job) => asking(job).catch(() => [[]]),
    keepTurn: async (turn) => keepTurn(turn, linksOf(reader.read(turn.job.text).facts, turn.job), recipes),
    prepare: async (job) => withHealth(await prepare(job).catch((error: unknown) => failedOpen(job, error))),
    look: async (job) => {
      const looked = await look(job).catch((error: unknown) => failedOpen(job, error));
      return "outcome" in looked ? withHealth(looked) : looked;
    },
  };
}

/** The link at k stands for the first k messages; there is one more than there are messages. */
function linksOf(facts: readonly MessageFacts[], seed: ChainSeed): readonly string[] {
  const links = [firstLink(seed)];
  for (const { linkAfter } of facts) links.push(linkAfter(links.at(-1)!));
  return links;
}

/** One after the other: the first or the second nearly always shows that it is a conversation. */
function* valuesIn({ text, elements }: JsonSource): Iterable<unknown> {
  for (const slice of elements) yield parseSlice(text, slice);
}

/** The provider has the past of such a request; what is in the body is not the whole conversation. */
function isStateful({ rest = {} }: JsonSource): boolean {
  return [rest.previous_response_id, rest.conversation, rest.prompt].some(
    (value) => value !== undefined && value !== null,
  );
}
