/** rankAll: the messages that were found for a question, best first. */
import type { Candidate } from "../archive/archive.ts";
import { wordMatcher } from "./match-words.ts";
import type { Passage } from "./passages.ts";
import type { Question } from "./question.ts";
import { rank } from "./rank.ts";
import { type NearMessage, placeKey } from "./vector-index.ts";

export interface RankedCandidate {
  readonly candidate: Candidate;
  readonly score: number;
  /** What to show of it. */
  readonly passage: Passage;
}

/** Of messages that say the very same, only the best. @param near by `placeKey`; empty where there are no vectors */
export function rankAll(
  question: Question,
  candidates: readonly Candidate[],
  near: ReadonlyMap<string, NearMessage>,
): readonly RankedCandidate[] {
  const match = wordMatcher(question);
  const newest = candidates.reduce((latest, { at }) => Math.max(latest, at), -Infinity);
  const mostFragments = candidates.reduce((most, { fragmentScore }) => Math.max(most, fragmentScore), 0) || 1;
  const matched = candidates.map((candidate) => ({ candidate, words: match(candidate.text) }));
  const scores = new Map(
    matched.map(({ candidate: { conversation, position }, words }) => [
      `${position} ${conversation}`,
      words.score,
    ]),
  );
  const ranked = matched.map(({ candidate, words }): RankedCandidate => {
    const nearest = near.get(placeKey(candidate));
    const evidence = {
      message: candidate,
      words: words.score,
      wordsBefore: scores.get(`${candidate.position - 1} ${candidate.conversation}`) ?? 0,
      fragments: candidate.fragmentScore / mostFragments,
      ...(near.size > 0 && { cosine: nearest?.cosine ?? 0 }),
    };
    const passage = nearest && words.score < FEW_WORDS ? nearest.passage : words.passage;
    return { candidate, score: rank(question, evidence, newest), passage };
  });
  const byId = new Map<string, RankedCandidate>();
  for (const each of ranked.toSorted(bestFirst)) {
    if (!byId.has(each.candidate.id)) byId.set(each.candidate.id, each);
  }
  return [...byId.values()];
}

/** Of equals the newer, then by place: in which order they were found says nothing. */
function bestFirst(one: RankedCandidate, other: RankedCandidate): number {
  const [left, right] = [one.candidate, other.candidate];
  return (
    other.score - one.score ||
    right.at - left.at ||
    byText(left.conversation, right.conversation) ||
    right.position - left.position ||
    byText(left.id, right.id)
  );
}

function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Below this the words found hardly explain why a message is near; its nearest passage does. */
const FEW_WORDS = 0.2;
