/** Whether a text holds another as a run of whole lines: in linear time, where `includes` may take the product of both. */

/**
 * The last line break of `run` does not count.
 *
 *     holdsLines("a\nb\nc", "b\nc\n") → true
 *     holdsLines("a\nbb\nc", "b\nc") → false
 */
export function holdsLines(text: string, run: string): boolean {
  if (run.length > text.length + 1) return false;
  const wanted = run.replace(/\n$/, "").split("\n");
  const overlaps = overlapsOf(wanted);
  let matched = 0;
  for (const line of text.split("\n")) {
    while (matched > 0 && wanted[matched] !== line) matched = overlaps[matched - 1]!;
    if (wanted[matched] === line) matched++;
    if (matched === wanted.length) return true;
  }
  return false;
}

/** For each line: how many lines that end there are also the first ones (Knuth, Morris, Pratt). */
function overlapsOf(lines: readonly string[]): readonly number[] {
  const overlaps = [0];
  let matched = 0;
  for (const line of lines.slice(1)) {
    while (matched > 0 && lines[matched] !== line) matched = overlaps[matched - 1]!;
    if (lines[matched] === line) matched++;
    overlaps.push(matched);
  }
  return overlaps;
}
