/** Passages: a text in pieces that a person could read at a glance, cut where lines, sentences or words end. */

/** Where a passage is in its text, `to` exclusive. */
export interface Passage {
  readonly from: number;
  readonly to: number;
}

/** About 80 words: what one vector can say, and what one search result shows. */
const PASSAGE_CHARS = 480;

/** All passages of a text in order, the blank between them left out. Every character is looked at a bounded number of times. */
export function passagesOf(text: string): readonly Passage[] {
  const passages: Passage[] = [];
  let from = 0;
  while (from < text.length) {
    const to =
      from + PASSAGE_CHARS >= text.length ? text.length : cutBefore(text, from, from + PASSAGE_CHARS);
    if (/\S/.test(text.slice(from, to))) passages.push({ from, to });
    from = to;
  }
  return passages;
}

/** The latest good place to cut in the second half of the window: the end of a line, of a sentence, of a word. */
function cutBefore(text: string, from: number, to: number): number {
  const earliest = from + Math.ceil((to - from) / 2);
  const window = text.slice(earliest, to);
  const line = window.lastIndexOf("\n");
  if (line >= 0) return earliest + line + 1;
  const sentence = Math.max(window.lastIndexOf(". "), window.lastIndexOf("? "), window.lastIndexOf("! "));
  if (sentence >= 0) return earliest + sentence + 2;
  const word = window.lastIndexOf(" ");
  if (word >= 0) return earliest + word + 1;
  const code = text.charCodeAt(to - 1);
  return code >= 0xd800 && code <= 0xdbff ? to - 1 : to;
}
