/** Random numbers that are the same for the same seed. */

/** Numbers from 0 up to 1 (mulberry32), begun from a number and a text. */
export function seededRandom(seed: number, label = ""): () => number {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  for (const character of label) state = Math.imul(state ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
