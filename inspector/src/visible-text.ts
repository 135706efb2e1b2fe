/**
 * Visible text: what a conversation says, with the characters that would not show or would reorder what stands around
 * them written out. It is text and stays text: nothing here makes markup.
 */

const unseen = /(?![\n\t])[\p{Cc}\p{Cf}]/gu;

/** Joins and marks that languages and emoji need: they have no room of their own and cannot mislead. */
const harmless = new Set("\u200c\u200d\u200e\u200f\u00ad");

/** `a\0b` → `a␀b`; a character that turns the direction of reading → `‹U+202E›`. */
export function visibleText(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(unseen, (character) => {
    const code = character.codePointAt(0)!;
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return harmless.has(character) ? character : `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;
  });
}

/** At most so many characters, never half of a pair. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = /[\ud800-\udbff]/.test(text[length - 1] ?? "") ? length - 1 : length;
  return text.slice(0, end);
}
