/** HashTable: numbers distinct 32-bit hashes from 0 on, in typed arrays: no string is kept and nothing is collected. */

export interface HashTable {
  readonly size: () => number;
  /** The number of a hash; -1 when it was never added. */
  readonly find: (hash: number) => number;
  /** The number of a hash, a new one when it is new. */
  readonly add: (hash: number) => number;
}

/** Holds up to `capacity` hashes; open addressing, never more than half full. */
export function createHashTable(capacity: number): HashTable {
  const slots = 2 ** Math.ceil(Math.log2(2 * capacity + 2));
  const keys = new Int32Array(slots);
  const numbers = new Int32Array(slots).fill(-1);
  let size = 0;
  const slotOf = (hash: number): number => {
    let slot = hash & (slots - 1);
    while (numbers[slot] !== -1 && keys[slot] !== hash) slot = (slot + 1) & (slots - 1);
    return slot;
  };
  return {
    size: () => size,
    find: (hash) => numbers[slotOf(hash)]!,
    add(hash) {
      const slot = slotOf(hash);
      if (numbers[slot] === -1) {
        keys[slot] = hash;
        numbers[slot] = size++;
      }
      return numbers[slot]!;
    },
  };
}
