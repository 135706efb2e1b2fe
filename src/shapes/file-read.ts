/** Shape of a long file read: its head, the outline (definitions, headings) with line numbers, and the ranges left out. */
import { bySpecifics, type Ranking } from "./choose-lines.ts";
import { findErrorLines } from "./error-lines.ts";
import { numberOfLine, readNumberedLines } from "./numbered-lines.ts";
import { type OutlineEntry, outlineOf } from "./outline.ts";
import {
  evenly,
  keepFirst,
  keepLast,
  mustKeep,
  renderSelection,
  roomFor,
  type Selection,
  shownOf,
  startSelection,
  tryKeep,
} from "./select-lines.ts";
import type { Shape, ShapeContext } from "./shape.ts";
import { withNote } from "./shape-note.ts";

/** A read with fewer lines and characters than these stays as it is: about 2,000 tokens, and on arrival about 20,000. */
const LONG_FILE_LINES = 500;
const LONG_FILE_CHARS = 8_000;
const LONG_ARRIVING_CHARS = 80_000;

const TRAILER = /^(?!\s*\d+[→\t|:]).{0,400}(?:truncat|more lines|remaining|<NOTE>|use offset)/i;
const SNIPPET = /`cat -n` on /;

export const fileRead: Shape = {
  kind: "file-read",
  recognises: ({ text }, { kind }) => {
    if (kind === "file-read") return 0.7;
    const start = text.slice(0, 2_000);
    if (SNIPPET.test(start)) return 0.8;
    return kind === undefined && readNumberedLines(start).numbered ? 0.5 : 0;
  },
  shape: ({ text }, { firstLine }) => {
    const { lines, numbered, contentOf } = readNumberedLines(text);
    const errors = once(() => findErrorLines(lines, "content", contentOf));
    const outline = once(() => outlineOf(lines, contentOf));
    const specifics = once(() => specificLines(lines, contentOf));
    const numberAt = (index: number): number => numberOfLine(lines[index]!) ?? index + firstLine;
    return (context) => {
      if (context.room === undefined && isShortFile(text, context)) return undefined;
      const selection = startSelection(lines, roomFor(text.length, context), numbered ? 0 : 22);
      for (const index of errors()) mustKeep(selection, index);
      keepFirst(selection, 20, 0.2);
      keepOutline(selection, outline());
      if (!numbered) keepLast(selection, 3, 0.05);
      else keepTrailer(selection);
      if (selection.spent < selection.budget * 0.6) keepSpecifics(selection, specifics());
      const body = renderSelection(selection, (start, end) =>
        numbered ? undefined : `[… lines ${numberAt(start)}-${numberAt(end - 1)} …]`,
      );
      const again = `read lines ${longestGap(selection, numberAt)} again`;
      return withNote(body, { kind: "file-read", ...shownOf(selection, body), again }, context);
    };
  },
};

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** F33: up to 500 lines a read stays as it is, where it is not too large for that. */
export function isShortFile(text: string, { arriving }: Pick<ShapeContext, "arriving">): boolean {
  if (text.length > (arriving ? LONG_ARRIVING_CHARS : LONG_FILE_CHARS)) return false;
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines <= LONG_FILE_LINES;
}

/** Shallow entries first, evenly over the file where not all of one depth fit. */
function keepOutline(selection: Selection, entries: readonly OutlineEntry[]): void {
  const depths = [...new Set(entries.map(({ depth }) => depth))].sort((a, b) => a - b);
  for (const depth of depths) {
    const level = entries.filter((entry) => entry.depth === depth);
    for (const order of evenly(level.length)) if (!tryKeep(selection, level[order]!.index)) return;
  }
}

/** What a tool says under the numbered lines: that there is more of the file. */
function keepTrailer(selection: Selection): void {
  for (let index = selection.lines.length - 1; index >= selection.lines.length - 12; index--) {
    if (TRAILER.test(selection.lines[index] ?? "")) mustKeep(selection, index);
  }
}

/** Room that the outline left: lines with paths, identifiers and numbers, from everywhere. */
function keepSpecifics(selection: Selection, buckets: Ranking["buckets"]): void {
  for (const bucket of buckets) {
    for (const order of evenly(bucket.length)) {
      if (!tryKeep(selection, bucket[order]!, selection.budget * 0.8)) return;
    }
  }
}

function specificLines(lines: readonly string[], contentOf: (line: string) => string): Ranking["buckets"] {
  return bySpecifics(lines.map((line) => contentOf(line.slice(0, 400)))).slice(0, 3);
}

function longestGap({ kept }: Selection, numberAt: (index: number) => number): string {
  let from = 0;
  let to = 0;
  for (let start = 0; start < kept.length; start++) {
    if (kept[start] === 1) continue;
    let end = start;
    while (end < kept.length && kept[end] === 0) end++;
    if (end - start > to - from) [from, to] = [start, end];
    start = end;
  }
  return `${numberAt(from)}-${numberAt(Math.max(from, to - 1))}`;
}
