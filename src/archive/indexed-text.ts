/** indexedText: a text as the indexes of every archive read it. */

/**
 * SQLite's trigram tokenizer would stop at a NUL. Encoded data and the middle of what is longer than a book take seconds to
 * index, and nobody asks for them; the stored text has them all the same.
 */
export function indexedText(text: string): string {
  const bounded =
    text.length <= MAX_INDEXED
      ? text
      : `${text.slice(0, (MAX_INDEXED * 3) / 4)} ${text.slice(-MAX_INDEXED / 4)}`;
  const plain = bounded.includes("\0") ? bounded.replaceAll("\0", " ") : bounded;
  return hasEncoded(plain) ? plain.replace(ENCODED, (run) => run.slice(0, ENCODED_INDEXED)) : plain;
}

const MAX_INDEXED = 2_000_000;
const ENCODED_INDEXED = 500;
/** Base64 and the like. subtle: what is before keeps the search from starting again at each character of a run. */
const ENCODED = /(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_=-]{1000,}/g;
const IS_ENCODED = Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9+/_=-]/.test(String.fromCharCode(code)),
);

/** Whether it can have such a run: one that long fills some stretch from one multiple of half its length to the next. */
function hasEncoded(text: string): boolean {
  for (let from = 0; from + ENCODED_INDEXED < text.length; from += ENCODED_INDEXED) {
    let at = from;
    while (at <= from + ENCODED_INDEXED && IS_ENCODED[text.charCodeAt(at)]) at++;
    if (at > from + ENCODED_INDEXED) return true;
  }
  return false;
}
