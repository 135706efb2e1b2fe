/** Candidates for a query among messages that are held in memory: BM25 over stems, and fragments found as they are. */
import { stem } from "../recall/stem.ts";
import type { ArchivedMessage, Candidate, CandidateQuery, SearchScope } from "./archive.ts";

export interface PlacedMessage extends ArchivedMessage {
  readonly conversation: string;
}

/** Reads every message in the scope; for what fits in memory that is fast enough. */
export function searchMessages(
  messages: Iterable<PlacedMessage>,
  { words, fragments = [], limit, scope = {} }: CandidateQuery,
): readonly Candidate[] {
  const inScope = [...messages].filter((message) => isInScope(message, scope));
  const wordScores = scoresOfWords(inScope, [...new Set(words.flatMap(termsOf))]);
  const fragmentScores = scoresOfFragments(inScope, fragments);
  const chosen = new Set([...bestOf(wordScores, limit), ...bestOf(fragmentScores, limit)]);
  return [...chosen].map((message) => ({
    ...message,
    wordScore: wordScores.get(message) ?? 0,
    fragmentScore: fragmentScores.get(message) ?? 0,
  }));
}

function isInScope(message: PlacedMessage, scope: SearchScope): boolean {
  const { conversation, roles, tool, since = -Infinity, until = Infinity } = scope;
  return (
    (conversation === undefined || message.conversation === conversation) &&
    (roles === undefined || roles.includes(message.role)) &&
    (tool === undefined || message.tools.includes(tool)) &&
    message.at >= since &&
    message.at <= until
  );
}

type Scores = ReadonlyMap<PlacedMessage, number>;

function scoresOfWords(messages: readonly PlacedMessage[], terms: readonly string[]): Scores {
  const counted = messages.map((message) => ({ message, ...countsOf(message) }));
  const averageLength = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length);
  const scores = new Map<PlacedMessage, number>();
  for (const term of terms) {
    const holders = counted.filter(({ counts }) => counts.has(term));
    const rarity = Math.log(1 + (counted.length - holders.length + 0.5) / (holders.length + 0.5));
    for (const { message, counts, length } of holders) {
      const count = counts.get(term)!;
      const weight = (count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / averageLength));
      scores.set(message, (scores.get(message) ?? 0) + rarity * weight);
    }
  }
  return scores;
}

function scoresOfFragments(messages: readonly PlacedMessage[], fragments: readonly string[]): Scores {
  const scores = new Map<PlacedMessage, number>();
  const wanted = new Set(fragments.map((fragment) => fragment.toLowerCase()).filter((text) => text.trim()));
  const lowered = messages.map((message) => ({ message, text: message.text.toLowerCase() }));
  for (const fragment of wanted) {
    const holders = lowered.filter(({ text }) => text.includes(fragment));
    const rarity = Math.log(1 + messages.length / (holders.length || 1));
    for (const { message } of holders) scores.set(message, (scores.get(message) ?? 0) + rarity);
  }
  return scores;
}

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
  const terms = termsOf(message.text);
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const result = { counts, length: terms.length };
  countsByMessage.set(message, result);
  return result;
}

function termsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stem);
}
