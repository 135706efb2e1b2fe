/** JSON scanning: steps over values of a text by their brackets and quotes alone. Iterative, whatever the nesting. */

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const BRACKET = 0x5b;
export const BRACKET_END = 0x5d;
export const BRACE = 0x7b;
export const BRACE_END = 0x7d;
const BACKSLASH = 0x5c;

/** Where the JSON starts: after a byte order mark. */
export function textStart(text: string): number {
  return text.charCodeAt(0) === 0xfeff ? 1 : 0;
}

export function skipSpace(text: string, index: number): number {
  for (;;) {
    const code = text.charCodeAt(index);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return index;
    index++;
  }
}

/** The index after the value at `index`, or -1. Only brackets and strings are looked at: parsing comes later. */
export function skipValue(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code === QUOTE) return skipString(text, index);
  if (code === BRACE || code === BRACKET) return skipContainer(text, index);
  let end = index;
  while (end < text.length && !endsScalar(text.charCodeAt(end))) end++;
  return end === index ? -1 : end;
}

function endsScalar(code: number): boolean {
  return code === COMMA || code === BRACKET_END || code === BRACE_END || code <= 0x20;
}

function skipContainer(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const end = skipString(text, index);
      if (end < 0) return -1;
      index = end - 1;
    } else if (code === BRACE || code === BRACKET) depth++;
    else if ((code === BRACE_END || code === BRACKET_END) && --depth === 0) return index + 1;
  }
  return -1;
}

/** The index after the string whose quote stands at `start`, or -1 when it never ends. */
export function skipString(text: string, start: number): number {
  let quote = start;
  for (;;) {
    quote = text.indexOf('"', quote + 1);
    if (quote < 0) return -1;
    let slashes = quote - 1;
    while (text.charCodeAt(slashes) === BACKSLASH) slashes--;
    // subtle: an even number of backslashes are escaped backslashes, and the quote ends the string.
    if ((quote - 1 - slashes) % 2 === 0) return quote + 1;
  }
}
