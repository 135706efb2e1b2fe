/** HashTable: numbers distinct 32-bit hashes from 0 on, in typed arrays: no string is kept and nothing is collected. */

export interface HashTable {
  readonly size: () => number;
  /** The number of a hash; -1 when it was never added. */
  readonly find: (hash: number) => number;
  /** The number of a hash, a new one when it is new. */
  readonly add: (hash: number) => number;
}

/** Open addressing; grows when it is half full. */
export function createHashTable(): HashTable {
  let shift = 32 - 12;
  let slots = 1 << 12;
  let keys = new Int32Array(slots);
  let numbers = new Int32Array(slots).fill(-1);
  let size = 0;
  const slotOf = (hash: number): number => {
    // The high bits of the product depend on every bit of the hash.
    let slot = Math.imul(hash, 0x9e3779b1) >>> shift;
    while (numbers[slot] !== -1 && keys[slot] !== hash) slot = (slot + 1) & (slots - 1);
    return slot;
  };
  const grow = (): void => {
    const [oldKeys, oldNumbers] = [keys, numbers];
    slots *= 2;
    shift--;
    keys = new Int32Array(slots);
    numbers = new Int32Array(slots).fill(-1);
    for (let old = 0; old < oldKeys.length; old++) {
      if (oldNumbers[old] === -1) continue;
      const slot = slotOf(oldKeys[old]!);
      keys[slot] = oldKeys[old]!;
      numbers[slot] = oldNumbers[old]!;
    }
  };
  return {
    size: () => size,
    find: (hash) => numbers[slotOf(hash)]!,
    add(hash) {
      const slot = slotOf(hash);
      if (numbers[slot] !== -1) return numbers[slot]!;
      keys[slot] = hash;
      numbers[slot] = size;
      if (2 * ++size > slots) grow();
      return size - 1;
    },
  };
}
