/** Shape of a diff: every file, how much of it changed, changed lines before context, counts of what is left out. */
import { findErrorLines } from "./error-lines.ts";
import {
  mustKeep,
  renderSelection,
  roomFor,
  type Selection,
  shownOf,
  startSelection,
  tryKeep,
} from "./select-lines.ts";
import type { Shape } from "./shape.ts";
import { gapMark, type Note, withNote } from "./shape-note.ts";

const FILE = /^(?:diff --git |--- |\+\+\+ |\*\*\* |Index: |rename |new file|deleted file|Binary files)/;
const HUNK = /^@@ /;
const COMMIT = /^(?:commit [0-9a-f]{7,40}|Author: |Date: |Merge: )/;
const SIGNS = /^(?:diff --git |@@ -\d|--- \S+\n\+\+\+ )/m;

export const diff: Shape = {
  kind: "diff",
  recognises: ({ text }, { kind }) => {
    const found = SIGNS.test(text.slice(0, 4_000));
    if (kind === "diff") return found ? 0.95 : 0;
    return found && kind !== "file-read" && kind !== "grep-results" ? 0.85 : 0;
  },
  shape: ({ text }) => {
    const source = text.split("\n");
    const counted = withCounts(source);
    return (context) => {
      const lines = context.room === undefined ? source : counted;
      const selection = startSelection(lines, roomFor(text.length, context));
      const hunks: number[] = [];
      lines.forEach((line, index) => {
        if (HUNK.test(line)) hunks.push(index);
      });
      if (context.room === undefined) keepHeaders(selection, hunks);
      else keepCounted(selection, source);
      keepChanges(selection, hunks);
      const body = renderSelection(
        selection,
        // Where every file has its counts, gaps need none.
        context.room === undefined ? (start, end) => describeChanges(lines, start, end) : undefined,
      );
      const note: Note = { kind: "diff", ...shownOf(selection, body) };
      return withNote(body, note, context);
    };
  },
};

function keepHeaders(selection: Selection, hunks: readonly number[]): void {
  const { lines, budget } = selection;
  for (const index of findErrorLines(lines, "content", withoutSign)) mustKeep(selection, index);
  lines.forEach((line, index) => {
    if (FILE.test(line) || COMMIT.test(line)) tryKeep(selection, index, budget * 0.5);
  });
  for (const index of hunks) if (!tryKeep(selection, index, budget * 0.7)) break;
}

/** The names of the files with their counts, then what tells of a failure, however much it takes. */
function keepCounted(selection: Selection, source: readonly string[]): void {
  selection.lines.forEach((line, index) => {
    if (line !== source[index]) tryKeep(selection, index);
  });
  for (const index of findErrorLines(source, "content", withoutSign)) mustKeep(selection, index);
}

/** The first header of every file with how much of it changed: what little room tells of every file. */
function withCounts(source: readonly string[]): readonly string[] {
  const start = source.some((line) => line.startsWith("diff --git ")) ? "diff --git " : "+++ ";
  const lines = [...source];
  let file = -1;
  let added = 0;
  let removed = 0;
  const close = (): void => {
    if (file >= 0) lines[file] += `: +${added} -${removed}`;
    added = 0;
    removed = 0;
  };
  source.forEach((line, index) => {
    if (line.startsWith(start)) {
      close();
      file = index;
    } else if (isChange(line)) {
      if (line.startsWith("+")) added++;
      else removed++;
    }
  });
  close();
  return lines;
}

/** The first changed lines of every hunk, below its header, then the next ones, while there is room. */
function keepChanges(selection: Selection, hunks: readonly number[]): void {
  const { lines } = selection;
  const next = hunks.map((hunk) => hunk + 1);
  let open = true;
  while (open) {
    open = false;
    for (let order = 0; order < hunks.length; order++) {
      const end = hunks[order + 1] ?? lines.length;
      let index = next[order]!;
      let taken = 0;
      for (; index < end && taken < 4; index++) {
        if (!isChange(lines[index]!)) continue;
        const isFirst = selection.kept[hunks[order]!] === 0;
        if (!tryKeep(selection, index, selection.budget - (isFirst ? lines[hunks[order]!]!.length : 0)))
          return;
        tryKeep(selection, hunks[order]!);
        taken++;
      }
      next[order] = index;
      if (index < end) open = true;
    }
  }
}

function isChange(line: string): boolean {
  const sign = line.charCodeAt(0);
  return (sign === 43 || sign === 45) && !FILE.test(line);
}

/** A line of a diff without its sign. */
function withoutSign(line: string): string {
  return /^[+\- ]/.test(line) && !FILE.test(line) ? line.slice(1) : line;
}

/** `[… 120 lines: +80 -12 …]` */
function describeChanges(lines: readonly string[], start: number, end: number): string | undefined {
  let added = 0;
  let removed = 0;
  for (let index = start; index < end; index++) {
    if (!isChange(lines[index]!)) continue;
    if (lines[index]!.startsWith("+")) added++;
    else removed++;
  }
  // Context without a change needs no mark: the hunk headers tell where it was.
  if (added + removed === 0) return undefined;
  return gapMark(end - start, `${end - start === 1 ? "line" : "lines"}: +${added} -${removed}`);
}
