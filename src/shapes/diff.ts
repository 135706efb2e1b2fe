/** Shape of a diff: every file, how much of it changed, changed lines before context, counts of what is left out. */
import { ADDED, type DiffHunks, GUESSED, hunksOf } from "./diff-hunks.ts";
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
    const read = hunksOf(source);
    const counted = withCounts(source, read);
    return (context) => {
      const lines = context.room === undefined ? source : counted;
      const selection = startSelection(lines, roomFor(text.length, context));
      if (context.room === undefined) keepHeaders(selection, read);
      else keepFiles(selection, read);
      keepChanges(selection, read);
      const body = renderSelection(
        selection,
        // Where every file has its counts, gaps need none.
        context.room === undefined ? (start, end) => describeChanges(read, start, end) : undefined,
      );
      const note: Note = { kind: "diff", ...shownOf(selection, body) };
      return withNote(body, note, context);
    };
  },
};

function keepHeaders(selection: Selection, { changes, hunks }: DiffHunks): void {
  const { lines, budget } = selection;
  for (const index of findErrorLines(lines, "content", withoutSign)) mustKeep(selection, index);
  lines.forEach((line, index) => {
    if (changes[index] !== 0) return;
    if (FILE.test(line) || COMMIT.test(line)) tryKeep(selection, index, budget * 0.5);
  });
  for (const index of hunks) if (!tryKeep(selection, index, budget * 0.7)) break;
}

/** The names of the files with their counts, then what tells of a failure, however much it takes. */
function keepFiles(selection: Selection, { files }: DiffHunks): void {
  for (const { head } of files) tryKeep(selection, head);
  for (const index of findErrorLines(selection.lines, "content", withoutSign)) mustKeep(selection, index);
}

/** The first header of every file with how much of it changed, where that can be told: what little room tells of every file. */
function withCounts(source: readonly string[], { files }: DiffHunks): readonly string[] {
  const lines = [...source];
  for (const { head, added, removed, isWhole } of files) {
    if (isWhole) lines[head] += `: +${added} -${removed}`;
  }
  return lines;
}

/** The first changed lines of every hunk, below its header, then the next ones, while there is room. */
function keepChanges(selection: Selection, { changes, hunks }: DiffHunks): void {
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
        if (changes[index] === 0) continue;
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

/** A line of a diff without its sign. */
function withoutSign(line: string): string {
  return /^[+\- ]/.test(line) && !FILE.test(line) ? line.slice(1) : line;
}

/** `[… 120 lines: +80 -12 …]` */
function describeChanges({ changes }: DiffHunks, start: number, end: number): string | undefined {
  const left = changes.subarray(start, end).filter((change) => change !== 0);
  if (left.includes(GUESSED)) return gapMark(end - start);
  // Context without a change needs no mark: the hunk headers tell where it was.
  if (left.length === 0) return undefined;
  const added = left.filter((change) => change === ADDED).length;
  const what = `${end - start === 1 ? "line" : "lines"}: +${added} -${left.length - added}`;
  return gapMark(end - start, what);
}
