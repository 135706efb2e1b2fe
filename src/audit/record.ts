/** Record: whether what a summary names is in what it was made from, in whatever form it is written there. */

export interface Record {
  /** Of a specific in lower case, see specifics.ts. */
  readonly knows: (specific: string) => boolean;
}

/**
 * The same words, the parts of a path or an address (`parser.ts:142` where the file and the line are known), a number with other
 * separators, and numbers that may have been added up.
 */
export function recordOf(source: string): Record {
  const text = source.toLowerCase();
  const isIn = (part: string) => text.includes(part) || COMPUTED.test(part);
  let digits: string | undefined;
  const knowsNumber = (number: string): boolean => {
    digits ??= text.replace(/(?<=\d)[,.\s_'’-](?=\d)/g, "");
    return digits.includes(number.replace(/\D/g, ""));
  };
  return {
    knows: (named) => {
      // About so many, or somebody's home.
      const specific = named.replace(/^~/, "");
      if (isIn(specific)) return true;
      // Words of prose with strokes between them name nothing, and one with an underscore in it may name a manner of writing.
      if (/^\p{L}+(?:\/\p{L}+)+$|^\p{L}+(?:_\p{L}+)+$/u.test(specific)) return true;
      const parts = specific.split(/[^\p{L}\p{N}_]+/u).filter(Boolean);
      if (parts.length > 1 && parts.every(isIn)) return true;
      return /^[\d.,:%/+-]+$/.test(specific) && knowsNumber(specific);
    },
  };
}

/** A sum, a count or a difference, perhaps with its unit; what has more digits is an id. */
const COMPUTED = /^\d{1,5}(?:%|\p{L}{1,2})?$/u;
