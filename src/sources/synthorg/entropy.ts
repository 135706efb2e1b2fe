/** Character entropy: how evenly a text uses its characters, as a cheap measure of how dense it is. */

/** Bits per character of each window of `size` characters, the last one takes the rest: `"aaaa"` → 0, `"abab"` → 1. */
export function windowEntropies(text: string, size = WINDOW_CHARACTERS): Float64Array {
  const width = Math.max(1, Math.floor(size) || WINDOW_CHARACTERS);
  const entropies = new Float64Array(Math.ceil(text.length / width));
  for (let index = 0; index < entropies.length; index++) {
    entropies[index] = entropyOf(text, index * width, Math.min(text.length, (index + 1) * width));
  }
  return entropies;
}

/** Long enough for the counts to mean something, short enough to tell a stack trace from the prose around it. */
const WINDOW_CHARACTERS = 256;

/** One count for each UTF-16 code; set back to zero after each use by walking the same characters again. */
const counts = new Uint32Array(0x10000);

function entropyOf(text: string, start: number, end: number): number {
  for (let at = start; at < end; at++) counts[text.charCodeAt(at)]!++;
  const length = end - start;
  let sum = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const count = counts[code]!;
    if (count === 0) continue;
    sum += count * Math.log2(count);
    counts[code] = 0;
  }
  return Math.log2(length) - sum / length;
}
