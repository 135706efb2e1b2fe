/** Fits any text into a number of tokens: whole lines or sentences, the most telling first, in their order. */

import { noteOf, SHAPE_NOTE } from "../conversation/shape-note.ts";
import type { OutputKind } from "../reading/agents/output-kinds.ts";
import { chooseLines, mostTelling, type Ranking, rankLines } from "./choose-lines.ts";
import { backToWord } from "./cut-line.ts";
import { scopeOfKind } from "./error-lines.ts";
import { fencePairs, keepFences } from "./fences.ts";
import { isOutputKind } from "./kind-traits.ts";
import { shownLines, startSelection } from "./select-lines.ts";
import type { ShapeContext } from "./shape.ts";
import { gapMark, grouped, writeNote } from "./shape-note.ts";
import { describeByTemplates } from "./template-gap.ts";
import { withoutControls } from "./terminal-text.ts";
import { type TextUnit, unitsOf } from "./units.ts";

/** Corrections of the estimate; each costs one exact count of the result. */
const MOST_PASSES = 5;
/** Texts beyond this many characters per token are not counted whole first. */
const MOST_CHARS_PER_TOKEN = 10;
/** From this many tokens on there is room for gap marks. */
const ROOM_FOR_GAPS = 48;

/** In less room than this, one unit says more than scraps of several. */
const ONE_UNIT_CHARS = 80;

/** A text of fewer tokens than these under its note is a scrap that tells nothing. */
export const SCRAP_TOKENS = 6;

/** What stands for a text where there is no room to tell anything of it. */
export function notShown(handle: string | undefined): string {
  return handle === undefined ? "[not shown]" : `[not shown: ${handle}]`;
}

/**
 * The text itself when it fits, otherwise what says most of it, with a note of what is shown of how much.
 * Never more than `maxTokens` by the given counter, where those are enough for `notShown`.
 */
export function fitText(
  text: string,
  maxTokens: number,
  context: ShapeContext,
  kind: OutputKind = "text",
): string {
  const { counter } = context;
  if (text.length <= maxTokens * MOST_CHARS_PER_TOKEN && counter.text(text) <= maxTokens) return text;
  const before = noteOf(text);
  const body = withoutControls(before === undefined ? text : text.replace(before, "").trim());
  const units = unitsOf(body, maxTokens);
  const ranking = withContinuations(
    rankLines(
      units.map((unit) => unit.text),
      scopeOfKind(noteKind(before) ?? kind),
      noteKind(before) ?? kind,
    ),
    units,
  );
  // Pieces of lines are "parts" where the text has such; otherwise the units are its lines.
  const name = units.some((unit) => unit.joins) ? "part" : "line";
  const size = { kind, total: units.length, unit: `${name}s`, maxTokens };
  const noteFor = (shown: number): string => fittingNote(shown, size, before, context);
  const ownTokens = counter.text(noteFor(units.length));
  if (maxTokens - ownTokens < SCRAP_TOKENS) return notShown(context.handle ?? restNamedIn(before));
  const fences = fencePairs(units.map(({ text }) => text));
  let chars = Math.max(4, (maxTokens - ownTokens) * 3.5);
  let best = "";
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const candidate = selectUnits(units, ranking, {
      chars,
      name,
      noteFor,
      marksGaps: maxTokens >= ROOM_FOR_GAPS,
      fences,
    });
    const tokens = counter.text(candidate);
    if (tokens <= maxTokens && candidate.length > best.length) best = candidate;
    if (tokens <= maxTokens && tokens >= maxTokens * 0.85) break;
    const room = Math.max(1, maxTokens - ownTokens) / Math.max(1, tokens - ownTokens);
    chars *= Math.min(2.5, Math.max(0.1, room * (tokens > maxTokens ? 0.94 : 0.97)));
    if (chars < 4) break;
  }
  return best === "" ? cutToTokens(body, maxTokens, context) : best;
}

/** A failure that is told in a long line is told with the rest of that line, as far as a few parts go. */
function withContinuations(ranking: Ranking, units: readonly TextUnit[]): Ranking {
  const { failures } = ranking;
  const told = failures.told.flatMap((index) => {
    let end = index + 1;
    while (end <= index + 3 && units[end]?.joins === true) end++;
    return Array.from({ length: end - index }, (_, order) => index + order);
  });
  return { ...ranking, failures: { ...failures, told: [...new Set(told)] } };
}

function noteKind(note: string | undefined): OutputKind | undefined {
  const named = note === undefined ? undefined : SHAPE_NOTE.exec(note)?.[1];
  return named !== undefined && isOutputKind(named) ? named : undefined;
}

interface SelectOptions {
  readonly chars: number;
  /** What one unit is called. */
  readonly name: string;
  readonly noteFor: (shown: number) => string;
  readonly marksGaps: boolean;
  readonly fences: ReturnType<typeof fencePairs>;
}

