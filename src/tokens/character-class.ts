/** Character classes: what the pre-split asks about one character of a UTF-8 text. */

/** Lu and Lt. */
export const UPPER = 1;
/** Ll. */
export const LOWER = 2;
/** Lm and Lo: letters without case. */
export const UNCASED = 4;
export const LETTER = UPPER | LOWER | UNCASED;
/** M: accents and other combining marks. */
export const MARK = 8;
export const NUMBER = 16;
/** Carriage return and line feed. */
export const NEWLINE = 32;
/** Any other white space. */
export const SPACE = 64;
/** Everything else: punctuation, symbols, controls, unassigned. */
export const OTHER = 128;
export const ANY_SPACE = NEWLINE | SPACE;

/**
 * The class of the character at `at` (one of the flags above) plus its width in bytes shifted left by 8;
 * 0 at the end of the text. The bytes must be valid UTF-8.
 */
export function characterAt(bytes: Uint8Array, at: number, end: number): number {
  if (at >= end) return 0;
  const byte = bytes[at]!;
  return byte < 0x80 ? ASCII[byte]! : wideCharacterAt(bytes, at);
}

function wideCharacterAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  const second = bytes[at + 1]! & 0x3f;
  if (lead < 0xe0) return classOf(((lead & 0x1f) << 6) | second) | (2 << 8);
  const third = bytes[at + 2]! & 0x3f;
  if (lead < 0xf0) return classOf(((lead & 0x0f) << 12) | (second << 6) | third) | (3 << 8);
  const fourth = bytes[at + 3]! & 0x3f;
  return classOf(((lead & 0x07) << 18) | (second << 12) | (third << 6) | fourth) | (4 << 8);
}

/** Classes already looked up, by code point; 0 where not yet. */
const known = new Uint8Array(0x110000);

function classOf(codePoint: number): number {
  return known[codePoint] || classify(codePoint);
}

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  const flag = CLASSES.find(([pattern]) => pattern.test(character))?.[1] ?? OTHER;
  known[codePoint] = flag;
  return flag;
}

const CLASSES: readonly (readonly [RegExp, number])[] = [
  [/[\p{Lm}\p{Lo}]/u, UNCASED],
  [/\p{Ll}/u, LOWER],
  [/[\p{Lu}\p{Lt}]/u, UPPER],
  [/\p{M}/u, MARK],
  [/\p{N}/u, NUMBER],
  [/[\r\n]/, NEWLINE],
  [/\s/u, SPACE],
];

const ASCII = Uint16Array.from({ length: 128 }, (_, codePoint) => classify(codePoint) | (1 << 8));
