/** Words of a text as numbers: what TF-IDF counts, read in one pass without making strings. */

/**
 * Visits the hash of each word, in lower case: runs of letters, digits and underscores; each CJK character is a word.
 * The same word has the same hash everywhere; two words share one with a chance of about 1 in 4 billion.
 */
export function forEachWord(text: string, visit: (hash: number) => void): void {
  const { length } = text;
  let hash = 0;
  for (let at = 0; at < length; at++) {
    let code = text.charCodeAt(at);
    if (code < 128) code = FOLDED[code]!;
    else if (code >= 0x2e80 && code <= 0xd7ff) {
      if (hash !== 0) visit(hash);
      visit(nextHash(SEED, code));
      hash = 0;
      continue;
    }
    if (code !== 0) hash = nextHash(hash === 0 ? SEED : hash, code);
    else if (hash !== 0) {
      visit(hash);
      hash = 0;
    }
  }
  if (hash !== 0) visit(hash);
}

const SEED = 0x811c9dc5;

/** Never zero, which stands for "no word". */
function nextHash(hash: number, code: number): number {
  const mixed = Math.imul(hash ^ code, 0x01000193);
  return mixed ^ (mixed >>> 15) || 1;
}

/** ASCII letters in lower case, digits and the underscore as they are, everything else 0. */
const FOLDED = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  return /[A-Za-z0-9_]/.test(char) ? char.toLowerCase().charCodeAt(0) : 0;
});
