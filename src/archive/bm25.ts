/** BM25 as FTS5 computes it, over all messages of an archive whatever the scope: a score is the same in every kind of archive. */

/** How much a stem says that so many of all messages have. */
export function rarityOfTerm(messages: number, holders: number): number {
  const rarity = Math.log((messages - holders + 0.5) / (holders + 0.5));
  return rarity > 0 ? rarity : LEAST_RARITY;
}

/** What one stem adds to the score of a message, by how often it is there. */
export function termScore(
  rarity: number,
  { count, length, averageLength }: Record<"count" | "length" | "averageLength", number>,
): number {
  const slow = SATURATION * (1 - BY_LENGTH + (BY_LENGTH * length) / averageLength);
  return rarity * ((count * (SATURATION + 1)) / (count + slow));
}

/** A stem that more than half of all messages have still counts a little. */
export const LEAST_RARITY = 1e-6;
export const SATURATION = 1.2;
export const BY_LENGTH = 0.75;

/** A score is cut to whole steps, so many in one: its last bits depend on the machine. Of equals the later written comes first. */
export const STEPS = 1e9;
