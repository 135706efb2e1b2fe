/** Words, a shape and a cheap estimate of tokens, in one pass over the characters of a text. */

/** What a stretch of a text is made of, beside its words. */
export interface Scan {
  /** Estimated tokens, in tenths. */
  readonly tenths: number;
  /** The same words and signs in the same order have the same number; -1 for a short one. */
  readonly line: number;
  /**
   * How it begins, as a number of 53 bits: numbers, hex and blanks in one are one blank, so lines that a program printed by one
   * template are alike.
   */
  readonly shape: number;
  /** Six words and more, and hardly anything but letters: somebody wrote it to be read. */
  readonly isSentence: boolean;
}

/**
 * Appends the words of a stretch (two letters and more; Chinese and Japanese in pairs), each as a number from 0 to 2³¹ that is
 * made from its small letters; the lowest bit says that it has letters and digits: an id, a key.
 *
 * subtle: two words may have one number. They then weigh as one word; what is shown is never made from numbers.
 */
export function scan(text: string, from: number, to: number, words: number[]): Scan {
  const shapeEnd = Math.min(to, from + SHAPE);
  let tenths = 5;
  let line = 0;
  let wordCount = 0;
  let letters = 0;
  let high = 7;
  let low = 11;
  let isBlank = false;
  let i = from;
  while (i < to && text.charCodeAt(i) === BLANK) i += 1;
  const isShort = to - i < 20;
  i = from;
  while (i < to) {
    const start = i;
    const [highBefore, lowBefore, wasBlank] = [high, low, isBlank];
    let word = SEED;
    let kinds = 0;
    let code = 0;
    for (; i < to; i += 1) {
      code = text.charCodeAt(i);
      const small = smallOf(code);
      if (small === 0) break;
      word = mixed(word, small);
      kinds |= small <= 57 ? DIGIT : small > 122 ? FAR : small > 96 && small <= 102 ? HEX : LETTER;
      if (small > 96) letters += 1;
      if (i >= shapeEnd) continue;
      if (small > 57) {
        high = mixed(high, code);
        low = added(low, code);
      } else if (!isBlank) {
        high = mixed(high, BLANK);
        low = added(low, BLANK);
      }
      isBlank = small <= 57;
    }
    if (i > start) {
      const length = i - start;
      line = mixed(line, word);
      tenths += length <= 7 ? 10 : 10 * Math.ceil(length / 4.5);
      const isKey = length >= 4 && (kinds & DIGIT) > 0 && (kinds & (HEX | LETTER)) > 0;
      if (length > 1 && length <= 80) words.push(finished(word, isKey));
      if (start < shapeEnd && (kinds & ~HEX) === DIGIT) {
        high = wasBlank ? highBefore : mixed(highBefore, BLANK);
        low = wasBlank ? lowBefore : added(lowBefore, BLANK);
        isBlank = true;
      }
      continue;
    }
    // A sign, a blank or a letter that is a word by itself.
    const isWideLetter = isWide(code);
    if (code === BLANK) wordCount += 1;
    else line = mixed(line, code);
    if (isWideLetter && start > from) {
      const last = text.charCodeAt(start - 1);
      if (isWide(last)) words.push(finished(mixed(mixed(SEED, last), code), false));
    }
    if (code !== BLANK) tenths += isWideLetter ? 8 : 6;
    if (code === BLANK || code > 0xbf) letters += 1;
    if (code > 0x2e80) wordCount += 0.4;
    if (i < shapeEnd) {
      const sign = Math.max(BLANK, code);
      if (sign > BLANK || !isBlank) {
        high = mixed(high, sign);
        low = added(low, sign);
      }
      isBlank = sign === BLANK;
    }
    i += 1;
  }
  return {
    tenths,
    line: isShort ? -1 : line >>> 1,
    shape: (high >>> 0) * 2 ** 21 + (low >>> 11),
    isSentence: wordCount >= 6 && letters > (to - from) * 0.88,
  };
}

const SEED = 0x811c9dc5 | 0;
const BLANK = 32;
/** So many characters of a line are its shape. */
const SHAPE = 160;
const [DIGIT, HEX, LETTER, FAR] = [1, 2, 4, 8];

