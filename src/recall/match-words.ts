/** matchWords: the passage of a text that answers a question best, by its words and by words that mean the same. */

import { forEachRun, stemOf, wordsOfRun } from "../archive/words.ts";
import { type Passage, passagesOf } from "./passages.ts";
import type { Question } from "./question.ts";
import { likeness } from "./related-words.ts";

export interface WordMatch {
  /** 0 where no word is found, about 1 where the best passage has every word of the question. */
  readonly score: number;
  /** Where the best passage is in the text. */
  readonly passage: Passage;
}

/** Matches texts against one question, remembering the words that were seen. */
export function wordMatcher(question: Question): (text: string) => WordMatch {
  const meaningOf = meanings(question);
  const { terms } = question;
  const most = Math.max(
    1,
    terms.reduce((sum, { rarity }) => sum + rarity, 0),
  );
  const best = new Float64Array(terms.length);

  /** Each term counts once, by the word that says it best: many synonyms are no more than the word itself. */
  const scoreOf = (counts: ReadonlyMap<readonly Meaning[], number>, words: number): number => {
    best.fill(0);
    const slow = SATURATION * (1 - BY_LENGTH + (BY_LENGTH * words) / USUAL_WORDS);
    for (const [found, count] of counts) {
      for (const { term, weight } of found) {
        best[term] = Math.max(best[term]!, (weight * count * (1 + SATURATION)) / (count + slow));
      }
    }
    return terms.reduce((sum, { rarity }, term) => sum + rarity * best[term]!, 0) / most;
  };

  return (text) => {
    const read = text.length > MAX_READ ? text.slice(0, MAX_READ) : text;
    const passages = passagesOf(read);
    let match: WordMatch = { score: 0, passage: passages[0] ?? { from: 0, to: 0 } };
    const counts = new Map<readonly Meaning[], number>();
    let words = 0;
    let at = 0;
    const endPassage = (): void => {
      const passage = passages[at++]!;
      if (counts.size > 0) {
        const score = scoreOf(counts, words);
        if (score > match.score) match = { score, passage };
        counts.clear();
      }
      words = 0;
    };
    forEachRun(read, (run, from) => {
      while (at < passages.length - 1 && from >= passages[at]!.to) endPassage();
      words++;
      const found = meaningOf(run);
      if (found !== NOTHING) counts.set(found, (counts.get(found) ?? 0) + 1);
    });
    if (at < passages.length) endPassage();
    return match;
  };
}

interface Meaning {
  /** Which term of the question, by index. */
  readonly term: number;
  readonly weight: number;
}

const NOTHING: readonly Meaning[] = [];

/** What a run of letters says about the question, by itself or by a part of it; the same list for the same run. */
function meanings({ terms }: Question): (run: string) => readonly Meaning[] {
  const known = new Map<string, readonly Meaning[]>();
  const starts = new Set(terms.flatMap((term) => [...term.meanings.keys()].map(startOf)));
  return (run) => {
    let found = known.get(run);
    if (found === undefined) {
      // Most words share no start with any that is asked for: those need no stem.
      const words = wordsOfRun(run).filter((word) => starts.has(startOf(word)));
      found = words.length > 0 ? meaningsOf(terms, words.map(stemOf)) : NOTHING;
      known.set(run, found);
    }
    return found;
  };
}

/** Stemming leaves these letters as they are. */
function startOf(word: string): string {
  return word.slice(0, 2);
}

function meaningsOf(terms: Question["terms"], stems: readonly string[]): readonly Meaning[] {
  const found: Meaning[] = [];
  for (const [term, { stem: own, meanings: known }] of terms.entries()) {
    let weight = 0;
    for (const stem of stems) weight = Math.max(weight, known.get(stem) ?? 0, ALIKE * likeness(stem, own));
    if (weight > 0) found.push({ term, weight });
  }
  return found.length > 0 ? found : NOTHING;
}

/** Of a longer text only the start is looked at; the index has found it by all of it. */
const MAX_READ = 40_000;
/** BM25's k1 and b, and the words of a usual passage. A word that is there twice says little more than once. */
const SATURATION = 0.8;
const BY_LENGTH = 0.5;
const USUAL_WORDS = 70;
/** What another form of a word says that the stemmer did not bring together: `config` for `configuration`. */
const ALIKE = 0.6;
