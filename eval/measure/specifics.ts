/**
 * Specifics, as the measure defines them: what cannot be guessed, such as ids, paths, numbers of four digits or more,
 * code identifiers and addresses. Kept apart from the engine's own idea of them, so that the engine is not its own judge.
 */

const candidatePattern = /[A-Za-z0-9_~][A-Za-z0-9_./:@#%+$~-]*[A-Za-z0-9_]/g;
const numberPattern = /^[\d.,:%-]+$/;
const tellingPattern = /\d|[a-z][A-Z]|[_./:@#]/;
const shortest = 4;
const longest = 160;
const fewestDigits = 4;

/** The specifics of a text, each once, words in lower case. `"see src/A.ts, run 12345 twice"` → `src/a.ts`, `12345` */
export function specificsOf(text: string): Set<string> {
  const found = new Set<string>();
  for (const [candidate] of text.matchAll(candidatePattern)) {
    if (candidate.length < shortest || candidate.length > longest) continue;
    if (numberPattern.test(candidate)) {
      if (candidate.replace(/\D/g, "").length >= fewestDigits) found.add(candidate);
    } else if (tellingPattern.test(candidate)) {
      found.add(candidate.toLowerCase());
    }
  }
  return found;
}

/** Specifics that many conversations of a source share, such as a tool's name: they tell nothing of any one of them. */
export function commonSpecifics(texts: Iterable<string>): Set<string> {
  const conversations = new Map<string, number>();
  let total = 0;
  for (const text of texts) {
    total++;
    for (const specific of specificsOf(text)) {
      conversations.set(specific, (conversations.get(specific) ?? 0) + 1);
    }
  }
  const least = Math.max(3, total * commonShare);
  return new Set([...conversations].filter(([, count]) => count >= least).map(([specific]) => specific));
}

const commonShare = 0.15;
