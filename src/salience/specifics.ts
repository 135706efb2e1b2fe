/** Specifics: what nobody can guess again once it is gone: ids, paths, long numbers, code identifiers, addresses. */

/** The specifics of a text, in lower case, each once. `"see src/a.ts, run 12345"` → `src/a.ts`, `12345` */
export function specificsOf(text: string): Set<string> {
  const specifics = new Set<string>();
  forEachSpecific(text, (start, end) => specifics.add(text.slice(start, end).toLowerCase()));
  return specifics;
}

/** Visits each specific in order as `text.slice(start, end)`. One pass, nothing allocated. */
export function forEachSpecific(text: string, visit: (start: number, end: number) => void): void {
  const { length } = text;
  let at = 0;
  while (at < length) {
    if ((kindAt(text, at) & STARTS) === 0) {
      at++;
      continue;
    }
    const start = at;
    let end = at;
    let digits = 0;
    let seen = 0;
    let previous = 0;
    for (let kind = kindAt(text, at); kind !== 0; kind = kindAt(text, ++at)) {
      if ((kind & ENDS) !== 0) end = at + 1;
      if ((kind & DIGIT) !== 0) digits++;
      if ((previous & LOWER) !== 0 && (kind & UPPER) !== 0) seen |= CAMEL;
      seen |= kind;
      previous = kind;
    }
    // subtle: trailing marks ("foo." or "foo:") are no part of the word, so what was seen in them must not count.
    if (end < at) seen = seenIn(text, start, end);
    if (isSpecific(end - start, digits, seen)) visit(start, end);
  }
}

const LOWER = 1;
const UPPER = 2;
const DIGIT = 4;
/** _ . / : @ # make a word specific wherever they stand in it. */
const JOINT = 8;
/** . : % - may stand in a number. */
const NUMERIC = 16;
const STARTS = 32;
const ENDS = 64;
const OTHER = 128;
const CAMEL = 256;

const KINDS = kindTable();

function kindTable(): Uint8Array {
  const kinds = new Uint8Array(128);
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

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  // Past the end the code is NaN, and NaN < 128 is false.
  return code < 128 ? KINDS[code]! : 0;
}

function seenIn(text: string, start: number, end: number): number {
  let seen = 0;
  let previous = 0;
  for (let at = start; at < end; at++) {
    const kind = kindAt(text, at);
    if ((previous & LOWER) !== 0 && (kind & UPPER) !== 0) seen |= CAMEL;
    seen |= kind;
    previous = kind;
  }
  return seen;
}

function isSpecific(length: number, digits: number, seen: number): boolean {
  if (length < 4 || length > 160) return false;
  const isNumber = (seen & (LOWER | UPPER | OTHER)) === 0;
  return isNumber ? digits >= 4 : digits > 0 || (seen & (CAMEL | JOINT)) !== 0;
}
