/** The words of a text as they are said or passed to calls: names, paths and addresses are one word each; as numbers, read in one pass. */

/**
 * Visits the hash of each word, in lower case: letters, digits and underscores, and between them also `@ . : / -`.
 * The same word has the same hash everywhere; two words share one with a chance of about 1 in 4 billion.
 *
 *     "Open src/a.ts, please." → open, src/a.ts, please
 */
export function forEachPassedWord(text: string, visit: (hash: number) => void): void {
  // Only letters beyond ASCII need to be seen in their company to be made small.
  const lowered = BEYOND_ASCII.test(text) ? text.toLowerCase() : text;
  const { length } = lowered;
  for (let at = 0; at < length; ) {
    if (!isInWord(lowered, at)) {
      at++;
      continue;
    }
    const start = at;
    // The hash and the end as they were after the last character that may end a word.
    let word = 0;
    let end = start;
    let hash = SEED;
    for (; at < length; at++) {
      const isIn = isInWord(lowered, at);
      const code = lowered.charCodeAt(at);
      if (!isIn && !(code < 128 && CLASSES[code] === JOINS)) break;
      hash = mixed(hash, code < 128 ? SMALL[code]! : code);
      if (!isIn) continue;
      word = hash;
      end = at + 1;
    }
    at = end;
    if (end - start > 1 || lowered.charCodeAt(start) !== UNDERSCORE) visit(word);
  }
}

const BEYOND_ASCII = /[^\0-\x7f]/;
const SEED = 0x811c9dc5;
const UNDERSCORE = 95;

function mixed(hash: number, code: number): number {
  const product = Math.imul(hash ^ code, 0x01000193);
  return product ^ (product >>> 15);
}

const IS_IN = 1;
const JOINS = 2;
const NEITHER = 3;
/** By the code of a character: what it is in a word; 0 where nobody has asked yet. */
const CLASSES = Uint8Array.from({ length: 2 ** 16 }, (_, code) => {
  if (code >= 128) return 0;
  const character = String.fromCharCode(code);
  return /\w/.test(character) ? IS_IN : /[@.:/-]/.test(character) ? JOINS : NEITHER;
});
const SMALL = Uint8Array.from({ length: 128 }, (_, code) =>
  String.fromCharCode(code).toLowerCase().charCodeAt(0),
);

function isInWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const known = CLASSES[code]!;
  if (known !== 0) return known === IS_IN;
  if ((code & 0xf800) === 0xd800) {
    // A pair of surrogates is judged as one, from either half.
    const point = text.codePointAt((code & 0xfc00) === 0xdc00 ? at - 1 : at) ?? 0;
    return point > 0xffff && LETTER_OR_DIGIT.test(String.fromCodePoint(point));
  }
  CLASSES[code] = LETTER_OR_DIGIT.test(text[at]!) ? IS_IN : NEITHER;
  return CLASSES[code] === IS_IN;
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
