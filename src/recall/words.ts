/** Words of a text as the index sees them: lower case, stemmed, the parts of an identifier as words of their own. */
import { stem } from "./stem.ts";

/**
 * Visits each word with its number. A word is a run of letters and digits; `getUserName` gives `getusername`, and `get`,
 * `user`, `name` in the same place; a run of CJK characters gives each of them.
 */
export function forEachWord(text: string, visit: (word: string, at: number, from: number) => void): void {
  let at = 0;
  for (const { 0: run, index } of text.matchAll(WORD)) {
    visit(run.toLowerCase(), at, index);
    if (run.length > 3 && HUMP.test(run)) {
      for (const part of identifierParts(run)) visit(part, at, index);
    }
    at++;
  }
}

/** `"parseHTTPHeader2"` → `["parse", "http", "header", "2"]`; nothing for a plain word. */
export function identifierParts(word: string): readonly string[] {
  const parts = word.slice(0, MAX_IDENTIFIER).match(PARTS) ?? [];
  return parts.length > 1 ? parts.map((part) => part.toLowerCase()) : [];
}

/** `stem`, remembering the words of late: a language has few words that it uses often. */
export function stemOf(word: string): string {
  let found = stems.get(word);
  if (found === undefined) {
    if (stems.size >= MAX_STEMS) stems.clear();
    found = stem(word);
    stems.set(word, found);
  }
  return found;
}

const WORD = /[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff]|[\p{L}\p{N}\p{M}]{1,200}/gu;
const HUMP = /[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Za-z][0-9]/;
const PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^A-Za-z0-9]+/g;
const MAX_IDENTIFIER = 120;
const MAX_STEMS = 20_000;
const stems = new Map<string, string>();
