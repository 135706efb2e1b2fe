/** The note under a text that a compaction shortened: what is shown of how much, and how to get the rest. */

/**
 * One line, at the end of every shaped text:
 * `[pith shaped: file-read, 84 of 1,912 lines shown; rest: pith:3f9c2a1b]`
 */
export const SHAPE_NOTE = /^\[pith shaped: ([a-z-]+), ([^\n;]*) shown; (rest: |rest not kept: )([^\n\]]*)\]$/;

/** The note at the end (or the start) of a text that was shaped before. */
export function noteOf(text: string): string | undefined {
  const trimmed = text.length < 2_000 ? text.trimEnd() : text.slice(0, 600) + text.slice(-1_400).trimEnd();
  const last = trimmed.slice(trimmed.lastIndexOf("\n") + 1);
  if (SHAPE_NOTE.test(last)) return last;
  const end = trimmed.indexOf("\n");
  const first = end < 0 ? trimmed : trimmed.slice(0, end);
  return SHAPE_NOTE.test(first) ? first : undefined;
}
