/** Words of a text as the index sees them: lower case, stemmed, the parts of an identifier as words of their own. */
import { stem } from "./stem.ts";

/** Visits each run of letters and digits as it stands, with where it starts; of CJK characters, each. */
export function forEachRun(text: string, visit: (run: string, from: number) => void): void {
  RUN.lastIndex = 0;
  for (let found = RUN.exec(text); found; found = RUN.exec(text)) {
    const [run] = found;
    if (!NOT_ASCII.test(run)) visit(run, found.index);
    else for (const { 0: part, index } of run.matchAll(WORD)) visit(part, found.index + index);
  }
}

/** The words that a run stands for: `"getUserName"` → `["getusername", "get", "user", "name"]`. */
export function wordsOfRun(run: string): readonly string[] {
  return [run.toLowerCase(), ...identifierParts(run)];
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

/** Read without Unicode classes, which are slow; the few runs with other letters are looked at again. */
const RUN = /[A-Za-z0-9\u0080-\uffff]{1,4000}/g;
const NOT_ASCII = /[\u0080-\uffff]/;
const WORD = /[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff]|[\p{L}\p{N}\p{M}]{1,200}/gu;
const PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^A-Za-z0-9]+/g;
const MAX_IDENTIFIER = 120;
const MAX_STEMS = 20_000;
const stems = new Map<string, string>();
