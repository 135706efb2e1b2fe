/** WordPlaces: where each word of a conversation was said, by its hash, in one typed array: there are as many words as lines. */

/** What is known of a word: places among the messages, -1 where there is none. */
export const FIRST = 0;
export const LAST = 1;
/** The last that a person typed or a call was given. */
export const TAKEN = 2;
/** The last that a person typed. */
export const ASKED = 3;

/** A slot has the four places, each with 1 added, and the word; a free slot has 0 as its first place. */
const WORD = 4;
const SLOT = 5;
const FEWEST_SLOTS = 2 ** 10;
/** More of the slots than this are not taken. */
const MOST_TAKEN = 0.7;

export class WordPlaces {
  #slots = new Int32Array(FEWEST_SLOTS * SLOT);
  #mask = FEWEST_SLOTS - 1;
  #size = 0;

  /** Where the facts of a word are, for `at`; -1 for a word that nobody said. */
  find(word: number): number {
    const slot = this.#slotOf(word);
    return this.#slots[slot] === 0 ? -1 : slot;
  }

  at(found: number, fact: number): number {
    return found < 0 ? -1 : this.#slots[found + fact]! - 1;
  }

  /** Whether none of these words were said or passed from a place on. */
  areOlder(words: readonly number[], place: number): boolean {
    for (let each = 0; each < words.length; each++) {
      if (this.#slots[this.#slotOf(words[each]!) + LAST]! > place) return false;
    }
    return true;
  }

  /** Notes that a word was said or passed at a place, which is not before any that was noted. */
  note(word: number, place: number, isTaken: boolean, isAsked: boolean): void {
    let slot = this.#slotOf(word);
    if (this.#slots[slot] === 0) {
      if (++this.#size > this.#mask * MOST_TAKEN) {
        this.#grow();
        slot = this.#slotOf(word);
      }
      this.#slots[slot] = place + 1;
      this.#slots[slot + WORD] = word;
    }
    this.#slots[slot + LAST] = place + 1;
    if (isTaken) this.#slots[slot + TAKEN] = place + 1;
    if (isAsked) this.#slots[slot + ASKED] = place + 1;
  }

  /** The word's slot, or the free one where it would be. */
  #slotOf(word: number): number {
    const slots = this.#slots;
    const mask = this.#mask;
    let index = (word ^ (word >>> 16)) & mask;
    let slot = index * SLOT;
    while (slots[slot] !== 0 && slots[slot + WORD] !== word) {
      index = (index + 1) & mask;
      slot = index * SLOT;
    }
    return slot;
  }

  #grow(): void {
    const slots = this.#slots;
    this.#slots = new Int32Array(slots.length * 2);
    this.#mask = this.#mask * 2 + 1;
    for (let old = 0; old < slots.length; old += SLOT) {
      if (slots[old] === 0) continue;
      const slot = this.#slotOf(slots[old + WORD]!);
      for (let each = 0; each < SLOT; each++) this.#slots[slot + each] = slots[old + each]!;
    }
  }
}
