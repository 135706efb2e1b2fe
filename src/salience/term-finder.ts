/** Finds whether a text holds one of many terms: by the first letters of each word, so that hardly any is ever tried. */
import { FOLDED_LETTERS, FOLDED_WORD, isFoldedWord } from "./folded-text.ts";
import { type Wording, wordingsOf } from "./term-openings.ts";

/** The places in a folded text are tried one word after the other. */
export type TermFinder = (folded: string) => boolean;

/**
 * A finder of terms, which are pieces of regular expressions. `spaced` terms stand between what is no letter and no
 * digit, `^` is the start of the text; `joined` terms are of a script without spaces and may stand anywhere.
 * Nothing is built before the first text comes.
 */
export function termFinder(spaced: readonly string[], joined: readonly string[]): TermFinder {
  let finders: readonly TermFinder[] | undefined;
  return (folded) => {
    finders ??= findersOf(spaced, joined);
    return finders.some((finds) => finds(folded));
  };
}

function findersOf(spaced: readonly string[], joined: readonly string[]): readonly TermFinder[] {
  const wordings = spaced.flatMap(wordingsOf);
  const isAnchored = ({ source }: Wording) => source.startsWith("^");
  const joinedTerms = foldedPattern(joined.join("|"));
  return [
    startFinder(wordings.filter(isAnchored)),
    wordFinder(wordings.filter((wording) => !isAnchored(wording))),
    (folded) => JOINED_SCRIPT.test(folded) && joinedTerms.test(folded),
  ];
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

/** Whether a term stands at a place where a word starts. */
type Trial = (folded: string, at: number) => boolean;

/** Looks for the terms that stand only at the start. */
function startFinder(wordings: readonly Wording[]): TermFinder {
  const trials = trialsBy((opening) => opening.charCodeAt(0), wordings);
  return (folded) => trials.get(folded.charCodeAt(0))?.some((trial) => trial(folded, 0)) ?? false;
}

/** Looks for the other terms, at the words that start with the same two letters. */
function wordFinder(wordings: readonly Wording[]): TermFinder {
  const trials = trialsBy((opening) => pairAt(opening, 0), wordings);
  const places = placesOf([...trials.keys()]);
  return (folded) => {
    places.lastIndex = 0;
    while (places.test(folded)) {
      const at = places.lastIndex - 2;
      for (const trial of trials.get(pairAt(folded, at)) ?? []) if (trial(folded, at)) return true;
    }
    return false;
  };
}

function trialsBy(keyOf: (opening: string) => number, wordings: readonly Wording[]): Map<number, Trial[]> {
  const trials = new Map<number, Trial[]>();
  for (const { openings, source, isPlain } of wordings) {
    const matches = isPlain ? plainTrial(source) : patternTrial(source);
    for (const opening of openings) {
      const trial: Trial = (folded, at) => folded.startsWith(opening, at) && matches(folded, at);
      const others = trials.get(keyOf(opening));
      if (others) others.push(trial);
      else trials.set(keyOf(opening), [trial]);
    }
  }
  return trials;
}

/** Matches the first two letters of a term where a word starts. */
function placesOf(pairs: readonly number[]): RegExp {
  const seconds = Map.groupBy(pairs, (pair) => pair >> 16);
  const sources = [...seconds].map(([first, all]) => {
    const second = all.map((pair) => String.fromCharCode(pair & 0xffff)).join("");
    return `${String.fromCharCode(first)}[${second}]`;
  });
  return new RegExp(`(?<![${FOLDED_WORD}])(?:${sources.join("|")})`, "g");
}

function pairAt(text: string, at: number): number {
  return (text.charCodeAt(at) << 16) | text.charCodeAt(at + 1);
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