/** The words of one conversation: each has a place, and what is known about it stands in lists. */
export class Lexicon {
  /** In how many texts a word is, and in how many of the agent's. */
  readonly texts: number[] = [];
  readonly said: number[] = [];
  readonly typed: boolean[] = [];
  /** The last text that gave this word to a call; -1 for none. */
  readonly used: number[] = [];
  /** Letters and digits: an id, a key. */
  readonly isKey: boolean[] = [];
  /** The places of all words of all pieces, one piece after the other. */
  words = new Uint32Array(1024);
  length = 0;
  private readonly numbers: number[] = [];
  private readonly lastText: number[] = [];
  private readonly lastPiece: number[] = [];
  private pieces = 0;
  /** Where a number is looked for: its place and one, 0 where there is none. */
  private slots = new Int32Array(1024);

  /** Remembers that a text has these words: how many texts have a word tells how rare it is, who said it what it is about. */
  learn(numbers: ArrayLike<number>, from: number, text: number, voice: HowSaid): void {
    for (let i = from; i < numbers.length; i += 1) {
      const word = this.placeOf(numbers[i]!);
      if (voice === "typed") this.typed[word] = true;
      if (voice === "asked") this.used[word] = text;
      if (this.lastText[word] === text) continue;
      this.lastText[word] = text;
      this.texts[word]! += 1;
      if (voice === "said") this.said[word]! += 1;
    }
  }

  /**
   * Appends the different words of a piece to `words`.
   *
   * @returns where they end; they begin where those before ended
   */
  add(numbers: ArrayLike<number>, from: number, to: number): number {
    this.pieces += 1;
    for (let i = from; i < to; i += 1) {
      const word = this.placeOf(numbers[i]!);
      if (this.lastPiece[word] === this.pieces) continue;
      this.lastPiece[word] = this.pieces;
      this.append(word);
    }
    return this.length;
  }

  /** How rare each word is among so many texts. */
  rarities(texts: number): Float64Array {
    return Float64Array.from(this.texts, (own) => Math.log2(1 + texts / own));
  }

  get size(): number {
    return this.numbers.length;
  }

  private append(word: number): void {
    if (this.length === this.words.length) {
      const words = new Uint32Array(2 * this.length);
      words.set(this.words);
      this.words = words;
    }
    this.words[this.length] = word;
    this.length += 1;
  }

  /** Where what is known about a word stands. */
  placeOf(number: number): number {
    const slot = this.slotOf(number);
    if (this.slots[slot] !== 0) return this.slots[slot]! - 1;
    const word = this.size;
    this.numbers.push(number);
    this.texts.push(0);
    this.said.push(0);
    this.typed.push(false);
    this.used.push(-1);
    this.isKey.push((number & 1) === 1);
    this.lastText.push(-1);
    this.lastPiece.push(0);
    this.slots[slot] = word + 1;
    if (this.size * 2 > this.slots.length) this.grow();
    return word;
  }

  /** subtle: who made up words to fill neighbouring slots gets one weight for them, but no slow look-up. */
  private slotOf(number: number): number {
    const { slots, numbers } = this;
    const mask = slots.length - 1;
    let slot = (number >>> 1) & mask;
    for (let looked = 0; looked < MOST_SLOTS; looked += 1) {
      const word = slots[slot]!;
      if (word === 0 || numbers[word - 1] === number) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private grow(): void {
    this.slots = new Int32Array(2 * this.slots.length);
    this.numbers.forEach((number, word) => {
      this.slots[this.slotOf(number)] = word + 1;
    });
  }
}

export type HowSaid = "typed" | "said" | "asked" | "printed";

const MOST_SLOTS = 64;

function mixed(number: number, code: number): number {
  return Math.imul(number ^ code, 0x01000193);
}

function added(number: number, code: number): number {
  return (Math.imul(number, 31) + code) | 0;
}

function finished(number: number, isKey: boolean): number {
  const spread = Math.imul(number ^ (number >>> 15), 0x2c1b3c6d);
  return (((spread ^ (spread >>> 12)) >>> 1) & ~1) | (isKey ? 1 : 0);
}

/** Letters, digits and the underscore as they are written small; 0 is none. */
const SMALL = Uint16Array.from({ length: 0x2000 }, (_, code) =>
  code >= 0xc0 || /\w/.test(String.fromCharCode(code))
    ? String.fromCharCode(code).toLowerCase().charCodeAt(0)
    : 0,
);

function smallOf(code: number): number {
  return code < 0x2000 ? SMALL[code]! : 0;
}

/** A letter of a script that is written without spaces. */
function isWide(code: number): boolean {
  return code > 0x2e80 && code < 0xff00 && !(code >= 0x3000 && code <= 0x303f);
}
