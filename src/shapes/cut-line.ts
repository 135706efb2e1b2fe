/** Cuts one line that is too long to show: head and tail at word boundaries, and what tells of an error between. */

/** Longer lines are cut: minified code, a bundle's match, a blob. */
export const MAX_LINE_CHARS = 1_200;

const TELLING = /(?:error|exception|fatal|panic|fail(?:ed|ure))/i;

/** `cutLine("aaa bbb … yyy zzz", 40)` → `aaa bbb [… 900 characters …] yyy zzz`; a short line comes back as it is. */
export function cutLine(line: string, maxChars: number = MAX_LINE_CHARS): string {
  if (line.length <= maxChars) return line;
  const room = Math.max(8, maxChars - 28);
  const headEnd = backToWord(line, Math.floor(room * 0.6));
  const tailStart = onToWord(line, line.length - Math.floor(room * 0.25));
  const told = TELLING.exec(line.slice(headEnd, Math.min(tailStart, headEnd + 1_000_000)));
  if (told === null) return `${line.slice(0, headEnd)}${mark(tailStart - headEnd)}${line.slice(tailStart)}`;
  const at = headEnd + told.index;
  const from = Math.max(headEnd, onToWord(line, at - Math.floor(room * 0.05)));
  const to = Math.min(
    tailStart,
    Math.max(at + told[0].length, backToWord(line, at + Math.floor(room * 0.15))),
  );
  const before = from > headEnd ? mark(from - headEnd) : "";
  const after = tailStart > to ? mark(tailStart - to) : "";
  return `${line.slice(0, headEnd)}${before}${line.slice(from, to)}${after}${line.slice(tailStart)}`;
}

/** The nearest place at or before `index` where a word ends; never inside a surrogate pair. */
export function backToWord(text: string, index: number): number {
  const least = Math.max(0, index - 40);
  for (let at = index; at > least; at--) if (isSpace(text.charCodeAt(at))) return at;
  return wholeCharacter(text, index);
}

function onToWord(text: string, index: number): number {
  const most = Math.min(text.length, index + 40);
  for (let at = Math.max(0, index); at < most; at++) if (isSpace(text.charCodeAt(at))) return at;
  return wholeCharacter(text, Math.max(0, index));
}

function wholeCharacter(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff && index > 0 ? index - 1 : index;
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9;
}

function mark(count: number): string {
  return ` [… ${count} characters …] `;
}
