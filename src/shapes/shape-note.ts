/** Writes the note under a shaped text (`conversation/shape-note.ts` reads it), and the marks in its gaps. */
import type { OutputKind } from "../reading/agents/output-kinds.ts";
import type { ShapeContext } from "./shape.ts";

/** A line that stands for lines left out: `[… 212 lines …]`. */
export const SHAPE_GAP = /^\s*\[… .* …\]$/;

export function isGap(line: string): boolean {
  return line.includes("[… ") && SHAPE_GAP.test(line);
}

export interface Note {
  readonly kind: OutputKind;
  readonly shown: number;
  readonly total: number;
  /** What is counted: "lines", "rows", "records". */
  readonly unit: string;
  /** How to get the rest when nothing was archived. */
  readonly again?: string;
}

export function writeNote(
  { kind, shown, total, unit, again: own = "run the tool again" }: Note,
  { handle, again = own, isQuoted }: ShapeContext,
): string {
  if (isQuoted) return "";
  const rest = handle === undefined ? `rest not kept: ${again}` : `rest: ${handle}`;
  return `[pith shaped: ${kind}, ${grouped(shown)} of ${grouped(total)} ${unit} shown; ${oneLine(rest)}]`;
}

export function withNote(body: string, note: Note, context: ShapeContext): string {
  return `${body.trimEnd()}\n${writeNote(note, context)}`.trimEnd();
}

/** `gapMark(212)` → `[… 212 lines …]`; `gapMark(3, "more matches in a.ts")` → `[… 3 more matches in a.ts …]`. */
export function gapMark(count: number, what: string = count === 1 ? "line" : "lines"): string {
  return `[… ${grouped(count)} ${what} …]`;
}

/** How many things a line stands for: one, or those that a gap's mark counts. */
export function countIn(line: string): number {
  const count = isGap(line) ? /\[… (\d[\d,]*) /.exec(line)?.[1] : undefined;
  return count === undefined ? 1 : Number(count.replaceAll(",", ""));
}

/** 1912 → "1,912", the same in every locale. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

function oneLine(text: string): string {
  return text.replace(/[\n\r\]]+/g, " ").slice(0, 300);
}
