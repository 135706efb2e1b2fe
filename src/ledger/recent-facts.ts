/** A list of facts by key, in the order of first appearance, that forgets the least recent beyond its limit. */

export interface RecentFacts<Fact extends { readonly at: number }> {
  readonly byKey: Map<string, Fact>;
  readonly limit: number;
  dropped: number;
}

export function recentFacts<Fact extends { readonly at: number }>(
  facts: readonly Fact[],
  keyOf: (fact: Fact) => string,
  { limit, dropped }: { readonly limit: number; readonly dropped: number },
): RecentFacts<Fact> {
  return { byKey: new Map(facts.map((fact) => [keyOf(fact), fact])), limit, dropped };
}

/** Puts a fact in the place of the one with its key, or at the end. Returns the key that had to go, if any. */
export function putFact<Fact extends { readonly at: number }>(
  facts: RecentFacts<Fact>,
  key: string,
  fact: Fact,
): string | undefined {
  facts.byKey.set(key, fact);
  if (facts.byKey.size <= facts.limit) return undefined;
  let oldest = "";
  let at = Number.POSITIVE_INFINITY;
  for (const [each, { at: touched }] of facts.byKey) {
    if (touched < at) {
      oldest = each;
      at = touched;
    }
  }
  facts.byKey.delete(oldest);
  facts.dropped++;
  return oldest;
}
