/** Rows under a header, sampled: what CSV and database results have in common. */
import type { OutputKind } from "../reading/agents/output-kinds.ts";
import { cutLine } from "./cut-line.ts";
import { sampleRecords } from "./records.ts";
import type { ShapeContext } from "./shape.ts";
import { gapMark, withNote } from "./shape-note.ts";

export interface TableParts {
  readonly kind: OutputKind;
  /** Lines above the rows, all shown. */
  readonly head: readonly string[];
  readonly rows: readonly string[];
  /** Rows that stay before any sample, those farthest off first. */
  readonly outliers: readonly number[];
  /** Lines below the rows, all shown. */
  readonly tail: readonly string[];
  /** Characters to show, about. */
  readonly room: number;
  readonly context: ShapeContext;
}

/** F34: a result of more rows than this is sampled. */
const MANY_ROWS = 100;

/** F34: so few rows stay, where they are not too large for that; on arrival they may be ten times as large. */
export function isWholeTable(rows: number, chars: number, { arriving }: ShapeContext): boolean {
  return rows <= MANY_ROWS && chars <= (arriving ? 80_000 : 8_000);
}

/** What the mark of a gap adds to a row, about. */
const GAP_CHARS = 15;

/** Where the room is given, a dozen rows tell what the others are like, and those unlike them stand out. */
const ROWS_IN_ROOM = 16;

/** Header, sample, outliers, row count; undefined when there are too few rows to leave any out. */
export function shapeTable({
  kind,
  head,
  rows,
  outliers,
  tail,
  room,
  context,
}: TableParts): string | undefined {
  const chars = rows.reduce((sum, row) => sum + row.length + 1, 0);
  if (context.room === undefined) {
    if (isWholeTable(rows.length, chars, context)) return undefined;
  }
  const perRow = Math.max(1, Math.min(1_200, chars / rows.length));
  const least = context.room === undefined ? 6 : 2;
  const around = [...head, ...tail].reduce((sum, line) => sum + line.length + 1, 0);
  const most = Math.max(
    least,
    Math.min(
      context.room === undefined ? 40 : ROWS_IN_ROOM,
      Math.floor((room - around) / (perRow + GAP_CHARS)),
    ),
  );
  const unlike = context.room === undefined ? outliers : outliers.slice(0, Math.max(1, most - least));
  const picked = sampleRecords(rows.length, Math.max(least, most - unlike.length), unlike);
  const body: string[] = [...head];
  let next = 0;
  for (const index of picked) {
    if (index > next) body.push(gapMark(index - next, index - next === 1 ? "row" : "rows"));
    body.push(cutLine(rows[index]!));
    next = index + 1;
  }
  if (next < rows.length) body.push(gapMark(rows.length - next, "rows"));
  const note = {
    kind,
    shown: picked.length,
    total: rows.length,
    unit: "rows",
    again: "query again with a LIMIT",
  };
  return withNote([...body, ...tail].join("\n"), note, context);
}
