/** A list of facts by key, in the order of first appearance, that forgets the least recent beyond its limit. */

export interface RecentFacts<Fact extends { readonly at: number }> {
  readonly byKey: Map<string, Fact>;
  readonly limit: number;
  dropped: number;
  /** Facts in the order they will go, the next one last; those that were touched since are passed over. */
  readonly leaving: { readonly key: string; readonly fact: Fact }[];
}

export function recentFacts<Fact extends { readonly at: number }>(
  facts: readonly Fact[],
  keyOf: (fact: Fact) => string,
  { limit, dropped }: { readonly limit: number; readonly dropped: number },
): RecentFacts<Fact> {
  return { byKey: new Map(facts.map((fact) => [keyOf(fact), fact])), limit, dropped, leaving: [] };
}

/** Puts a fact in the place of the one with its key, or at the end. Returns the key that had to go, if any. */
export function putFact<Fact extends { readonly at: number }>(
  facts: RecentFacts<Fact>,
  key: string,
  fact: Fact,
): string | undefined {
  facts.byKey.set(key, fact);
  if (facts.byKey.size <= facts.limit) return undefined;
  const oldest = oldestOf(facts, fact.at);
  facts.byKey.delete(oldest);
  facts.dropped++;
  return oldest;
}

/** The least recent, of several the first that appeared. One sort serves until all that were older than `now` are gone. */
function oldestOf<Fact extends { readonly at: number }>(facts: RecentFacts<Fact>, now: number): string {
  const { byKey, leaving } = facts;
  for (let next = leaving.pop(); next !== undefined; next = leaving.pop()) {
    if (byKey.get(next.key) === next.fact) return next.key;
  }
  byKey.forEach((fact, key) => {
    if (fact.at < now) leaving.push({ key, fact });
  });
  leaving.sort((a, b) => a.fact.at - b.fact.at).reverse();
  return leaving.pop()?.key ?? byKey.keys().next().value!;
}
