/** Reads what a diff changes: only its hunks say so, and their headers say how far they go. */

/** What a line is that a diff adds or takes away, or that only looks so: its hunk was cut off or does not fit its header, or it is below all hunks. */
export const ADDED = 1;
export const REMOVED = 2;
export const GUESSED = 3;

export interface DiffFile {
  /** The line that names it. */
  readonly head: number;
  readonly added: number;
  readonly removed: number;
  /** All its hunks were there to their ends. */
  readonly isWhole: boolean;
}

export interface DiffHunks {
  /** One of these for each line, or 0. */
  readonly changes: Uint8Array;
  /** The headers of the hunks. */
  readonly hunks: readonly number[];
  readonly files: readonly DiffFile[];
}

const FILE_START = /^diff --(?:git|cc|combined) /;
/** With one `@` more for every further parent of a merge. */
const HUNK = /^(@{2,9}) (?:(-\d[^@]{0,300}) )?(?:\1|$)|^@@ /;
export function hunksOf(lines: readonly string[]): DiffHunks {
  const changes = new Uint8Array(lines.length);
  const hunks: number[] = [];
  const files: DiffFile[] = [];
  let open = { head: -1, added: 0, removed: 0, isWhole: true };
  let hasHunk = false;
  const start = (head: number): void => {
    if (open.head >= 0) files.push({ ...open, isWhole: open.isWhole && hasHunk });
    open = { head, added: 0, removed: 0, isWhole: true };
    hasHunk = false;
  };

  let index = 0;
  while (index < lines.length) {
    const line = lines[index]!;
    const header = HUNK.exec(line);
    if (header === null) {
      const isHead = isSecondHead(lines, index);
      if (FILE_START.test(line) || (isHead && (open.head < 0 || hasHunk))) start(index);
      else if (/^(?:\+|-(?!- ?$|--$))/.test(line) && !isHead && !isSecondHead(lines, index + 1)) {
        changes[index] = GUESSED;
      }
      index++;
      continue;
    }
    hunks.push(index++);
    hasHunk = true;
    const parents = (header[1] ?? "@@").length - 1;
    const lengths = lengthsOf(header[2] ?? "");
    const end = lengths.length === parents + 1 ? endOfHunk(lines, index, lengths) : undefined;
    if (end === undefined) open.isWhole = false;
    for (; index < (end ?? 0); index++) {
      const change = changeOf(lines[index]!.slice(0, parents));
      changes[index] = change;
      if (change === ADDED) open.added++;
      if (change === REMOVED) open.removed++;
    }
  }
  start(-1);
  return { changes, hunks, files };
}

/** `+++ b/a.ts` below `--- a/a.ts`. */
function isSecondHead(lines: readonly string[], index: number): boolean {
  return lines[index]?.startsWith("+++ ") === true && lines[index - 1]?.startsWith("--- ") === true;
}

/** `-1,9 +1,12`: how many lines each parent has there, then how many the result has. */
function lengthsOf(ranges: string): number[] {
  return ranges.split(" ").map((range) => Number(/^[-+]\d+(?:,(\d+))?$/.exec(range)?.[1] ?? 1));
}

/** Undefined where the text ends, or goes on with something else, before the hunk has the lines that its header tells of. */
function endOfHunk(lines: readonly string[], start: number, lengths: number[]): number | undefined {
  const parents = lengths.length - 1;
  let index = start;
  for (; lengths.some((length) => length > 0); index++) {
    const line = lines[index];
    // What is below the last line's end is no line.
    if (line === undefined || (line === "" && index === lines.length - 1)) return undefined;
    if (!/^(?:[-+ \\\t\r]|$)/.test(line)) return undefined;
    if (line.startsWith("\\")) continue;
    const signs = line.slice(0, parents);
    const isRemoved = signs.includes("-");
    for (let parent = 0; parent < parents; parent++) {
      const sign = signs[parent];
      if (isRemoved ? sign === "-" : sign !== "+") lengths[parent]!--;
    }
    if (!isRemoved) lengths[parents]!--;
    if (lengths.some((length) => length < 0)) return undefined;
  }
  return index;
}

function changeOf(signs: string): number {
  return signs.includes("-") ? REMOVED : signs.includes("+") ? ADDED : 0;
}
