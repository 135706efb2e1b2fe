/** recallSearch: the messages of an archive that answer a question, best first, each with the passage that does. */
import type { Archive, Candidate, SearchScope } from "../archive/archive.ts";
import { saidIn } from "../archive/own-words.ts";
import { ArchiveError } from "../errors/archive-error.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { type Asking, askingFrom, type Outside, outsideOf } from "./asked-branch.ts";
import type { Embedder } from "./embedder.ts";
import { readQuestion } from "./question.ts";
import { type RankedCandidate, rankAll } from "./rank-all.ts";
import { createVectorIndex, type NearMessage, placeKey, type VectorIndex } from "./vector-index.ts";
import { withinTokens } from "./within-tokens.ts";

/** What to look for and where: see SearchScope for roles, tool and times. */
export interface RecallSearchOptions extends Omit<SearchScope, "conversation" | "without">, Asking {
  /** @default every conversation of the archive */
  readonly conversationId?: string;
  /** A question, as a person would ask it, or words, names and paths. */
  readonly query: string;
  /** @default 5 */
  readonly limit?: number;
  /** The most tokens that all snippets together may cost. @default 2000 */
  readonly maxTokens?: number;
  /**
   * Also finds what shares no word with the question. The first search embeds all messages in its scope and keeps
   * the vectors as long as the archive object lives; pass `vectors` to do that at another time.
   */
  readonly embed?: Embedder;
  /** Instead of `embed`: an index that the caller keeps up to date. */
  readonly vectors?: VectorIndex;
  /** @default o200k_base */
  readonly counter?: TokenCounter;
  /** Instead of `asking`: what is not in the past, found out by the caller. */
  readonly outside?: Outside;
}

export interface RecallResult {
  readonly conversationId: string;
  /** Its place in the conversation, from 0. */
  readonly message: number;
  /** Expand it for the whole message. */
  readonly id: string;
  readonly role: Candidate["role"];
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
  /** The passage that answers the question best, as it is in the message. */
  readonly snippet: string;
  /** It is not in the past of the one who asks: taken back, or said in another branch. */
  readonly otherBranch?: true;
}

export interface RecallAnswer {
  readonly results: readonly RecallResult[];
  /** So many messages were found and ranked: "showing X of Y". */
  readonly found: number;
  /** The conversation has branches that were not looked in. */
  readonly hasOthers?: true;
}

export const SEARCH_TOKENS = 2000;
export const SEARCH_LIMIT = 5;

/** Throws ArchiveError where the archive cannot search. */
export async function recallSearch(
  archive: Archive,
  {
    query,
    limit = SEARCH_LIMIT,
    maxTokens = SEARCH_TOKENS,
    embed,
    vectors = embed && indexOf(archive, embed),
    counter = createTokenCounter(),
    conversationId,
    asking,
    otherBranches = false,
    outside = outsideOf(archive, askingFrom(asking), conversationId),
    ...rest
  }: RecallSearchOptions,
): Promise<RecallAnswer> {
  if (!archive.candidates) {
    throw new ArchiveError(archive.name, `The archive ${archive.name} cannot be searched: expand by id.`);
  }
  const without = conversationId === undefined || otherBranches ? [] : [...(await outside(conversationId))];
  const scope: SearchScope = {
    ...rest,
    ...(conversationId !== undefined && { conversation: conversationId }),
    ...(without.length > 0 && { without }),
  };
  const question = readQuestion(query);
  const { words, fragments } = question;
  const byWords = await archive.candidates({ words, fragments, limit: CANDIDATES, scope });
  if (embed) await vectors!.update(conversationId);
  const near = vectors ? await nearTo(vectors, query, byWords, scope) : new Map<string, NearMessage>();
  const candidates = [...byWords, ...(await onlyNear(archive, byWords, near))];
  const { ranked, hasOthers } = await inBranch(rankAll(question, candidates, near), {
    outside,
    otherBranches,
    limit,
  });
  const results = ranked.slice(0, Math.max(0, limit)).map(({ candidate, score, passage, isOutside }) => {
    const { conversation, position, id, role, at, text } = candidate;
    return {
      conversationId: conversation,
      message: position,
      id,
      role,
      at,
      score: Number(score.toFixed(4)),
      snippet: text.slice(passage.from, passage.to).trim(),
      ...(isOutside && { otherBranch: true as const }),
    };
  });
  return {
    results: withinTokens(results, maxTokens, counter),
    found: ranked.length,
    ...((hasOthers || without.length > 0) && { hasOthers: true as const }),
  };
}

type Placed = RankedCandidate & { readonly isOutside: boolean };

/** Where no conversation was named, the branches of those are looked at that would be shown. */
async function inBranch(
  found: readonly RankedCandidate[],
  {
    outside,
    otherBranches,
    limit,
  }: Required<Pick<RecallSearchOptions, "outside" | "otherBranches" | "limit">>,
): Promise<{ readonly ranked: readonly Placed[]; readonly hasOthers: boolean }> {
  const ranked: Placed[] = [];
  let shown = 0;
  for (const each of found) {
    const { conversation, id } = each.candidate;
    const isOutside = shown < limit && (await outside(conversation)).has(id);
    if (isOutside && !otherBranches) continue;
    ranked.push({ ...each, isOutside });
    shown++;
  }
  return { ranked, hasOthers: ranked.length < found.length };
}

/** So many are ranked by words, and as many by vectors: a longer list found no more of the right messages. */
const CANDIDATES = 100;

const indexes = new WeakMap<Archive, WeakMap<Embedder, VectorIndex>>();

function indexOf(archive: Archive, embed: Embedder): VectorIndex {
  const ofArchive = indexes.get(archive) ?? new WeakMap<Embedder, VectorIndex>();
  indexes.set(archive, ofArchive);
  const index = ofArchive.get(embed) ?? createVectorIndex(archive, embed);
  ofArchive.set(embed, index);
  return index;
}

async function nearTo(
  vectors: VectorIndex,
  query: string,
  found: readonly Candidate[],
  scope: SearchScope,
): Promise<ReadonlyMap<string, NearMessage>> {
  const near = await vectors.nearest(query, {
    limit: CANDIDATES,
    scope,
    also: new Set(found.map(placeKey)),
  });
  return new Map(near.map((message) => [placeKey(message), message]));
}

/** The messages that only their vectors found, read from the archive: what it has no longer is not shown. */
async function onlyNear(
  archive: Archive,
  found: readonly Candidate[],
  near: ReadonlyMap<string, NearMessage>,
): Promise<readonly Candidate[]> {
  const known = new Set(found.map(placeKey));
  const missing = [...near].filter(([key]) => !known.has(key)).map(([, message]) => message);
  const read = missing.map(async ({ conversation, position, id }): Promise<readonly Candidate[]> => {
    const there = (await archive.messages?.(conversation, { from: position, to: position })) ?? [];
    return there
      .filter((message) => message.id === id)
      .map((message) => ({
        ...message,
        text: saidIn(message),
        conversation,
        wordScore: 0,
        fragmentScore: 0,
      }));
  });
  return (await Promise.all(read)).flat();
}
