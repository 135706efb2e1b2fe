/** Question: what a person asks, as what an archive is searched for and what its messages are ranked by. */

import { identifierParts, stemOf } from "../archive/words.ts";
import { isFunctionWord, rarityOf } from "./rarity.ts";
import { phrasesIn, relatedWords } from "./related-words.ts";

export interface Question {
  readonly text: string;
  /** What it is about: the stems of its telling words, or a phrase, each with how much finding it says. */
  readonly terms: readonly Term[];
  /** Words to find candidates by: those of the question first, then what else they may be called. */
  readonly words: readonly string[];
  /** Names, paths, numbers and quotes, to be found as they are. */
  readonly fragments: readonly string[];
  /** It asks for what a person said or wanted. */
  readonly isAboutPeople: boolean;
  /** It asks how many, or whether something is so. */
  readonly asksForFact: boolean;
}

export interface Term {
  readonly stem: string;
  /** In bits: see `rarityOf`. */
  readonly rarity: number;
  /** Stems that may stand for it, itself with 1, others with less. */
  readonly meanings: ReadonlyMap<string, number>;
}

/** `"Why did he drop the cache?"` looks for drop and cache, and also for delete, remove, discard … */
export function readQuestion(text: string): Question {
  const asked = text.slice(0, MAX_CHARS);
  const all = [...new Set(wordsOf(asked))];
  const telling = all.filter((word) => !isFunctionWord(word));
  // A question of function words alone ("what was it then?") is still answered.
  const own = (telling.length > 0 ? telling : all).slice(0, MAX_OWN);
  const keys = [...new Set([...own.map(stemOf), ...phrasesIn(asked.toLowerCase())])];
  const others = keys
    .flatMap(relatedWords)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ word }) => word);
  return {
    text: asked,
    terms: keys.map(termOf),
    words: [...new Set([...own, ...others])].slice(0, MAX_WORDS),
    fragments: fragmentsOf(asked),
    isAboutPeople: PEOPLE.test(asked),
    asksForFact: FACT.test(asked.trim()),
  };
}

/** More than a person asks, and as much as an index is asked for at once. */
const MAX_CHARS = 2_000;
const MAX_OWN = 32;
const MAX_WORDS = 64;
const MAX_FRAGMENTS = 8;
/** What a related word says beside the word itself. */
const RELATED = 0.6;

const PEOPLE =
  /\b(?:user|customer|client|he|she|they|him|his|her|wants?|wanted|asks?|asked|insist\w*|prefer\w*)\b/i;
const FACT =
  /\bhow (?:many|much|long|big|old|often|far|large)\b|^(?:did|was|were|is|does|do|has|have|had|can|could|would|will|are)\b/i;

function termOf(stem: string): Term {
  const related = relatedWords(stem).map(({ word, weight }): [string, number] => [
    stemOf(word),
    RELATED * weight,
  ]);
  return { stem, rarity: rarityOf(stem), meanings: new Map([...related, [stem, 1]]) };
}

function wordsOf(text: string): readonly string[] {
  return (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).flatMap((word) => [
    word.toLowerCase(),
    ...identifierParts(word),
  ]);
}

/** `"why does src/app.ts say 'no route' for ORD-2291?"` → `["no route", "src/app.ts", "ORD-2291"]` */
function fragmentsOf(text: string): readonly string[] {
  const quoted = [...text.matchAll(/["“`]([^"”`\n]{3,80})["”`]|(?<!\w)'([^'\n]{3,80})'(?!\w)/g)].map(
    (match) => match[1] ?? match[2]!,
  );
  const names = (text.match(/[^\s"'“”`(),;!?]+/g) ?? [])
    .map((word) => word.replace(/[.:]+$/, ""))
    .filter((word) => word.length >= 3 && NAME.test(word));
  return [...new Set([...quoted, ...names])].slice(0, MAX_FRAGMENTS);
}

/** A mark or digit inside, or a hump: no word of a plain sentence. */
const NAME =
  /\w[._/\\:#@]+\w|\w-\w*\d|\d\w*-\w|\d{3}|[A-Za-z]\d|\d[A-Za-z]|[a-z][A-Z]|^[A-Z]{2,}_|^--?\w|^[./~]+\w/;
