/** Surprisal: how badly an adaptive character model, fed with everything said so far, predicts a text. */

export interface SurprisalModel {
  /** Bits per character of the text, given all texts scored before; the text is learned as it is read. */
  readonly score: (text: string) => number;
}

/**
 * A model of the next character from the four before it, backing off to two and to an even chance, each with a prior
 * weight of one. Repeated text falls below one bit a character; new identifiers cost five and more.
 */
export function createSurprisalModel(): SurprisalModel {
  const long = { totals: new Uint32Array(TABLE_SIZE), pairs: new Uint32Array(TABLE_SIZE) };
  const short = { totals: new Uint32Array(TABLE_SIZE), pairs: new Uint32Array(TABLE_SIZE) };
  return {
    score: (text) => {
      const { length } = text;
      if (length === 0) return 0;
      // Each text starts as if on a new line.
      let context = NEW_LINE;
      let bits = 0;
      let product = 1;
      for (let at = 0; at < length; at++) {
        // Other scripts fold into one byte: the model cares for repetition, not for letters.
        const code = text.charCodeAt(at);
        const byte = code < 256 ? code : (code ^ (code >>> 8)) & 0xff;
        const shortChance = learn(short, slot(context & 0xffff), byte, EVEN_CHANCE);
        product *= learn(long, slot(context), byte, shortChance);
        context = (context << 8) | byte;
        // One logarithm for many characters.
        if (product < 1e-200) {
          bits -= Math.log2(product);
          product = 1;
        }
      }
      return (bits - Math.log2(product)) / length;
    },
  };
}

interface Counts {
  /** How often a context was seen. */
  readonly totals: Uint32Array;
  /** How often a character followed it. */
  readonly pairs: Uint32Array;
}

const TABLE_BITS = 18;
const TABLE_SIZE = 1 << TABLE_BITS;
const EVEN_CHANCE = 1 / 256;
const NEW_LINE = 0x0a0a0a0a;

function slot(context: number): number {
  return Math.imul(context ^ (context >>> 15), 0x9e3779b1) >>> (32 - TABLE_BITS);
}

/** The chance of a character after a context, blended with what the shorter context says; then counts it. */
function learn({ totals, pairs }: Counts, context: number, byte: number, fallback: number): number {
  const pair = (Math.imul(context ^ (byte << 10), 0x85ebca6b) >>> (32 - TABLE_BITS)) ^ byte;
  const total = totals[context]!++;
  // Contexts that share a slot can make a pair look more frequent than its context: a chance stays a chance.
  const chance = (Math.min(pairs[pair]!, total) + fallback) / (total + 1);
  pairs[pair]!++;
  return chance;
}
