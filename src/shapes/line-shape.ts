/** The shape of a line: a number that is equal for lines which differ only in numbers, ids and times. */

/** Looks at the start of a line only: what follows rarely makes another kind of line. */
const LOOKED_AT = 160;

/** `GET /a/17 200 3ms` and `GET /a/4 200 12ms` have one shape; words with digits in them count as ids. */
export function lineShape(line: string): number {
  let hash = 0x811c9dc5;
  const end = Math.min(line.length, LOOKED_AT);
  let index = 0;
  while (index < end) {
    const code = line.charCodeAt(index);
    if (!isWordCode(code)) {
      hash = Math.imul(hash ^ code, 0x01000193);
      index++;
      continue;
    }
    let word = 0x811c9dc5;
    let hasDigit = false;
    for (; index < end; index++) {
      const inner = line.charCodeAt(index);
      if (!isWordCode(inner)) break;
      if (inner < 58) hasDigit = true;
      word = Math.imul(word ^ inner, 0x01000193);
    }
    hash = Math.imul(hash ^ (hasDigit ? 35 : word), 0x01000193);
  }
  return hash >>> 0;
}

/** 0-9, A-Z, a-z and everything outside ASCII. */
function isWordCode(code: number): boolean {
  return (code > 47 && code < 58) || (code > 64 && code < 91) || (code > 96 && code < 123) || code > 127;
}
