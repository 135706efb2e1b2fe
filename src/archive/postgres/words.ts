/** wordsOf: the words of a text as the index takes them, split and folded the same way on every server. */

/** A tsvector may take one megabyte; a word of two letters takes seven bytes in it, and three here. */
const MAX_BYTES = 400_000;
/** Longer ones are hashes and base64, which nobody searches by word; fragments find them. */
const MAX_WORD = 64;
/** In a text that is too long to be indexed whole, a word counts so often at most, so that all of its words fit. */
const MAX_REPEATS = 4;

/** `"Füße: foo_bar.ts"` → `["fuße", "foo", "bar", "ts"]`. */
export function wordsOf(text: string): readonly string[] {
  const plain = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  const words = (plain.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length <= MAX_WORD);
  return plain.length * 3 <= MAX_BYTES ? words : withinBounds(words);
}

function withinBounds(words: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  let bytes = 0;
  return words.filter((word) => {
    const count = (counts.get(word) ?? 0) + 1;
    const size = Buffer.byteLength(word) + 1;
    if (count > MAX_REPEATS || bytes + size > MAX_BYTES) return false;
    counts.set(word, count);
    bytes += size;
    return true;
  });
}
