/** Text in a small alphabet, so that terms of ten languages are found by plain expressions that cost nothing to compile. */

/**
 * Lower case, one code unit for each character: letters of the languages we have terms for stay, other letters become
 * `ª`, other digits `²`, currency signs `$`, and `’` is `'`. Equals what the flags `iu` would match.
 *
 * `"Ne pas ÔTER l’ŵ!"` → `"ne pas ôter l'ª!"`
 */
export function foldText(text: string): string {
  return foldLetters(text).toLowerCase();
}

/** The same with the case left as it is: for expressions, in which `\\P` is not `\\p`. */
export function foldLetters(text: string): string {
  return NOT_ASCII.test(text) ? text.replace(UNUSUAL, foldCharacter) : text;
}

/** What `\p{L}` is in a folded text, to stand in brackets. */
export const FOLDED_LETTERS =
  "a-zª\xdf-\xf6\xf8-\xffа-яё\u3041-\u3096ァ-ヺー-ヾ\u3400-\u4dbf\u4e00-\u9fff가-힣";

/** What `[\p{L}\p{N}_]` is in a folded text, to stand in brackets. */
export const FOLDED_WORD = `${FOLDED_LETTERS}0-9_²`;

/** Whether a code unit of a folded text belongs to a word: a letter, a digit or an underscore; false for NaN. */
export function isFoldedWord(code: number): boolean {
  return code < 128 ? ASCII_WORD[code] === 1 : code >= 128 && OTHER_WORD.test(String.fromCharCode(code));
}

const NOT_ASCII = /[^\0-\x7f]/;
const ASCII_WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  /[a-z0-9_]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const OTHER_WORD = new RegExp(`[${FOLDED_WORD}]`);

/** All but ASCII, Latin-1, Cyrillic, kana, Han, Hangul, and marks that are no letter, digit or currency sign. */
const UNUSUAL =
  /[\ud800-\udbff][\udc00-\udfff]|[^\0-\xa1\xa6-\xb2\xb4\xb6-\xb8\xbb\xbf-\xffЁА-яё\u2010-\u2018\u201a-\u205e\u2190-\u245f\u2500-\u2775\u2794-\u2bff\u3000-\u3004\u3008-\u3020\u3041-\u3096ァ-ヾ\u3400-\u4dbf\u4e00-\u9fff가-힣！-＃％-／：-＠]/g;

function foldCharacter(character: string): string {
  if (character === "’") return "'";
  // U+0345 is a mark, but case makes a letter of it.
  if (/\p{L}|\u0345/u.test(character)) {
    // By way of the upper case, since `ſ` and `s` have it in common; `ı` and `i` have too, but are two letters.
    const letter = character === "ı" ? character : character.toUpperCase().toLowerCase();
    return KNOWN_LETTER.test(letter) ? letter : "ª";
  }
  if (/\p{N}/u.test(character)) return "²";
  if (/\p{Sc}/u.test(character)) return "$";
  return character.length > 1 ? "·" : character;
}

const KNOWN_LETTER = new RegExp(`^[${FOLDED_LETTERS}]$`);
