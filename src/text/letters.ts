/** Asks what kind of character is in a text; ASCII and common signs are answered without Unicode tables, which take long to load. */

/** Whether the text holds nothing but ASCII. */
export function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}

/** Whether all its letters and digits are ASCII; false where only the Unicode tables could tell. */
export function hasOnlyAsciiLetters(text: string): boolean {
  return !MAY_BE_LETTER.test(text);
}

export function hasLetter(text: string): boolean {
  return ASCII_LETTER.test(text) || (MAY_BE_LETTER.test(text) && /\p{L}/u.test(text));
}

/** Two in a row: a word, or a piece of one. */
export function hasTwoLetters(text: string): boolean {
  return TWO_ASCII_LETTERS.test(text) || (MAY_BE_LETTER.test(text) && /\p{L}{2}/u.test(text));
}

export function hasLetterOrDigit(text: string): boolean {
  return ASCII_LETTER_OR_DIGIT.test(text) || (MAY_BE_LETTER.test(text) && /[\p{L}\p{N}]/u.test(text));
}

export function startsWithLetterOrDigit(text: string): boolean {
  if (ASCII_LETTER_OR_DIGIT.test(text.charAt(0))) return true;
  return MAY_BE_LETTER.test(text.slice(0, 2)) && /^[\p{L}\p{N}]/u.test(text);
}

export function startsWithLowerCase(text: string): boolean {
  const code = text.charCodeAt(0);
  return code < 128 ? code >= 97 && code <= 122 : /^\p{Ll}/u.test(text);
}

const NOT_ASCII = /[^\0-\x7f]/;
/**
 * Neither ASCII nor one of the dashes, quotes, arrows, frames, bullets and emoji that the output of programs is full of. The second
 * half of a pair says nothing: the first does, and of those of the emoji only two begin a few digits besides.
 */
const MAY_BE_LETTER =
  /[^\0-\x7f\u2010-\u205e\u2190-\u245f\u2500-\u2775\u2794-\u2bff\ud83c-\ud83e\udc00-\udfff\ufdfc-\ufe6f]|\ud83c[\udd00-\udd0c]|\ud83e[\udff0-\udff9]/;
const ASCII_LETTER = /[A-Za-z]/;
const TWO_ASCII_LETTERS = /[A-Za-z]{2}/;
const ASCII_LETTER_OR_DIGIT = /[A-Za-z0-9]/;
