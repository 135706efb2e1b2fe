/** Finds what a user wrote with their own hand in a message: not code, quotes, pasted output or what programs inject. */
import {
  EXAMPLE_EDGE,
  INJECTED_OPENING,
  NOTICE_LINE,
  SHELL_SCREEN,
  SHELL_TASK,
  USER_TAGS,
} from "../reading/agents/injected.ts";
import { splitCode } from "../text/code-blocks.ts";
import { pastedLines } from "./pasted-lines.ts";
import { rememberedByText } from "./remembered-by-text.ts";

/** A run of whole lines or of the text between tags: `text.slice(start, end)`. */
export interface ProseSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * The spans of a message that are the user's own prose, in order. Of a text with more than 64 KB of prose only its
 * first and last 32 KB are returned.
 */
export const ownProse = rememberedByText(readProse);

function readProse(text: string): readonly ProseSpan[] {
  if (isInjected(text)) return [];
  const spans: ProseSpan[] = [];
  for (const outside of outsideTags(text)) {
    let offset = outside.start;
    for (const segment of splitCode(text.slice(outside.start, outside.end))) {
      if (segment.kind === "prose" || !FENCED.test(segment.text)) addLines(segment.text, offset, spans);
      offset += segment.text.length;
    }
  }
  return endsOf(spans);
}

/** Whether a program wrote the whole message under the user's role: a skill it loaded, a notice, a hook's answer, what a command printed. */
export function isInjected(text: string): boolean {
  return INJECTED_OPENING.test(text) || (SHELL_SCREEN.test(text.slice(-800)) && !SHELL_TASK.test(text));
}

const EDGE_CHARACTERS = 32_768;
const FENCED = /^[\s>*+\-\d.)]{0,300}(?:```|~~~)/;

function shownExamples(text: string): readonly ProseSpan[] {
  const shown: ProseSpan[] = [];
  let start = -1;
  for (const { 0: line, 1: edge, index } of text.matchAll(EXAMPLE_EDGE)) {
    if (edge !== "END OF ") start = index;
    else if (start >= 0) {
      shown.push({ start, end: index + line.length });
      start = -1;
    }
  }
  return shown;
}

const TAG = /<(\/?)([A-Za-z][\w:.-]{0,60})(?:\s[^<>]{0,500})?>/g;

/** The text outside tagged blocks that close, where the tag opens a line or the block has several lines. */
function outsideTags(text: string): readonly ProseSpan[] {
  if (!text.includes("</") && !/EXAMPLE|DEMONSTRATION/.test(text)) return [{ start: 0, end: text.length }];
  const closings = new Map<string, number[]>();
  const openings: { name: string; start: number; end: number }[] = [];
  for (const match of text.matchAll(TAG)) {
    const [tag, slash, name] = match as unknown as [string, string, string];
    const start = match.index;
    if (slash === "") openings.push({ name, start, end: start + tag.length });
    else if (closings.has(name)) closings.get(name)!.push(start);
    else closings.set(name, [start]);
  }
  const cuts: ProseSpan[] = [...shownExamples(text)];
  // Last first, so that the nearest closing after an opening is always the end of the list.
  for (const places of closings.values()) places.reverse();
  let at = 0;
  let lineEnd = -1;
  for (const { name, start, end } of openings) {
    if (start < at) continue;
    const places = closings.get(name);
    while (places && (places.at(-1) ?? end) < end) places.pop();
    const closing = places?.at(-1);
    if (closing === undefined) continue;
    if (lineEnd < end) lineEnd = lineEndAfter(text, end);
    const opensLine = /(?:^|[\n\r>])[ \t]*$/.test(text.slice(Math.max(0, start - 40), start));
    if (!opensLine && lineEnd > closing) continue;
    const blockEnd = text.indexOf(">", closing) + 1;
    const isUsers = USER_TAGS.has(name);
    if (isUsers) cuts.push({ start, end }, { start: closing, end: blockEnd });
    else cuts.push({ start, end: blockEnd });
    at = isUsers ? end : blockEnd;
  }
  return without(cuts, text.length);
}

/** What the cuts leave of a text. */
function without(cuts: readonly ProseSpan[], length: number): readonly ProseSpan[] {
  const spans: ProseSpan[] = [];
  let at = 0;
  for (const { start, end } of cuts.toSorted((a, b) => a.start - b.start)) {
    if (start > at) spans.push({ start: at, end: start });
    at = Math.max(at, end);
  }
  if (length > at) spans.push({ start: at, end: length });
  return spans;
}

function lineEndAfter(text: string, from: number): number {
  const lineEnd = text.indexOf("\n", from);
  return lineEnd < 0 ? text.length : lineEnd;
}

/** Adds the runs of lines that are neither quoted nor pasted, nor a program's. */
function addLines(text: string, offset: number, spans: ProseSpan[]): void {
  const pasted = pastedLines(text);
  let start = -1;
  for (const { from, to, isPasted: looksPasted } of pasted) {
    const isPasted = looksPasted || NOTICE_LINE.test(text.slice(from, Math.min(to, from + 80)));
    if (isPasted && start >= 0) spans.push({ start: offset + start, end: offset + from });
    if (isPasted) start = -1;
    else if (start < 0) start = from;
    if (to === text.length && start >= 0) spans.push({ start: offset + start, end: offset + to });
  }
}

/** All spans, or the first and the last of them up to the edge size each. */
function endsOf(spans: readonly ProseSpan[]): readonly ProseSpan[] {
  const total = spans.reduce((sum, span) => sum + span.end - span.start, 0);
  if (total <= 2 * EDGE_CHARACTERS) return spans;
  const head: ProseSpan[] = [];
  const tail: ProseSpan[] = [];
  let room = EDGE_CHARACTERS;
  for (const { start, end } of spans) {
    if (room > 0) head.push({ start, end: Math.min(end, start + room) });
    room -= end - start;
  }
  room = EDGE_CHARACTERS;
  const headEnd = head.at(-1)?.end ?? 0;
  for (const { start, end } of [...spans].reverse()) {
    if (room > 0 && end > headEnd) tail.unshift({ start: Math.max(start, end - room, headEnd), end });
    room -= end - start;
  }
  return [...head, ...tail];
}
