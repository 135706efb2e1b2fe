/** Candidates: which of the messages that words and fragments find are given, decided alike in every kind of archive. */
import type { Candidate } from "./archive.ts";
import { type AskedTerm, indexTerms } from "./index-words.ts";
import { indexedText } from "./indexed-text.ts";
import { saidIn } from "./own-words.ts";

/** A text as fragments are looked for in it. */
export function foldedText(text: string): string {
  return indexedText(text).toLowerCase();
}

/** The fragments of a query as they are looked for, each once. */
export function wantedFragments(fragments: readonly string[] = []): readonly string[] {
  return [...new Set(fragments.slice(0, MAX_FRAGMENTS).map(foldedText))].filter((text) => text.trim());
}

/** More fragments than a question has. */
const MAX_FRAGMENTS = 16;

/** Of the messages that have a fragment so many are looked at, the latest written. @param limit of the query */
export function mostHolders(limit: number): number {
  return 2 * limit;
}

/** How much each fragment says: the fewer messages have it, the more. */
export type Rarities = ReadonlyMap<string, number>;

export interface RankedHolders<Key> {
  readonly best: readonly Key[];
  readonly rarities: Rarities;
}

/**
 * The messages with the most and rarest fragments.
 *
 * @param holders of each fragment, no more than `mostHolders`
 * @param byWriting puts the later written first
 */
export function rankHolders<Key>(
  holders: ReadonlyMap<string, readonly Key[]>,
  limit: number,
  byWriting: (one: Key, other: Key) => number,
): RankedHolders<Key> {
  const rarities = new Map<string, number>();
  const scores = new Map<Key, number>();
  for (const [fragment, keys] of holders) {
    const rarity = Math.log(1 + mostHolders(limit) / Math.max(1, keys.length));
    rarities.set(fragment, rarity);
    for (const key of keys) scores.set(key, (scores.get(key) ?? 0) + rarity);
  }
  const best = [...scores]
    .toSorted(([one, left], [other, right]) => right - left || byWriting(one, other))
    .slice(0, limit)
    .map(([key]) => key);
  return { best, rarities };
}

/** A message that was found, before its fragments are looked at. */
export type FoundMessage = Omit<Candidate, "fragmentScore">;

/** The candidates without Pith's own words, scored by their fragments; those of which nothing else was found are left out. */
export function offerCandidates(
  found: readonly FoundMessage[],
  terms: readonly AskedTerm[],
  rarities: Rarities,
): readonly Candidate[] {
  const asked = new Set(terms.map(({ term }) => term));
  return found.flatMap((message) => {
    const text = saidIn(message);
    if (text === "") return [];
    const isFoundByWords = text === message.text || indexTerms(text).some((term) => asked.has(term));
    const wordScore = isFoundByWords ? message.wordScore : 0;
    const folded = rarities.size > 0 ? foldedText(text) : "";
    const fragmentScore = [...rarities].reduce(
      (sum, [fragment, rarity]) => sum + (folded.includes(fragment) ? rarity : 0),
      0,
    );
    return wordScore > 0 || fragmentScore > 0 ? [{ ...message, text, wordScore, fragmentScore }] : [];
  });
}
