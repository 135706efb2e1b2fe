/** Related words: what else a word of a question may be called in the answer. */

import { stemOf } from "../archive/words.ts";
import { THESAURUS } from "./thesaurus.ts";

/** A word that may stand for another, and how likely: 1 would be the word itself. */
export interface RelatedWord {
  readonly word: string;
  readonly weight: number;
}

/** The words of the thesaurus that go with a stem, each once. */
export function relatedWords(stem: string): readonly RelatedWord[] {
  thesaurus ??= readThesaurus();
  return thesaurus.get(stem) ?? [];
}

/** Phrases of the thesaurus in a question, in lower case: `"we got rid of it"` has `"get rid of"` only in that form. */
export function phrasesIn(question: string): readonly string[] {
  return phrases.filter((phrase) => question.includes(phrase));
}

/**
 * How far two different stems look like forms of one word: 0 when they do not, else the shared part of the longer one.
 *
 * `likeness("config", "configur")` → 0.75
 */
export function likeness(one: string, other: string): number {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length < SHORTEST || long.length > short.length * LONGEST) return 0;
  let shared = 0;
  while (shared < short.length && one[shared] === other[shared]) shared++;
  const share = shared / long.length;
  const isBeginning = shared === short.length && long.length - shared <= LONGEST_ENDING;
  return shared >= SHORTEST && (isBeginning || share >= MOST_OF_IT) ? share : 0;
}

/** Words that share fewer letters are alike by chance. */
const SHORTEST = 4;
const LONGEST_ENDING = 4;
const LONGEST = 2;
const MOST_OF_IT = 0.7;

/** The head of a group stands for each of its words; two others of a group are less sure to mean the same. */
const TO_OR_FROM_HEAD = 1;
const BETWEEN_OTHERS = 0.6;

const groups: readonly (readonly string[])[] = THESAURUS.trim()
  .split("\n")
  .map((line) => line.split(" "));

const phrases = groups
  .flat()
  .filter((word) => word.includes("-"))
  .map((word) => word.replaceAll("-", " "));

let thesaurus: ReadonlyMap<string, readonly RelatedWord[]> | undefined;

function readThesaurus(): ReadonlyMap<string, readonly RelatedWord[]> {
  const byStem = new Map<string, Map<string, number>>();
  for (const group of groups) {
    const words = group.filter((word) => !word.includes("-"));
    for (const asked of group) {
      const key = asked.includes("-") ? asked.replaceAll("-", " ") : stemOf(asked);
      const related = byStem.get(key) ?? new Map<string, number>();
      byStem.set(key, related);
      for (const word of words) {
        if (stemOf(word) === key) continue;
        const weight = asked === group[0] || word === group[0] ? TO_OR_FROM_HEAD : BETWEEN_OTHERS;
        related.set(word, Math.max(related.get(word) ?? 0, weight));
      }
    }
  }
  return new Map(
    [...byStem].map(([key, related]) => [key, [...related].map(([word, weight]) => ({ word, weight }))]),
  );
}