function selectUnits(
  units: readonly TextUnit[],
  ranking: Ranking,
  { chars, name, noteFor, marksGaps, fences }: SelectOptions,
): string {
  const continues = Uint8Array.from(units, (unit) => Number(unit.continues));
  const selection = startSelection(ranking.lines, chars, marksGaps ? 14 : 0, continues);
  chooseLines(selection, ranking);
  keepFences(selection, fences);
  const shown = shownLines(selection);
  if (shown === 0 || chars < ONE_UNIT_CHARS) return `${oneUnit(units, ranking, chars)}\n${noteFor(1)}`;
  const ofLines = describeByTemplates(ranking, selection.kept);
  const describe = (start: number, end: number): string => {
    const left = units.slice(start, end);
    const whole = left.map(({ text }) => text).join("\n");
    const isOfLines = left.every(({ joins }) => !joins) && units[end]?.joins !== true;
    if (isOfLines && whole.trim() === "") return "";
    const mark = isOfLines
      ? ofLines(start, end)
      : gapMark(end - start, end - start === 1 ? name : `${name}s`);
    return isOfLines && whole.length <= mark.length ? whole : mark;
  };
  let result = "";
  let next = 0;
  for (let index = 0; index < units.length; index++) {
    if (selection.kept[index] === 0) continue;
    const { text, joins } = units[index]!;
    const gap = index > next && marksGaps ? describe(next, index) : "";
    // A gap that starts in a line is marked at the end of what is shown of it.
    const before = result === "" ? "" : units[next]!.joins ? " " : "\n";
    if (joins && index > 0 && index === next) result += text;
    else if (gap === "") result += `${result === "" ? "" : "\n"}${text}`;
    else if (isInLine(units, next, index)) result += `${before}${gap} ${text.trimStart()}`;
    else result += `${before}${gap}\n${text}`;
    next = index + 1;
  }
  const end = next < units.length && marksGaps ? describe(next, units.length) : "";
  if (end !== "") result += `${units[next]!.continues ? " " : "\n"}${end}`;
  return `${result}\n${noteFor(shown)}`;
}

/** All of these units are on the line of the one before the first. */
function isInLine(units: readonly TextUnit[], start: number, last: number): boolean {
  for (let index = start; index <= last; index++) if (!units[index]!.joins) return false;
  return true;
}

/** A failure, or else a sentence from its start, as far as it fits: its end alone may say the opposite. */
function oneUnit(units: readonly TextUnit[], ranking: Ranking, chars: number): string {
  const told = mostTelling(ranking);
  let first = told;
  if (!ranking.failures.told.includes(told)) while (units[first]?.continues) first--;
  const text = units
    .slice(first, told + 1)
    .map((unit) => unit.text)
    .join("");
  const start = units[first]?.continues ? "… " : "";
  if (text.length <= chars) return `${start}${text}`.trimEnd();
  return `${start}${text.slice(0, backToWord(text, Math.floor(chars))).trimEnd()} …`;
}

/** The id of the whole that an earlier note names. */
function restNamedIn(before: string | undefined): string | undefined {
  const earlier = before === undefined ? null : SHAPE_NOTE.exec(before);
  return earlier?.[3] === "rest: " ? earlier[4] : undefined;
}

interface Size {
  readonly kind: OutputKind;
  readonly total: number;
  readonly unit: string;
  readonly maxTokens: number;
}

/** The note in the longest form that leaves most of the room to the text. */
function fittingNote(
  shown: number,
  { kind, total, unit, maxTokens }: Size,
  before: string | undefined,
  context: ShapeContext,
): string {
  if (context.isQuoted) return "";
  // A text that was shaped before: what it was shaped from, and where that is, is what the reader needs.
  const earlier = before === undefined ? null : SHAPE_NOTE.exec(before);
  const handle = context.handle ?? restNamedIn(before);
  const rest = handle === undefined ? context : { ...context, handle };
  const note = { kind: noteKind(before) ?? kind, shown, total };
  const from = earlier === null ? "" : ` of a shaped text (${earlier[2]})`;
  const long = writeNote({ ...note, unit: unit + from }, rest);
  if (long.length <= maxTokens * 1.4) return long;
  const plain = writeNote({ ...note, unit }, rest);
  if (plain.length <= maxTokens * 1.6) return plain;
  return `[${grouped(shown)} of ${grouped(total)} ${unit}${handle === undefined ? "" : `; ${handle}`}]`;
}

/** The last resort: the head of the text, shorter until it fits. */
function cutToTokens(text: string, maxTokens: number, { counter, handle }: ShapeContext): string {
  const end = handle === undefined ? "" : `\n[rest: ${handle}]`;
  let chars = maxTokens * 3;
  let cut = text.slice(0, backToWord(text, Math.min(text.length, chars)));
  while (cut !== "" && counter.text(cut + end) > maxTokens) {
    chars = Math.floor(chars * 0.6);
    cut = text.slice(0, backToWord(text, chars));
  }
  return cut + end;
}
