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
  const isIn = (part: string) => text.includes(part);
  let digits: string | undefined;
  const knowsNumber = (number: string): boolean => {
    const bare = number.replace(/\D/g, "");
    const parts = number.split(/\D+/).filter(Boolean);
    if (bare.length <= COMPUTED_DIGITS || (parts.length > 1 && parts.every(isIn))) return true;
    digits ??= text.replace(/(?<=\d)[,.\s_'’-](?=\d)/g, "");
    return digits.includes(bare);
  };
  return {
    knows: (specific) => {
      if (text.includes(specific)) return true;
      if (/^[\d.,:%+-]+$/.test(specific)) return knowsNumber(specific);
      const parts = specific.split(/[^\p{L}\p{N}_-]+/u).filter(Boolean);
      return parts.length > 1 && parts.every((part) => isIn(part) || /^\d{1,5}$/.test(part));
    },
  };
}

/** A sum, a count or a difference has this many digits at most; what has more is an id. */
const COMPUTED_DIGITS = 5;
