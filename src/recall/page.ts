/** Page: the piece of a long text that fits a number of tokens, cut where a line or a word ends. */
import type { TokenCounter } from "../tokens/token-counter.ts";

export interface Page {
  readonly text: string;
  /** Where it starts and ends in the whole, in characters. */
  readonly from: number;
  readonly to: number;
}

export interface PageOptions {
  readonly from: number;
  readonly maxTokens: number;
  readonly counter: TokenCounter;
}

/** The longest page from `from` on that costs at most `maxTokens`; at least one character, so that paging ends. */
export function pageOf(whole: string, { from, maxTokens, counter }: PageOptions): Page {
  const start = startsInPair(whole, from) ? from - 1 : from;
  // No text has more than some dozens of characters a token, blanks aside, which compress to one.
  let high = Math.min(whole.length, start + Math.max(1, maxTokens) * MOST_CHARS_PER_TOKEN);
  let low = start;
  let guess = Math.min(high, start + maxTokens * 4);
  for (let pass = 0; pass < MOST_PASSES && low < high; pass++) {
    const tokens = counter.text(whole.slice(start, guess));
    if (tokens <= maxTokens) low = guess;
    else high = guess - 1;
    if (tokens <= maxTokens && tokens >= maxTokens * NEARLY_FULL) break;
    const scaled = start + Math.floor(((guess - start) * maxTokens * 0.98) / Math.max(1, tokens));
    guess = Math.max(low + 1, Math.min(high, pass < 4 ? scaled : Math.ceil((low + high) / 2)));
  }
  const to = Math.max(cutAtLine(whole, start, low), Math.min(whole.length, start + 1));
  return { text: whole.slice(start, to), from: start, to };
}

const MOST_CHARS_PER_TOKEN = 64;
const MOST_PASSES = 24;
const NEARLY_FULL = 0.97;

function cutAtLine(whole: string, from: number, to: number): number {
  if (to >= whole.length) return whole.length;
  const window = whole.slice(Math.max(from, to - 400), to);
  const cut = Math.max(window.lastIndexOf("\n"), 0) || window.lastIndexOf(" ");
  if (cut > 0) return to - window.length + cut + 1;
  return startsInPair(whole, to) ? to - 1 : to;
}

/** The index is between the two halves of one character. */
function startsInPair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}
