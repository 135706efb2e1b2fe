/** stripThinking: takes a model's thinking out of its text, where tags mark it. */

const OPENING = /<(think|thinking|reasoning)>/gi;

/**
 * `"<think>hm</think>Done."` → `"Done."`. An unclosed tag is left alone unless `unclosedToo`: then all that follows it
 * is thinking, as when a model was cut before it came to its answer.
 */
export function stripThinking(text: string, { unclosedToo = false } = {}): string {
  if (!text.includes("<")) return text;
  const kept: string[] = [];
  /** Looked for once and not found: looking again for each opening would cost a scan every time. */
  const unclosed = new Set<string>();
  let from = 0;
  for (const { index, 0: tag } of text.matchAll(OPENING)) {
    const closing = `</${tag.slice(1)}`;
    if (index < from || unclosed.has(closing)) continue;
    const end = text.indexOf(closing, index);
    if (end < 0 && !unclosedToo) {
      unclosed.add(closing);
      continue;
    }
    kept.push(text.slice(from, index));
    from = end < 0 ? text.length : end + closing.length;
  }
  return from === 0 ? text : (kept.join("") + text.slice(from)).trim();
}
