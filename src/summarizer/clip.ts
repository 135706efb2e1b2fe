/** clip: cuts the middle out of a long text and says so. */

export interface Clip {
  /** Texts up to this length stay whole. */
  readonly most: number;
  readonly head: number;
  readonly tail: number;
}

/** `clip("a…z", …)` → head, `[… 5,000 characters left out …]`, tail. Never parts a surrogate pair. */
export function clip(text: string, { most, head, tail }: Clip): string {
  if (text.length <= most) return text;
  const start = isPair(text, head) ? head - 1 : head;
  const from = text.length - tail;
  const end = isPair(text, from) ? from + 1 : from;
  const mark = `[… ${(end - start).toLocaleString("en-US")} characters left out …]`;
  return tail === 0
    ? `${text.slice(0, start)} ${mark}`
    : `${text.slice(0, start)}\n${mark}\n${text.slice(end)}`;
}

/** A pair of surrogates is on both sides of the index. */
function isPair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}
