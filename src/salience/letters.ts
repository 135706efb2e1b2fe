/** Asks what kind of character stands in a text; ASCII is answered without Unicode tables, which take long to load. */

/** Whether the text holds nothing but ASCII. */
export function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}

export function hasLetter(text: string): boolean {
  return ASCII_LETTER.test(text) || (!isAscii(text) && /\p{L}/u.test(text));
}

/** Two in a row: a word, or a piece of one. */
export function hasTwoLetters(text: string): boolean {
  return TWO_ASCII_LETTERS.test(text) || (!isAscii(text) && /\p{L}{2}/u.test(text));
}

export function hasLetterOrDigit(text: string): boolean {
  return ASCII_LETTER_OR_DIGIT.test(text) || (!isAscii(text) && /[\p{L}\p{N}]/u.test(text));
}

export function startsWithLetterOrDigit(text: string): boolean {
  const code = text.charCodeAt(0);
  return code < 128 ? ASCII_LETTER_OR_DIGIT.test(text[0]!) : /^[\p{L}\p{N}]/u.test(text);
}

export function startsWithLowerCase(text: string): boolean {
  const code = text.charCodeAt(0);
  return code < 128 ? code >= 97 && code <= 122 : /^\p{Ll}/u.test(text);
}

const NOT_ASCII = /[^\0-\x7f]/;
const ASCII_LETTER = /[A-Za-z]/;
const TWO_ASCII_LETTERS = /[A-Za-z]{2}/;
const ASCII_LETTER_OR_DIGIT = /[A-Za-z0-9]/;
