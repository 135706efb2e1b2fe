/** Known: whether what a summary names is in what it was made from, in whatever form it is written there. */

export interface Known {
  /** Of a specific in lower case, see specifics.ts. */
  readonly has: (specific: string) => boolean;
}

/**
 * The same words, a file with a line of it (`parser.ts:142`), a name or a date whose parts are close together there, a number with
 * other separators, and small numbers, which may have been counted.
 */
export function knownFrom(source: string): Known {
  const text = source.toLowerCase();
  let digits: string | undefined;
  const hasNumber = (number: string): boolean => {
    digits ??= text.replace(/(?<=\d)[,.\s_'’-](?=\d)/g, "");
    return digits.includes(number.replace(/\D/g, ""));
  };
  const isKnown = (piece: string) => text.includes(piece) || COUNTED.test(piece) || /^\p{L}*$/u.test(piece);
  return {
    has: (named) => {
      // About so many, or somebody's home; a line or a range of lines behind a file.
      const specific = named.replace(/^~/, "").replace(/(?<=\.\w{1,5})[:#]l?\d+(?:-\d+)?$/, "");
      if (text.includes(specific) || COUNTED.test(specific) || PROSE.test(specific)) return true;
      const isFigures = /^[\d.,:%/+-]+$/.test(specific);
      if (isFigures && hasNumber(specific)) return true;
      const pieces = specific.split(/[+/-]/);
      // Several in one word: `07:00-09:00`, `git_add/git_commit`, `50-day`; but a path, a date or a long number is one thing.
      const isList =
        pieces.length > 1 && !PATH.test(specific) && !(/^[\d-]+$/.test(specific) && pieces.length > 2);
      if (isList && pieces.every(isKnown)) return true;
      return standTogether(specific.split(/[^\p{L}\p{N}_]+/u).filter(Boolean), text);
    },
  };
}

/** A sum, a count, a share or a size with its unit; what has more digits is an id. */
const COUNTED = /^\d{1,5}(?:\.\d{1,3})?(?:%|\p{L}{1,2})?$/u;
/** Two words with an underscore between them may be a manner of writing. */
const PROSE = /^\p{L}+_\p{L}+$/u;
const PATH = /\/[^/]*\.\w{1,5}$/;

/** The parts of a name, in whatever order, within a few words. */
function standTogether(parts: readonly string[], text: string): boolean {
  if (parts.length < 2) return false;
  const [rarest = ""] = parts.toSorted((a, b) => b.length - a.length);
  for (let at = text.indexOf(rarest), looked = 0; at >= 0 && looked < MOST_PLACES; looked++) {
    const around = text.slice(Math.max(0, at - CLOSE_CHARS), at + rarest.length + CLOSE_CHARS);
    if (parts.every((part) => around.includes(part))) return true;
    at = text.indexOf(rarest, at + 1);
  }
  return false;
}

const CLOSE_CHARS = 40;
const MOST_PLACES = 200;
