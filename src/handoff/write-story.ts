/** Writes a Story as text; read-story.ts reads it back, and what keeps its own lines apart from the words of others is in story-lines.ts. */

import { joined, type TextPiece } from "../tokens/token-counter.ts";
import { type Entry, isCode, LINE_GAP, type Story, type StoryTurn, type Unit, type Voice } from "./story.ts";
import { ASK_IN_VIEW, LABELS, quotedDeed, quotedWords, STANDINGS } from "./story-lines.ts";

/** A mark of what was left out behind a unit. */
const GAP = " …";
const HAS_GAP = / …\r?$/m;

/** Whether words of a story are all that was said: in what is left of others a sentence may read as what nobody said. */
export function isWhole(words: string): boolean {
  return !words.includes(GAP) || !HAS_GAP.test(words);
}

/** Sentences of words that were more: read back they are no more than that. */
export function toldInParts(sentences: readonly string[]): string {
  return sentences.map((sentence) => `${sentence.replace(HAS_GAP, "")}${GAP}`).join("\n");
}

/** The turns of which something is told, in order. */
export function writeStory(story: Story, isKept: (unit: Unit) => boolean = () => true): string {
  return joined(storyPieces(story, isKept)).slice(0, -1);
}

/** The same entry by entry, each with the end of its last line. */
export function storyPieces(story: Story, isKept: (unit: Unit) => boolean): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  for (const turn of story) addTurn(pieces, turn, isKept);
  return pieces;
}

function addTurn(pieces: TextPiece[], turn: StoryTurn, isKept: (unit: Unit) => boolean): void {
  const start = pieces.length;
  let hasAnswer = false;
  let isSaid = false;
  const isUnderWay = turn.standing === "under way";
  for (const entry of turn.entries) {
    const opens = pieces.length === start ? `[${turn.number}] ` : "";
    const standing = opens !== "" && isUnderWay ? `${opens}${STANDINGS[turn.standing]}\n` : "";
    const isInView = isUnderWay && entry.units[0]?.text === ASK_IN_VIEW;
    const piece = isInView ? EMPTY : pieceOf(entry, standing === "" ? opens : "", isKept);
    if (piece === undefined) continue;
    if (standing !== "") pieces.push({ text: standing });
    if (isInView) continue;
    if (entry.voice === "answer") hasAnswer = true;
    if (entry.voice !== "deed") isSaid = true;
    pieces.push(piece);
  }
  // Of a turn of which nothing was said, only what it did is told.
  const needsEnd = turn.standing !== "answered" || (!hasAnswer && isSaid);
  if (pieces.length > start && needsEnd && !isUnderWay)
    pieces.push({ text: `${STANDINGS[turn.standing]}\n` });
}

const EMPTY: TextPiece = { text: "" };

/** An entry as it was last written. */
interface WrittenPiece extends TextPiece {
  readonly voice: Voice;
  readonly kept: number | string;
  readonly opens: string;
}

/** What is told is told again in every pass and every compaction that follows, nearly always by the same units. */
const pieceBy = new WeakMap<readonly Unit[], WrittenPiece>();

/** The lines of an entry, the last with its end; undefined where nothing of it is kept. */
function pieceOf(entry: Entry, opens: string, isKept: (unit: Unit) => boolean): TextPiece | undefined {
  const { voice, units } = entry;
  const kept = keptIn(units, isKept);
  if (kept === NOTHING) return undefined;
  let piece = pieceBy.get(units);
  if (piece?.kept !== kept || piece.opens !== opens || piece.voice !== voice) {
    const texts = textsOf(entry, isKept);
    if (texts.length > 0) {
      texts.unshift(opens + labelOf(voice, texts));
      texts.push("\n");
    }
    piece = { voice, kept, opens, text: texts.join("") };
    pieceBy.set(units, piece);
  }
  return piece.text === "" ? undefined : piece;
}

/** Which of the units are kept, a bit each; those of many units in a text. */
function keptIn(units: readonly Unit[], isKept: (unit: Unit) => boolean): number | string {
  let bits = NOTHING;
  let before = "";
  for (let at = 0; at < units.length; at++) {
    if (at > 0 && at % MOST_BITS === 0) {
      before += String.fromCharCode(bits);
      bits = 0;
    }
    bits = bits * 2 + (isKept(units[at]!) ? 1 : 0);
  }
  if (before === "") return bits;
  return bits === 0 && /^\0*$/.test(before) ? NOTHING : before + String.fromCharCode(bits);
}

const NOTHING = 0;
const MOST_BITS = 16;

