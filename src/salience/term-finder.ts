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
  const plain = source.replace(/\[\^\\p\{L\}\\p\{N\}_\]|\\p\{(?:L|Sc)\}|\\P\{L\}/g, (name) => CLASSES[name]!);
  return new RegExp(plain, flags);
}

const CLASSES: Readonly<Record<string, string>> = {
  "[^\\p{L}\\p{N}_]": `[^${FOLDED_WORD}]`,
  "\\p{L}": `[${FOLDED_LETTERS}]`,
  "\\P{L}": `[^${FOLDED_LETTERS}]`,
  "\\p{Sc}": "\\$",
};

/** Ends a term of a spaced language. */
export const TERM_END = `(?![${FOLDED_WORD}])`;

const JOINED_SCRIPT = /[\u3041-\u9fff가-힣]/;

/** Whether a term stands at a place where a word starts. */
type Trial = (folded: string, at: number) => boolean;

/** Looks for the terms that stand only at the start. */
function startFinder(wordings: readonly Wording[]): TermFinder {
  const trials = trialsBy(1, wordings);
  return (folded) => trials.get(folded.charAt(0))?.some((trial) => trial(folded, 0)) ?? false;
}

/** Looks for the other terms, at the words that start with the same letters. */
function wordFinder(wordings: readonly Wording[]): TermFinder {
  const trials = trialsBy(KEY_LENGTH, wordings);
  const places = new RegExp(`(?<![${FOLDED_WORD}])(?:${[...trials.keys()].join("|")})`, "g");
  return (folded) => {
    places.lastIndex = 0;
    for (let place = places.exec(folded); place !== null; place = places.exec(folded)) {
      for (const trial of trials.get(place[0])!) if (trial(folded, place.index)) return true;
      // Another term may start within these letters: "ce n'est".
      places.lastIndex = place.index + 1;
    }
    return false;
  };
}

/** Enough letters that few words share them with a term. */
const KEY_LENGTH = 4;

/** Trials by the first letters of their openings, the longest first; those of shorter ones are under each longer one too. */
function trialsBy(length: number, wordings: readonly Wording[]): ReadonlyMap<string, readonly Trial[]> {
  const trials = new Map<string, Trial[]>();
  for (const { openings, source, isPlain } of wordings) {
    const matches = isPlain ? plainTrial(source) : patternTrial(source);
    for (const opening of openings) {
      const key = opening.slice(0, length);
      const trial: Trial = (folded, at) => folded.startsWith(opening, at) && matches(folded, at);
      const others = trials.get(key);
      if (others) others.push(trial);
      else trials.set(key, [trial]);
    }
  }
  const keys = [...trials.keys()].sort((a, b) => b.length - a.length);
  const short = keys.filter((key) => key.length < length);
  return new Map(
    keys.map((key) => {
      const shorter = short.filter((other) => other.length < key.length && key.startsWith(other));
      return [key, [...trials.get(key)!, ...shorter.flatMap((other) => trials.get(other)!)]];
    }),
  );
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
