/** WordPlaces: where each word of a conversation was said, by its hash, in two typed arrays: there are as many words as lines. */

/** What is known of a word: places among the messages, -1 where there is none. */
export const FIRST = 0;
export const LAST = 1;
/** The last that a person typed or a call was given. */
export const TAKEN = 2;
/** The last that a person typed. */
export const ASKED = 3;

const FACTS = 4;
const FEWEST_SLOTS = 2 ** 10;

export class WordPlaces {
  #words = new Int32Array(FEWEST_SLOTS);
  /** A free slot has 0 where others have their first place and 1. */
  #places = new Int32Array(FEWEST_SLOTS * FACTS);
  #size = 0;

  /** Where the facts of a word are, for `at`; -1 for a word that nobody said. */
  find(word: number): number {
    const slot = this.#slotOf(word);
    return this.#places[slot * FACTS] === 0 ? -1 : slot * FACTS;
  }

  at(found: number, fact: number): number {
    return found < 0 ? -1 : this.#places[found + fact]! - 1;
  }

  /** Whether none of these words was said or passed from a place on. */
  areOlder(words: Int32Array, place: number): boolean {
    for (let each = 0; each < words.length; each++) {
      if (this.#places[this.#slotOf(words[each]!) * FACTS + LAST]! > place) return false;
    }
    return true;
  }

  /** Notes that a word was said or passed at a place, which is not before any that was noted. */
  note(word: number, place: number, isTaken: boolean, isAsked: boolean): void {
    let slot = this.#slotOf(word);
    if (this.#places[slot * FACTS] === 0) {
      if (++this.#size * 2 > this.#words.length) {
        this.#grow();
        slot = this.#slotOf(word);
      }
      this.#words[slot] = word;
      this.#places[slot * FACTS] = place + 1;
    }
    this.#places[slot * FACTS + LAST] = place + 1;
    if (isTaken) this.#places[slot * FACTS + TAKEN] = place + 1;
    if (isAsked) this.#places[slot * FACTS + ASKED] = place + 1;
  }

  #slotOf(word: number): number {
    const words = this.#words;
    const places = this.#places;
    const mask = words.length - 1;
    let slot = (word ^ (word >>> 16)) & mask;
    while (places[slot * FACTS] !== 0 && words[slot] !== word) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const words = this.#words;
    const places = this.#places;
    this.#words = new Int32Array(words.length * 2);
    this.#places = new Int32Array(places.length * 2);
    for (let old = 0; old < words.length; old++) {
      if (places[old * FACTS] === 0) continue;
      const slot = this.#slotOf(words[old]!);
      this.#words[slot] = words[old]!;
      for (let fact = 0; fact < FACTS; fact++)
        this.#places[slot * FACTS + fact] = places[old * FACTS + fact]!;
    }
  }
}
