/** Shape of search results: the first matches of every file, and how many more each file has. */
import { findErrorLines } from "./error-lines.ts";
import { keepByTurns, mustKeep, renderSelection, roomFor, shownOf, startSelection } from "./select-lines.ts";
import type { Shape } from "./shape.ts";
import { grouped, type Note, withNote } from "./shape-note.ts";

const MATCH = /^((?:[A-Za-z]:)?[^:\n]{1,260}):(?:\d{1,7}[:-])?/;
const CONTEXT = /^([^:\n]{1,260}?)-\d{1,7}-/;
const NUMBERED = /^((?:[A-Za-z]:)?[^:\n]{1,260}):\d{1,7}:|^\d{1,7}[:-]|^--$/;

export const grepResults: Shape = {
  kind: "grep-results",
  recognises: ({ text }, { kind }) => {
    if (kind !== undefined && kind !== "grep-results") return 0;
    const lines = text
      .slice(0, 4_000)
      .split("\n", 40)
      .filter((line) => line !== "");
    const share =
      lines.filter((line) => NUMBERED.test(line) || CONTEXT.test(line)).length / (lines.length || 1);
    if (kind === "grep-results") return share > 0.5 ? 0.9 : 0.45;
    return share > 0.8 && lines.length > 4 && /^[\w./\\-]+:\d+:/.test(lines[0]!) ? 0.7 : 0;
  },
  shape: ({ text }) => {
    const lines = text.split("\n");
    const files = lines.map(fileOfLine);
    const errors = findErrorLines(lines, "content", withoutPlace);
    const { matches, context: around } = linesByFile(lines, files);
    return (context) => {
      const selection = startSelection(lines, roomFor(text.length, context));
      // What is around a match may speak of errors: nobody looked for it.
      for (const index of errors) if (!isContext(lines[index]!)) mustKeep(selection, index);
      keepByTurns(selection, matches);
      keepByTurns(selection, around);
      const body = renderSelection(
        selection,
        context.isQuoted ? undefined : (start, end) => describeMatches(files, start, end),
      );
      const note: Note = { kind: "grep-results", ...shownOf(selection, body) };
      return withNote(body, { ...note, again: "search again with a narrower pattern" }, context);
    };
  },
};

/** The file a match is in, by the last two parts of its path; "" for lines that name none. */
function fileOfLine(line: string): string {
  const start = line.slice(0, 300);
  const match = NUMBERED.exec(start)?.[1] ?? CONTEXT.exec(start)?.[1] ?? MATCH.exec(start)?.[1] ?? "";
  return /\s{2}|^\d+$/.test(match) ? "" : match.split(/[\\/]/).slice(-2).join("/");
}

function withoutPlace(line: string): string {
  const match =
    MATCH.exec(line.slice(0, 300)) ?? CONTEXT.exec(line.slice(0, 300)) ?? /^\d{1,7}[:-]/.exec(line);
  // `rg: a: No such file` is the tool speaking: read it whole.
  return match === null || /^\w+: /.test(line) ? line : line.slice(match[0].length);
}

interface ByFile {
  readonly matches: readonly (readonly number[])[];
  /** The lines around matches. */
  readonly context: readonly (readonly number[])[];
}

function linesByFile(lines: readonly string[], files: readonly string[]): ByFile {
  const matches = new Map<string, number[]>();
  const context = new Map<string, number[]>();
  files.forEach((file, index) => {
    const line = lines[index]!;
    if (line === "" || line === "--") return;
    const group = isContext(line) ? context : matches;
    const at = group.get(file);
    if (at === undefined) group.set(file, [index]);
    else at.push(index);
  });
  return { matches: [...matches.values()], context: [...context.values()] };
}

function isContext(line: string): boolean {
  const start = line.slice(0, 300);
  return /^\d{1,7}-/.test(start) || (CONTEXT.test(start) && !NUMBERED.test(start));
}

/** `[… 41 more: src/a.ts 30, src/b.ts 11 …]` */
function describeMatches(files: readonly string[], start: number, end: number): string {
  const counts = new Map<string, number>();
  for (let index = start; index < end; index++) {
    const file = files[index]!;
    if (file !== "") counts.set(file, (counts.get(file) ?? 0) + 1);
  }
  const [only] = counts.keys();
  const sameFile = counts.size === 1 && only === files[start - 1];
  if (counts.size === 0 || sameFile) return `[… ${grouped(end - start)} more …]`;
  if (counts.size === 1) return `[… ${grouped(end - start)} more in ${only} …]`;
  const named = [...counts].slice(0, 12).map(([file, count]) => `${file} ${grouped(count)}`);
  const others = counts.size > 12 ? `, ${grouped(counts.size - 12)} more files` : "";
  return `[… ${grouped(end - start)} more: ${named.join(", ")}${others} …]`;
}
