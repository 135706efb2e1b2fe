/** JSON escapes: how a text stands inside a JSON string, as the arguments of a call do on the wire. */

/** `a "b"` and a line end → `a \"b\"\n`, without the quotes around it. */
export function escapedText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Whether the letter at a place is an escape's, as the `n` of `\n`: it runs into whatever stands behind it. */
export function isOfEscape(text: string, at: number): boolean {
  return at > 0 && text.charCodeAt(at - 1) === BACKSLASH;
}

const BACKSLASH = 92;
