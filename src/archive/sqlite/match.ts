/** Words and fragments as FTS5 queries that no input can break: every piece is a quoted string. */

/** Any of the words. Undefined when nothing is left to look for. */
export function matchAnyWord(words: readonly string[]): string | undefined {
  const quotable = words.slice(0, MAX_WORDS).map(cleaned).filter(Boolean);
  return quotable.length > 0 ? [...new Set(quotable.map(quoted))].join(" OR ") : undefined;
}

/** Texts with the fragment are among those that have all these trigrams; `table` says which index is asked. */
export interface FragmentMatch {
  readonly table: "fragments" | "words";
  readonly match: string;
}

/** A fragment of one or two characters has no trigram: it is looked for as the start of a word. */
export function matchFragment(fragment: string): FragmentMatch {
  const characters = [...cleaned(fragment).slice(0, MAX_LENGTH)];
  if (characters.length < 3) return { table: "words", match: `${quoted(characters.join(""))} *` };
  const last = characters.length - 3;
  // Side by side: overlapping ones find hardly fewer texts and cost three times as much.
  const step = Math.max(3, last / (MAX_TRIGRAMS - 1));
  const trigrams = new Set<string>();
  for (let at = 0; at < last + step; at += step) {
    const start = Math.min(last, Math.floor(at));
    trigrams.add(quoted(characters.slice(start, start + 3).join("")));
  }
  return { table: "fragments", match: [...trigrams].join(" AND ") };
}

/** More words than a question has; beyond it a query would cost time and find nothing better. */
const MAX_WORDS = 64;
const MAX_LENGTH = 400;
const MAX_TRIGRAMS = 24;

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** FTS5 reads a query up to its first NUL. */
function cleaned(text: string): string {
  return text.slice(0, MAX_LENGTH).toWellFormed().replaceAll("\0", " ").trim();
}
