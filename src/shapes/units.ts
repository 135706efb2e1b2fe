/** Unit: a line, or a sentence of a line that is too long to be shown or left out as a whole. */
import { backToWord } from "./cut-line.ts";

export interface TextUnit {
  readonly text: string;
  /** It continues the line of the unit before it. */
  readonly joins: boolean;
  /** It continues the sentence of the unit before it, and may say the opposite without it. */
  readonly continues: boolean;
}

/** The number of a list item ends no sentence. An escaped line break, unless it is of a path, ends a line inside a string. */
const SENTENCE_END = /(?<!(?:^|\s)\d{1,2})[.!?;][\s"')\]]+|[。！？；]|(?<!\\)\\n(?![a-z])/g;
/** Between two values of data on one line: `},{`, `,"`. */
const VALUE_END = /[,}\]](?=["'{[])|, (?=["'{[])/g;
const CLAUSE_END = /[,:)] | [–—-] /g;
const CELL_END = /[,|\t](?!\d{3}(?!\d))/g;
/** What is longer is no sentence: a blob, minified code, words without a stop. */
const LONGEST_SENTENCE = 1_200;

/** Cuts a text into lines, and long lines into sentences or pieces that a budget of `maxTokens` can choose from. */
export function unitsOf(text: string, maxTokens: number): readonly TextUnit[] {
  const most = Math.min(300, Math.max(60, Math.floor(maxTokens * 0.75)));
  const units: TextUnit[] = [];
  for (const line of text.split("\n")) {
    if (line.length <= most) units.push({ text: line, joins: false, continues: false });
    else for (const piece of piecesOf(line, most)) units.push(piece);
  }
  return units;
}

function* piecesOf(line: string, most: number): Generator<TextUnit> {
  let start = 0;
  let sentence = 0;
  while (start < line.length) {
    const { length, isWhole } =
      line.length - start <= most
        ? { length: line.length - start, isWhole: true }
        : pieceOf(line.slice(start, start + most));
    const continues = sentence < start && start - sentence <= LONGEST_SENTENCE;
    yield { text: line.slice(start, start + length), joins: start > 0, continues };
    start += length;
    if (isWhole) sentence = start;
  }
}

interface Piece {
  readonly length: number;
  /** It ends where a sentence or a value ends. */
  readonly isWhole: boolean;
}

/** Up to the last end of a sentence or a value, else of a clause or a cell of a row, else of a word. */
function pieceOf(window: string): Piece {
  const whole = lastEnd(window, SENTENCE_END) || lastEnd(window, VALUE_END);
  if (whole > 0) return { length: whole, isWhole: true };
  const clause = lastEnd(window, CLAUSE_END);
  if (clause > window.length / 2) return { length: clause, isWhole: false };
  const word = backToWord(window, window.length - 1);
  const isWord = /\s/.test(window[word]!);
  return { length: (isWord ? word : lastEnd(window, CELL_END) || word) || 1, isWhole: false };
}

function lastEnd(window: string, end: RegExp): number {
  let last = 0;
  for (const match of window.matchAll(end)) last = match.index + match[0].length;
  return last;
}
