/** Extracts the sentences of a text that are worth keeping: verbatim, in order, code untouched, no model involved. */

import { splitCode } from "../../text/code-blocks.ts";
import { markEnd, splitSentences } from "../../text/sentences.ts";
import { countEpistemicMarkers } from "../synthorg/epistemic-markers.ts";
import { scoreSentence } from "./score-sentence.ts";

/** How many sentences there were, and how many stayed. */
export interface SentenceCount {
  readonly total: number;
  readonly kept: number;
}

export function sumOf(counts: readonly SentenceCount[]): SentenceCount {
  return counts.reduce((sum, { total, kept }) => ({ total: sum.total + total, kept: sum.kept + kept }), {
    total: 0,
    kept: 0,
  });
}

export interface ExtractOptions {
  /**
   * The share of the scored sentences that stays; never fewer than two. Lower it to shrink harder.
   * @default 0.7
   */
  readonly ratio?: number;
  /** What a sentence is worth, given its place in the whole list; replaces the default scoring. */
  readonly weigh?: (sentence: string, index: number, total: number) => number;
  /**
   * Sentences with an epistemic marker ("wait", "I was wrong") always stay, however short.
   * @default false
   */
  readonly keepMarkers?: boolean;
}

/**
 * Keeps the best sentences of a text. A sentence that touches a code block is never scored and always stays; a text of
 * three sentences or fewer comes back as it is. Lists and paragraphs keep their shape.
 */
export function extractText(text: string, options: ExtractOptions = {}): string {
  return extractCounted(text, options).text;
}

export interface Extracted extends SentenceCount {
  readonly text: string;
}

/** The same, with how many of the sentences stayed. */
export function extractCounted(text: string, options: ExtractOptions = {}): Extracted {
  const { ratio = 0.7, weigh = scoreSentence, keepMarkers = false } = options;
  const pieces = piecesOf(text);
  const total = pieces.length;
  if (total <= UNTOUCHED_SENTENCES) return { text, total, kept: total };
  const scored: { index: number; score: number }[] = [];
  const kept = new Set<number>();
  pieces.forEach(({ start, end, touchesCode }, index) => {
    const sentence = touchesCode ? "" : text.slice(start, end);
    if (touchesCode || (keepMarkers && countEpistemicMarkers(sentence) > 0)) kept.add(index);
    else scored.push({ index, score: weigh(sentence, index, total) });
  });
  // The sort is stable: of equal sentences the earlier stays. The small sum undoes binary rounding (90 × 0.7 = 62.99…).
  const keepCount = Math.max(2, Math.floor(scored.length * ratio + 1e-9) || 0);
  scored.sort((a, b) => b.score - a.score);
  for (const { index } of scored.slice(0, keepCount)) kept.add(index);
  return { text: kept.size === total ? text : joinPieces(text, pieces, kept), total, kept: kept.size };
}

/** Texts of so few sentences are returned as they are. */
const UNTOUCHED_SENTENCES = 3;

/** A sentence, or a code block with the sentence that leads into it. Between pieces is only white space. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly touchesCode: boolean;
}

function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let offset = 0;
  for (const segment of splitCode(text)) {
    if (segment.kind === "prose") {
      for (const { start, end } of splitSentences(segment.text)) {
        // A span of three backticks on one line is code in a sentence, and keeps it.
        const touchesCode = segment.text.slice(start, end).includes("```");
        addSentence(text, pieces, { start: offset + start, end: offset + end, touchesCode });
      }
    } else {
      addCode(text, pieces, { start: offset, end: offset + withoutLineEnd(segment.text), touchesCode: true });
    }
    offset += segment.text.length;
  }
  return pieces;
}

/** Prose that goes on in lower case behind a code block or right under it is part of the sentence that the block is in. */
function addSentence(text: string, pieces: Piece[], piece: Piece): void {
  const before = pieces.at(-1);
  const goesOn = before?.touchesCode && /^\r?\n?[ \t]*\p{Ll}$/u.test(text.slice(before.end, piece.start + 1));
  if (goesOn) pieces[pieces.length - 1] = { ...piece, start: before.start, touchesCode: true };
  else pieces.push(piece);
}

/** A sentence that has not ended when the code begins ("Run this:") is one piece with the code. */
function addCode(text: string, pieces: Piece[], piece: Piece): void {
  const before = pieces.at(-1);
  const leadsIn =
    before !== undefined &&
    !before.touchesCode &&
    !/[.!?。！？…]["'”’)\]*_]*$/.test(text.slice(before.end - 4, before.end));
  if (leadsIn) pieces[pieces.length - 1] = { ...piece, start: before.start };
  else pieces.push(piece);
}

function withoutLineEnd(text: string): number {
  if (text.endsWith("\r\n")) return text.length - 2;
  return text.endsWith("\n") || text.endsWith("\r") ? text.length - 1 : text.length;
}

/** The kept pieces in order; where pieces are missing, the strongest break between the neighbours stays. */
function joinPieces(text: string, pieces: readonly Piece[], kept: ReadonlySet<number>): string {
  let joined = text.slice(0, lineStartBefore(text, pieces[0]!.start));
  let strongest = "";
  let previous = -1;
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index]!;
    const gap = index === 0 ? "" : text.slice(pieces[index - 1]!.end, piece.start);
    if (lineEnds(gap) >= lineEnds(strongest)) strongest = gap;
    if (!kept.has(index)) continue;
    if (previous < 0) joined += frameOf(text, piece);
    else if (previous === index - 1 || lineEnds(strongest) === 0) joined += gap;
    else joined += strongest.replace(/[^\r\n]*$/, "") + frameOf(text, piece);
    joined += text.slice(piece.start, piece.end);
    previous = index;
    strongest = "";
  }
  return joined + text.slice(pieces.at(-1)!.end);
}

/** The indent before a piece, with the list mark of its line when the sentence that carried the mark is gone. */
function frameOf(text: string, piece: Piece): string {
  const lineStart = lineStartBefore(text, piece.start);
  const mark = markEnd(text, lineStart);
  return text.slice(lineStart, Math.min(piece.start, mark));
}

function lineStartBefore(text: string, at: number): number {
  let start = at;
  while (start > 0 && text[start - 1] !== "\n" && text[start - 1] !== "\r") start--;
  return start;
}

function lineEnds(gap: string): number {
  return gap.match(/\r\n?|\n/g)?.length ?? 0;
}
