/** TextMemo: counts already made, by content, so that a text which comes again costs one look-up. */
import crypto from "node:crypto";
import { copyOfText } from "../json/copy-of-text.ts";
import { opensPiece, stretchesOf } from "./stretches.ts";
import type { TextPiece } from "./token-counter.ts";

export interface TextMemo {
  /** The count of a text: remembered, or made now and remembered. */
  readonly count: (text: string) => number;
  /** The same for a text that was cut out of no other, such as a parsed one: it is remembered as it is, not as a copy. */
  readonly countWhole: (text: string) => number;
  /** The count of a text that nobody asks for by itself again: made now and not remembered. */
  readonly countNew: (text: string) => number;
  /** The same as `count`, a long text line by line: another one that is much like it costs no more than what is new in that. */
  readonly countByLine: (text: string) => number;
  /**
   * The count of all pieces as one text, remembered where the text is given. A piece that ends its line is counted by itself, as
   * far as no token reaches over its end, and only the first time that it comes.
   */
  readonly countPieces: (pieces: readonly TextPiece[], text?: string) => number;
}

const LINE_END = 0x0a;

/** Shorter texts are counted faster than they are looked up. */
const SHORTEST = 24;
/** Shorter texts are counted as a whole: their lines are not worth their room. */
const LONG = 2 ** 14;
/** Longer texts are remembered by their hash: many conversations of great length have room beside each other. */
const LONGEST_KEY = 2 ** 10;
/** Characters of text and hashes that one of the two generations may hold. */
const GENERATION_CHARACTERS = 16_000_000;

/**
 * Two generations bound the memory: when the young one is full it becomes the old one, and what was in the old one
 * and was not asked for since is forgotten.
 */
export function createTextMemo(
  count: (text: string) => number,
  generationCharacters: number = GENERATION_CHARACTERS,
): TextMemo {
  let young = new Map<string, number>();
  let old = new Map<string, number>();
  let characters = 0;
  const remembered = (text: string, countNew: (text: string) => number, isWhole = false): number => {
    const key = text.length > LONGEST_KEY ? crypto.hash("sha256", text, "base64") : text;
    const known = young.get(key);
    if (known !== undefined) return known;
    const tokens = old.get(key) ?? countNew(text);
    if (characters + key.length > generationCharacters) {
      old = young;
      young = new Map();
      characters = 0;
    }
    young.set(key === text && !isWhole ? copyOfText(text) : key, tokens);
    characters += key.length;
    return tokens;
  };
  /** What was last counted in pieces is asked for once more as a message: as the same string, and a long one. */
  let latest = { text: "", tokens: 0 };
  const countOnce = (text: string, isWhole = false): number => {
    if (text === latest.text) return latest.tokens;
    return text.length < SHORTEST ? count(text) : remembered(text, count, isWhole);
  };
  const countLines = (text: string): number => {
    let tokens = 0;
    for (const stretch of stretchesOf(text)) tokens += countOnce(stretch);
    return tokens;
  };
  const counts = new WeakMap<TextPiece, number>();
  const countPiece = (piece: TextPiece): number => {
    let tokens = counts.get(piece);
    if (tokens === undefined) {
      tokens = count(piece.text);
      counts.set(piece, tokens);
    }
    return tokens;
  };
  const countEach = (pieces: readonly TextPiece[]): number => {
    let tokens = 0;
    let held: TextPiece = { text: "" };
    for (let at = 0; at < pieces.length; at++) {
      const piece = pieces[at]!;
      const endsLine = held.text.charCodeAt(held.text.length - 1) === LINE_END;
      if (endsLine && opensPiece(piece.text.charCodeAt(0))) {
        tokens += countPiece(held);
        held = piece;
      } else held = held.text === "" ? piece : { text: held.text + piece.text };
    }
    return tokens + countPiece(held);
  };
  /** What was counted in pieces is asked for once more with its text. */
  const totals = new WeakMap<readonly TextPiece[], number>();
  const countEachOnce = (pieces: readonly TextPiece[]): number => {
    let tokens = totals.get(pieces);
    if (tokens === undefined) {
      tokens = countEach(pieces);
      totals.set(pieces, tokens);
    }
    return tokens;
  };
  return {
    count: (text) => countOnce(text),
    countWhole: (text) => countOnce(text, true),
    countNew: count,
    countPieces: (pieces, text) => {
      if (text === undefined || text.length < SHORTEST) return countEachOnce(pieces);
      latest = { text, tokens: remembered(text, () => countEachOnce(pieces)) };
      return latest.tokens;
    },
    countByLine: (text) => (text.length < LONG ? countOnce(text) : remembered(text, countLines)),
  };
}
