/** Features of a sentence, each as a number: its words, pairs and pieces of words, how it opens and its shape. No list of words is needed. */

/** Features are numbers of so many bits: of a million that were never seen, about a hundred share one with a known one. */
export const FEATURE_BITS = 24;

/**
 * Visits the features of a sentence, some of them more than once: every word, every two words in a row, the first word and the
 * first two, beginnings of long words, pieces of words with other than English letters, and marks of shape. Case does not count, nor
 * which number is there.
 */
export function forEachFeature(sentence: string, visit: (feature: number) => void): void {
  const text = sentence.toLowerCase();
  const { length } = text;
  let words = 0;
  let before = SEED;
  let signs = ALWAYS;
  for (let at = 0; at < length; at++) {
    let code = text.charCodeAt(at);
    signs |= marksBy(code);
    if (inWord(code) === 0) continue;
    const start = at;
    let isPlain = true;
    let word = SEED;
    let last = 0;
    for (; at < length; at++) {
      code = text.charCodeAt(at);
      signs |= marksBy(code);
      const letter = inWord(code);
      if (letter === 0) break;
      if (letter > 127) isPlain = false;
      // Which number it is does not matter.
      if (letter !== ZERO || last !== ZERO) word = mixed(word, letter);
      last = letter;
    }
    visit(featureOf(Kind.word, word));
    visit(featureOf(Kind.pair, mixed(before, word)));
    if (words === 0) visit(featureOf(Kind.opening, word));
    if (words === 1) visit(featureOf(Kind.opening, mixed(before, word)));
    if (!isPlain) visitPieces(text, start, at, visit);
    else if (at - start > STEM) visit(featureOf(Kind.piece, hashOf(text, start, start + STEM)));
    before = word;
    words++;
  }
  visit(featureOf(Kind.pair, mixed(before, SEED)));
  visit(featureOf(Kind.length, Math.min(6, Math.ceil(Math.log2(words + 1)))));
  for (let index = 0; index < MARKS.length; index++)
    if ((signs >> index) & 1 && MARKS[index]![1].test(text)) visit(featureOf(Kind.mark, index));
}

const enumerated = ["word", "pair", "opening", "piece", "length", "mark"] as const;
const Kind = Object.fromEntries(enumerated.map((name, at) => [name, at + 1])) as Readonly<
  Record<(typeof enumerated)[number], number>
>;

/** Each with signs of which a text must have one. How it ends and opens, what is between: commas, code, quotes, figures, addresses, hashes, emphasis. */
const MARKS: readonly (readonly [signs: string, mark: RegExp])[] = [
  ["?", /[?？]["')\]]*$/],
  ["!", /[!！]$/],
  [":", /[:：][*_]*$/],
  [".", /[.。।]$/],
  ["", /^[^\p{L}\p{N}]/u],
  [",", /,.*,/],
  ["`", /`/],
  ['"', /["“”]/],
  ["0", /\d/],
  ["0", /\d{3}/],
  [":", /https?:/],
  ["/", /\w\/\w/],
  ["/", /\w[\w.-]*\/[\w.-]+\/\w/],
  ["0", /\b(?=\w*\d)[0-9a-f]{7,}\b/],
  ["*", /\*\*/],
  [">", /→|=>|->/],
  [";(", /[;(]/],
  ["=<>{}|$\\[]", /[=<>{}|$\\[\]]/],
  ["_", /_/],
  ["", /^\W*\w+(?:[\w./:-]*\w)?\W*$/],
  ["\n", /\n/],
];

/** By the code of an ASCII character the marks that it may make, as bits; most sentences have few signs and are spared most patterns. */
const MARKS_OF = Uint32Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code).replace(/\d/, "0");
  return bitsOf((signs) => signs.includes(sign));
});
const ALWAYS = bitsOf((signs) => signs === "");

function bitsOf(isIn: (signs: string) => boolean): number {
  return MARKS.reduce((bits, [signs], index) => (isIn(signs) ? bits | (1 << index) : bits), 0);
}

/** Beyond ASCII are other forms of the same signs. */
function marksBy(code: number): number {
  return code < 128 ? MARKS_OF[code]! : -1;
}

const STEM = 5;
const LONGEST_PIECE = 4;

/** Where words are inflected or not set apart, their pieces tell. */
function visitPieces(text: string, start: number, end: number, visit: (feature: number) => void): void {
  for (let from = start; from < end; from++) {
    let hash = from === start ? mixed(SEED, SPACE) : SEED;
    const most = Math.min(end, from + LONGEST_PIECE);
    for (let at = from; at < most; at++) {
      hash = mixed(hash, inWord(text.charCodeAt(at)));
      visit(featureOf(Kind.piece, hash));
    }
  }
}

function hashOf(text: string, start: number, end: number): number {
  let hash = SEED;
  for (let at = start; at < end; at++) hash = mixed(hash, inWord(text.charCodeAt(at)));
  return hash;
}

const SEED = 0x811c9dc5;
const SPACE = 32;
const APOSTROPHE = 39;
const CURLY = 0x2019;
const ZERO = 48;

function mixed(hash: number, code: number): number {
  const product = Math.imul(hash ^ code, 0x01000193);
  return product ^ (product >>> 15);
}

function featureOf(kind: number, hash: number): number {
  return mixed(mixed(SEED, kind), hash) >>> (32 - FEATURE_BITS);
}

/** What a character counts as in a word, every digit as 0; 0 for one that is in no word. */
function inWord(code: number): number {
  return code < 128 ? ASCII_IN_WORD[code]! : wideInWord(code);
}

/** In lower case: letters, digits, the underscore and the apostrophe. */
const ASCII_IN_WORD = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 48 && code <= 57) return ZERO;
  return (code >= 97 && code <= 122) || code === 95 || code === APOSTROPHE ? code : 0;
});

/** Letters and their marks. */
function wideInWord(code: number): number {
  if (code === CURLY) return APOSTROPHE;
  const isOther =
    code < 0xc0 ||
    code === 0xd7 ||
    code === 0xf7 ||
    (code >= 0x2000 && code < 0x2e80) ||
    (code >= 0x3000 && code < 0x3040) ||
    (code >= 0xff00 && code < 0xff10);
  return isOther ? 0 : code;
}
