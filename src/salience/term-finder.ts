/** Finds whether a text holds one of many terms: by the first letters of each word, so that hardly any is ever tried. */
import { FOLDED_LETTERS, FOLDED_WORD, isFoldedWord } from "./folded-text.ts";
import { wordingsOf } from "./term-openings.ts";

/** The places in a folded text are tried one word after the other. */
export type TermFinder = (folded: string) => boolean;

/**
 * A finder of terms, which are pieces of regular expressions. `spaced` terms stand between what is no letter and no
 * digit, `^` is the start of the text; `joined` terms are of a script without spaces and may stand anywhere.
 * Nothing is built before the first text comes.
 */
export function termFinder(spaced: readonly string[], joined: readonly string[]): TermFinder {
  let opens: TermFinder | undefined;
  let holds: TermFinder | undefined;
  let joins: RegExp | undefined;
  return (folded) => {
    opens ??= openingFinder(spaced);
    if (opens(folded)) return true;
    holds ??= wordFinder(spaced);
    if (holds(folded)) return true;
    if (!JOINED_SCRIPT.test(folded)) return false;
    joins ??= foldedPattern(joined.join("|"));
    return joins.test(folded);
  };
}

/** An expression over folded text, which needs neither `i` nor `u`. */
export function foldedPattern(source: string, flags = ""): RegExp {
  const plain = source
    .replaceAll("[^\\p{L}\\p{N}_]", `[^${FOLDED_WORD}]`)
    .replaceAll("\\p{L}", `[${FOLDED_LETTERS}]`)
    .replaceAll("\\P{L}", `[^${FOLDED_LETTERS}]`)
    .replaceAll("\\p{Sc}", "\\$");
  return new RegExp(plain, flags);
}

/** Ends a term of a spaced language. */
export const TERM_END = `(?![${FOLDED_WORD}])`;

const JOINED_SCRIPT = /[\u3041-\u9fff가-힣]/;

/** Looks for the terms that stand only at the start. */
function openingFinder(terms: readonly string[]): TermFinder {
  const sources = terms.flatMap(wordingsOf).flatMap(({ source }) => (source.startsWith("^") ? source : []));
  if (sources.length === 0) return () => false;
  const pattern = foldedPattern(`^(?:${sources.map((source) => source.slice(1)).join("|")})${TERM_END}`);
  return (folded) => pattern.test(folded);
}

/** Whether a term stands at a place where a word starts. */
type Trial = (folded: string, at: number) => boolean;

/** Looks for the other terms, at the words that start with the same two letters. */
function wordFinder(terms: readonly string[]): TermFinder {
  const trials = new Map<number, Trial[]>();
  for (const { openings, source, isPlain } of terms.flatMap(wordingsOf)) {
    if (source.startsWith("^")) continue;
    const matches = isPlain ? plainTrial(source) : patternTrial(source);
    for (const opening of openings) {
      const pair = pairOf(opening.charCodeAt(0), opening.charCodeAt(1));
      const trial: Trial = (folded, at) => folded.startsWith(opening, at) && matches(folded, at);
      const others = trials.get(pair);
      if (others) others.push(trial);
      else trials.set(pair, [trial]);
    }
  }
  return (folded) => {
    let inWord = false;
    for (let at = 0; at < folded.length; at++) {
      const code = folded.charCodeAt(at);
      const isWord = isFoldedWord(code);
      if (isWord && !inWord) {
        const here = trials.get(pairOf(code, folded.charCodeAt(at + 1)));
        if (here !== undefined) for (const trial of here) if (trial(folded, at)) return true;
      }
      inWord = isWord;
    }
    return false;
  };
}

function pairOf(first: number, second: number): number {
  return (first << 16) | second;
}

function plainTrial(words: string): Trial {
  return (folded, at) => !isFoldedWord(folded.charCodeAt(at + words.length));
}

function patternTrial(source: string): Trial {
  let pattern: RegExp | undefined;
  return (folded, at) => {
    pattern ??= foldedPattern(`(?:${source})${TERM_END}`, "y");
    pattern.lastIndex = at;
    return pattern.test(folded);
  };
}
