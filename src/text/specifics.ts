/** Specifics: what nobody can guess again once it is gone: ids, paths, long numbers, code identifiers, addresses. */
import { charCodesOf } from "./char-codes.ts";

/** The specifics of a text, in lower case, each once. `"see src/a.ts, run 12345"` → `src/a.ts`, `12345` */
export function specificsOf(text: string): Set<string> {
  const specifics = new Set<string>();
  forEachSpecific(text, (start, end) => specifics.add(text.slice(start, end).toLowerCase()));
  return specifics;
}

/** Visits each specific in order as `text.slice(start, end)`. One pass: it runs over every character of a conversation. */
export function forEachSpecific(text: string, visit: (start: number, end: number) => void): void {
  const codes = charCodesOf(text);
  const { length } = text;
  let at = 0;
  while (at < length) {
    if ((KINDS[codes[at]!]! & STARTS) === 0) {
      at++;
      continue;
    }
    const start = at;
    let seen = 0;
    for (let kind = KINDS[codes[at]!]!; kind !== 0; kind = at < length ? KINDS[codes[at]!]! : 0) {
      seen |= kind;
      at++;
    }
    // Nearly every word of prose ends here: without a digit, a joint or a capital nothing can be specific.
    if ((seen & (DIGIT | JOINT | UPPER)) === 0) continue;
    let end = at;
    while (end > start && (KINDS[codes[end - 1]!]! & ENDS) === 0) end--;
    if (isSpecific(codes, start, end)) visit(start, end);
  }
}

const LOWER = 1;
const UPPER = 2;
const DIGIT = 4;
/** _ . / : @ # make a word specific wherever they are in it. */
const JOINT = 8;
/** . : % - may be in a number. */
const NUMERIC = 16;
const STARTS = 32;
const ENDS = 64;
const OTHER = 128;
const CAMEL = 256;

const KINDS = kindTable();

function kindTable(): Uint8Array {
  // One for every code there is, most of them 0: a look-up without a question before it.
  const kinds = new Uint8Array(0x10000);
  const add = (chars: string, kind: number) => {
    for (const char of chars) kinds[char.charCodeAt(0)]! |= kind;
  };
  const lower = "abcdefghijklmnopqrstuvwxyz";
  add(lower, LOWER | STARTS | ENDS);
  add(lower.toUpperCase(), UPPER | STARTS | ENDS);
  add("0123456789", DIGIT | STARTS | ENDS);
  add("_", JOINT | OTHER | STARTS | ENDS);
  add("~", STARTS | OTHER);
  add("+$", OTHER);
  add("./:@#", JOINT);
  add("/@#", OTHER);
  add(".:%-", NUMERIC);
  return kinds;
}

/** Trailing marks ("foo." or "foo:") are no part of a word, so only what is before `end` counts. */
function isSpecific(codes: Uint16Array, start: number, end: number): boolean {
  if (end - start < 4 || end - start > 160) return false;
  let seen = 0;
  let previous = 0;
  let digits = 0;
  for (let at = start; at < end; at++) {
    const kind = KINDS[codes[at]!]!;
    digits += (kind & DIGIT) >> 2;
    if ((previous & LOWER) !== 0 && (kind & UPPER) !== 0) seen |= CAMEL;
    seen |= kind;
    previous = kind;
  }
  const isNumber = (seen & (LOWER | UPPER | OTHER)) === 0;
  return isNumber ? digits >= 4 : digits > 0 || (seen & (CAMEL | JOINT)) !== 0;
}
