/** Candidates for a query among messages that are held in memory: BM25 over stems, and fragments found as they are. */
import type { ArchivedMessage, Candidate, CandidateQuery, SearchScope } from "./archive.ts";
import { rarityOfTerm, STEPS, termScore } from "./bm25.ts";
import { type AskedTerm, askedTerms, indexTerms } from "./index-words.ts";
import {
  foldedText,
  mostHolders,
  offerCandidates,
  rankHolders,
  wantedFragments,
} from "./offer-candidates.ts";
import { saidIn } from "./own-words.ts";
import { isOfTenant } from "./tenant.ts";

export interface PlacedMessage extends ArchivedMessage {
  readonly conversation: string;
}

/** Reads every message; for what fits in memory that is fast enough. @param messages in the order of their writing */
export function searchMessages(
  messages: readonly PlacedMessage[],
  { words, fragments, limit, scope = {} }: CandidateQuery,
): readonly Candidate[] {
  const terms = askedTerms(words);
  const without = new Set(scope.without);
  const newest = messages
    .filter((message) => isInScope(message, scope) && !without.has(message.id) && saidIn(message) !== "")
    .toReversed();
  const wordScores = scoresOfWords(messages, newest, terms);
  const order = new Map(newest.map((message, index) => [message, index]));
  const byWriting = (one: PlacedMessage, other: PlacedMessage) => order.get(one)! - order.get(other)!;
  const byWords = bestOf(wordScores, limit);
  const { best, rarities } = rankHolders(holdersOf(newest, fragments, limit), limit, byWriting);
  const found = [...new Set([...byWords, ...best])].map((message) => ({
    ...message,
    wordScore: byWords.includes(message) ? wordScores.get(message)! : 0,
  }));
  return offerCandidates(found, terms, rarities);
}

function isInScope(message: PlacedMessage, scope: SearchScope): boolean {
  const { conversation, tenant, roles, tool, since = -Infinity, until = Infinity } = scope;
  return (
    (conversation === undefined || message.conversation === conversation) &&
    (tenant === undefined || isOfTenant(message.conversation, tenant)) &&
    (roles === undefined || roles.includes(message.role)) &&
    (tool === undefined || message.tools.includes(tool)) &&
    message.at >= since &&
    message.at <= until
  );
}

type Scores = ReadonlyMap<PlacedMessage, number>;

/** @param all by which rarities and lengths are judged */
function scoresOfWords(
  all: readonly PlacedMessage[],
  messages: readonly PlacedMessage[],
  terms: readonly AskedTerm[],
): Scores {
  if (terms.length === 0) return new Map();
  const counted = all.map(countsOf);
  const averageLength = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length);
  const rarities = terms.map(({ term }) =>
    rarityOfTerm(counted.length, counted.filter(({ counts }) => counts.has(term)).length),
  );
  const scores = new Map<PlacedMessage, number>();
  for (const message of messages) {
    const { counts, length } = countsOf(message);
    const score = terms.reduce((sum, { term }, index) => {
      const count = counts.get(term);
      return count ? sum + termScore(rarities[index]!, { count, length, averageLength }) : sum;
    }, 0);
    if (score > 0) scores.set(message, Math.trunc(score * STEPS) / STEPS);
  }
  return scores;
}

function holdersOf(
  newest: readonly PlacedMessage[],
  fragments: readonly string[] | undefined,
  limit: number,
): ReadonlyMap<string, readonly PlacedMessage[]> {
  const wanted = wantedFragments(fragments);
  const texts = wanted.length > 0 ? newest.map(({ text }) => foldedText(text)) : [];
  return new Map(
    wanted.map((fragment) => [
      fragment,
      newest.filter((_, index) => texts[index]!.includes(fragment)).slice(0, mostHolders(limit)),
    ]),
  );
}

/** The best, of equals the first. */
function bestOf(scores: Scores, limit: number): readonly PlacedMessage[] {
  return [...scores]
    .toSorted(([, left], [, right]) => right - left)
    .slice(0, limit)
    .map(([message]) => message);
}

interface Counts {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/** Remembered by the message itself, so a second search counts only what is new. */
const countsByMessage = new WeakMap<PlacedMessage, Counts>();

function countsOf(message: PlacedMessage): Counts {
  const known = countsByMessage.get(message);
  if (known) return known;
  const terms = indexTerms(message.text);
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const result = { counts, length: terms.length };
  countsByMessage.set(message, result);
  return result;
}
