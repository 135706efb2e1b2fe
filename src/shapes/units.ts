/** Unit: a line, or a sentence of a line that is too long to be shown or left out as a whole. */
import { backToWord } from "./cut-line.ts";

export interface TextUnit {
  readonly text: string;
  /** It continues the line of the unit before it. */
  readonly joins: boolean;
}

const SENTENCE_END = /[.!?;][\s"')\]]|[。！？；]/g;

/** Cuts a text into lines, and long lines into sentences or pieces that a budget of `maxTokens` can choose from. */
export function unitsOf(text: string, maxTokens: number): readonly TextUnit[] {
  const most = Math.min(300, Math.max(60, Math.floor(maxTokens * 0.75)));
  const units: TextUnit[] = [];
  for (const line of text.split("\n")) {
    if (line.length <= most) units.push({ text: line, joins: false });
    else for (const piece of piecesOf(line, most)) units.push(piece);
  }
  return units;
}

function* piecesOf(line: string, most: number): Generator<TextUnit> {
  let start = 0;
  while (start < line.length) {
    const end =
      line.length - start <= most ? line.length : start + pieceLength(line.slice(start, start + most));
    yield { text: line.slice(start, end), joins: start > 0 };
    start = end;
  }
}

/** Up to the last end of a sentence, else the last word. */
function pieceLength(window: string): number {
  let end = 0;
  for (const match of window.matchAll(SENTENCE_END)) end = match.index + match[0].length;
  return end > 0 ? end : Math.max(1, backToWord(window, window.length - 1));
}
