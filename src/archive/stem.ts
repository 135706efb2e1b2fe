/** stem: the Porter stemmer of FTS5, letter for letter, so that `deleted` and `deletes` are one word here as they are in the index. */

/** The stem of a lower-case word: `"configurations"` → `"configur"`. A digit counts as a consonant, another letter as its bytes. */
export function stem(word: string): string {
  // No rule is about a word that ends in anything else.
  if (word.length < 2 || word.length > LONGEST || !/[a-z]$/.test(word)) return word;
  if (!/[^\0-\x7f]/.test(word)) return stemOfBytes(word);
  return Buffer.from(stemOfBytes(Buffer.from(word).toString("latin1")), "latin1").toString();
}

/** In bytes, beyond which a word stays as it is. */
const SHORTEST = 3;
const LONGEST = 64;

function stemOfBytes(word: string): string {
  if (word.length < SHORTEST || word.length > LONGEST) return word;
  return step5(step4(step3(step2(step1c(step1b(step1a(word)))))));
}

/** Consonants are C, vowels V; `y` is a vowel after a consonant. */
function isConsonant(word: string, at: number): boolean {
  const letter = word[at]!;
  if (letter === "y") return at === 0 || !isConsonant(word, at - 1);
  return !"aeiou".includes(letter);
}

/** How often a vowel is followed by a consonant, runs counted once: the number of syllables, more or less. */
function measure(base: string): number {
  let count = 0;
  let afterVowel = false;
  for (let at = 0; at < base.length; at++) {
    const consonant = isConsonant(base, at);
    if (consonant && afterVowel) count++;
    afterVowel = !consonant;
  }
  return count;
}

function hasVowel(base: string): boolean {
  for (let at = 0; at < base.length; at++) if (!isConsonant(base, at)) return true;
  return false;
}

function endsInDouble(word: string): boolean {
  const last = word.length - 1;
  return last > 0 && word[last] === word[last - 1] && !"aeiou".includes(word[last]!);
}

/** Consonant, vowel, consonant, the last not w, x or y: `hop`, where an `e` belongs behind. */
function endsInShortSyllable(word: string): boolean {
  const last = word.length - 1;
  return (
    last >= 2 &&
    isConsonant(word, last) &&
    !isConsonant(word, last - 1) &&
    isConsonant(word, last - 2) &&
    !"wxy".includes(word[last]!)
  );
}

function step1a(word: string): string {
  const isLong = (word.endsWith("sses") && word.length > 4) || (word.endsWith("ies") && word.length > 3);
  if (isLong) return word.slice(0, -2);
  return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

function step1b(word: string): string {
  if (word.endsWith("eed") && word.length > 3)
    return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const ending = word.endsWith("ed") ? 2 : word.endsWith("ing") ? 3 : 0;
  const base = word.slice(0, word.length - ending);
  if (ending === 0 || !hasVowel(base)) return word;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (endsInDouble(base) && !/[lsz]$/.test(base)) return base.slice(0, -1);
  return measure(base) === 1 && endsInShortSyllable(base) ? `${base}e` : base;
}

function step1c(word: string): string {
  return word.endsWith("y") && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;
}

type Rule = readonly [ending: string, replacement: string];

const STEP2: readonly Rule[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["logi", "log"],
  ["bli", "ble"],
  ["alli", "al"],
  ["entli", "ent"],
  ["eli", "e"],
  ["ousli", "ous"],
  ["ization", "ize"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["biliti", "ble"],
];

const STEP3: readonly Rule[] = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ful", ""],
  ["ness", ""],
];

const STEP4 = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic|ou|(?<=[st])ion)$/;

function replaced(word: string, rules: readonly Rule[]): string {
  for (const [ending, replacement] of rules) {
    if (!word.endsWith(ending)) continue;
    const base = word.slice(0, -ending.length);
    return measure(base) > 0 ? base + replacement : word;
  }
  return word;
}

function step2(word: string): string {
  return replaced(word, STEP2);
}

function step3(word: string): string {
  return replaced(word, STEP3);
}

function step4(word: string): string {
  const ending = STEP4.exec(word)?.[0];
  if (ending === undefined) return word;
  const base = word.slice(0, -ending.length);
  return measure(base) > 1 ? base : word;
}

function step5(word: string): string {
  let base = word;
  if (base.endsWith("e")) {
    const rest = base.slice(0, -1);
    const syllables = measure(rest);
    if (syllables > 1 || (syllables === 1 && !endsInShortSyllable(rest))) base = rest;
  }
  return base.endsWith("ll") && measure(base) > 1 ? base.slice(0, -1) : base;
}