/** A block of code opens on a line of its own, or whatever reads Markdown would take its end for an opening. */
function labelOf(voice: Voice, texts: readonly string[]): string {
  if (voice === "deed") return "";
  // They are put together only where the first of them does not tell.
  const opensCode = FENCE_FIRST.includes(texts[0]!.charAt(0)) && FENCE_START.test(texts.join(""));
  return opensCode ? `${LABELS[voice]}\n` : LABELS[voice];
}

const FENCE_FIRST = " `~";
const FENCE_START = /^ {0,3}(?:`{3,}|~{3,})/;

/** The units that are kept, as they were, with a mark where others were between them or after them. */
export function writeEntry(entry: Entry, isKept: (unit: Unit) => boolean): string {
  return textsOf(entry, isKept).join("");
}

/** The same, text by text; none where nothing is told. */
function textsOf({ voice, units }: Entry, isKept: (unit: Unit) => boolean): string[] {
  const texts: string[] = [];
  const hasCode = voice === "deed" && units.some(isCode);
  const markOf = voice !== "deed" ? gapAfter : hasCode ? gapInDeed : () => "";
  let gap = false;
  let before: Unit | undefined;
  for (let at = 0; at < units.length; at++) {
    const unit = units[at]!;
    if (!isKept(unit)) {
      gap = true;
      continue;
    }
    if (gap && !hasCode && before !== undefined && areApart(before, unit, units)) texts.push(LINE_GAP);
    before = unit;
    const isFirst = texts.length === 0;
    const join = isFirst ? "" : joinOf(unit, voice, gap);
    // A sentence after another opens no line, however it begins.
    const opensLine = isFirst || join.includes("\n");
    const text = unit.leads && voice === "deed" ? withShown(units, at, isKept) : unit.text;
    const own = voice === "deed" ? quotedDeed(text, join === "\n") : quotedWords(text, opensLine);
    if (!isFirst) texts.push(gap ? markOf(texts) + join : join, own);
    else if (own !== "") texts.push(own);
    gap = false;
  }
  // Of a deed of which only its own line is told, that says enough.
  if (gap && texts.length > (voice === "deed" ? 1 : 0)) texts.push(markOf(texts));
  return texts;
}

/** Of records those that matter are told, which nobody takes for all; of code what is missing would make it other code. */
function gapInDeed(texts: readonly string[]): string {
  return texts.at(-1)!.endsWith(LINE_GAP) ? "" : LINE_GAP;
}

/** The line over a table, with how many of its rows are told where that is not all of them. */
function withShown(units: readonly Unit[], lead: number, isKept: (unit: Unit) => boolean): string {
  const { text } = units[lead]!;
  const [, before, rows] = ROWS.exec(text) ?? [];
  if (rows === undefined) return text;
  let shown = 0;
  for (let at = lead + 1; at < units.length && (units[at]!.under ?? 0) >= lead; at++)
    if (units[at]!.under === lead && isKept(units[at]!) && !RANGE.test(units[at]!.text)) shown++;
  const some = shown > 0 && shown < Number(rows.replaceAll(",", "")) ? `${shown} of ` : "";
  return text.replace(ROWS, () => `${before}${some}${rows} rows`);
}

const ROWS = /^( {2}(?:\S.{0,200}?: )?)(?:[\d,]+ of )?([\d,]+) rows(?=[,;]|$)/;
const RANGE = /^ {2,4}range: /;

/** Lines of an answer that others were between: not the fields of one item, which say themselves what they are of it. */
function areApart(before: Unit, { isLine, under = 0 }: Unit, units: readonly Unit[]): boolean {
  if (!isLine || !before.isLine || before.text.endsWith(LINE_GAP)) return false;
  return under === 0 || (units[under] !== before && before.under !== under);
}

/** Behind the end of a block of code nothing may be on the same line: it would not be the end. */
function gapAfter(texts: readonly string[]): string {
  // Mostly the last character of the last of them tells; where that is empty, those before it do.
  if (!FENCE_OR_GAP_LAST.includes(texts.at(-1)!.slice(-1))) return GAP;
  const line = lastLineOf(texts);
  if (line.endsWith(GAP)) return "";
  return FENCE_END.test(line) ? `\n${GAP}` : GAP;
}

/** The line that they end in, with the end of the one before it. */
function lastLineOf(texts: readonly string[]): string {
  let from = texts.length - 1;
  while (from > 0 && !texts[from]!.includes("\n")) from--;
  return texts.slice(from).join("");
}

const FENCE_OR_GAP_LAST = "`~…";
const FENCE_END = /(?:^|\n) {0,3}(?:`{3,}|~{3,})$/;

/** People's paragraphs stay apart: what they bind by is read from them again. */
function joinOf({ join }: Unit, voice: Voice, gap: boolean): Unit["join"] {
  if (gap && join === " ") return "\n";
  return join === "\n\n" && voice !== "user" ? "\n" : join;
}
