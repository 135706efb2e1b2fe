/** The words of a text as they are said or passed to calls: names, paths and addresses are one word each; as numbers, read in one pass. */
import type { IntList } from "../salience/int-list.ts";
import { hasOnlyAsciiLetters } from "../text/letters.ts";

/**
 * Appends the hash of each word, in lower case: letters, digits and underscores, and between them also `@ . : / -`.
 * The same word has the same hash everywhere; two words share one with a chance of about 1 in 4 billion.
 *
 *     "Open src/a.ts, please." → open, src/a.ts, please
 */
export function listPassedWords(text: string, found: IntList): void {
  // Only letters beyond ASCII need to be seen in their company to be made small.
  if (hasOnlyAsciiLetters(text)) listAsciiWords(text, found);
  else listWords(text.toLowerCase(), found);
}

/** The same as below, without a question that only letters beyond ASCII raise: it runs over nearly all that is said and passed. */
function listAsciiWords(text: string, found: IntList): void {
  const { length } = text;
  found.reserve((length >> 1) + 1);
  const { items } = found;
  let count = found.length;
  let at = 0;
  while (at < length) {
    const first = ASCII[text.charCodeAt(at)]!;
    if (first <= JOINT) {
      at++;
      continue;
    }
    const start = at;
    let hash = mixed(SEED, first);
    let word = hash;
    let end = ++at;
    for (; at < length; at++) {
      const code = text.charCodeAt(at);
      const kind = ASCII[code]!;
      if (kind > JOINT) {
        hash = mixed(hash, kind);
        word = hash;
        end = at + 1;
      } else if (kind === JOINT) hash = mixed(hash, code);
      else break;
    }
    if (end - start > 1 || first !== UNDERSCORE) items[count++] = word;
  }
  found.length = count;
}

function listWords(lowered: string, found: IntList): void {
  const { length } = lowered;
  let start = -1;
  let hash = SEED;
  // The hash and the end as they were after the last character that may end a word.
  let word = 0;
  let end = 0;
  for (let at = 0; at <= length; at++) {
    const code = at < length ? lowered.charCodeAt(at) : SPACE;
    const kind = code < 128 ? KINDS[code] : kindBeyond(lowered, at, code);
    if (kind === IS_IN) {
      if (start < 0) {
        start = at;
        hash = SEED;
      }
      hash = mixed(hash, code < 128 ? SMALL[code]! : code);
      word = hash;
      end = at + 1;
    } else if (start >= 0) {
      if (kind === JOINS) hash = mixed(hash, code);
      else {
        if (end - start > 1 || lowered.charCodeAt(start) !== UNDERSCORE) found.push(word);
        start = -1;
      }
    }
  }
}

const SEED = 0x811c9dc5;
const UNDERSCORE = 95;
const SPACE = 32;

function mixed(hash: number, code: number): number {
  const product = Math.imul(hash ^ code, 0x01000193);
  return product ^ (product >>> 15);
}

const IS_IN = 1;
const JOINS = 2;
const NEITHER = 3;
/** What an ASCII character is in a word, and what it is when it is small. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /\w/.test(character) ? IS_IN : /[@.:/-]/.test(character) ? JOINS : NEITHER;
});
const SMALL = Uint8Array.from({ length: 128 }, (_, code) =>
  String.fromCharCode(code).toLowerCase().charCodeAt(0),
);

/** Both in one number: the small character of one in a word, `JOINT` for one that joins, 0 for any other, as for every sign beyond ASCII. */
const JOINT = 1;
const ASCII = new Uint8Array(2 ** 16);
for (let code = 0; code < 128; code++)
  ASCII[code] = KINDS[code] === IS_IN ? SMALL[code]! : KINDS[code] === JOINS ? JOINT : 0;

/** The same of those beyond ASCII; 0 where nobody has asked yet. */
const BEYOND = new Uint8Array(2 ** 16);

function kindBeyond(text: string, at: number, code: number): number {
  if ((code & 0xf800) !== 0xd800) {
    BEYOND[code] ||= kindOf(code);
    return BEYOND[code]!;
  }
  // A pair of surrogates is judged as one, from either half.
  const point = text.codePointAt((code & 0xfc00) === 0xdc00 ? at - 1 : at) ?? 0;
  return point > 0xffff ? kindOf(point) : NEITHER;
}

function kindOf(point: number): number {
  return /[\p{L}\p{N}]/u.test(String.fromCodePoint(point)) ? IS_IN : NEITHER;
}
