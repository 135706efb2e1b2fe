/** Deviations: the lines of an output that are unlike the many others, the farthest off first. */
import { outlierWeights } from "./records.ts";
import { isPassing, isSkipped, isWarning } from "./line-roles.ts";
import type { Template, Templates } from "./templates.ts";

/** Templates with so many lines have a usual. */
const MANY_LINES = 12;
/** In a text of which this share repeats, what does not repeat is news. */
const REPEATED_SHARE = 0.5;

/** A test that did not run is news where nearly all did. */
const SKIPPED_WEIGHT = 9;

export function findDeviations(lines: readonly string[], templates: Templates): readonly number[] {
  const weights = new Map<number, number>();
  const add = (index: number, weight: number): void => {
    const told = weight + (isWarning(lines[index]!) ? 3 : 0);
    if (told > (weights.get(index) ?? 0)) weights.set(index, told);
  };
  for (const template of templates.all) {
    if (template.lines.length >= MANY_LINES) {
      for (const [row, weight] of unlikeLines(template, templates)) add(template.lines[row]!, weight);
    }
  }
  for (const { lines: members } of rareTemplates(templates)) {
    const weight = Math.log2(lines.length / members.length);
    const first = members[0]!;
    if (!isPassing(lines[first]!)) add(first, weight);
  }
  const skipped = lines.flatMap((line, index) => (isSkipped(line) ? [index] : []));
  if (skipped.length <= MANY_LINES) for (const index of skipped) add(index, SKIPPED_WEIGHT);
  return [...weights].sort(([a, x], [b, y]) => y - x || a - b).map(([index]) => index);
}

/** The rows of a template as a table: which of them stand out in a column. */
function unlikeLines({ lines, marks }: Template, { cells }: Templates): ReadonlyMap<number, number> {
  const rows = lines.map((index) => cells[index]!.map(({ cell }) => cell));
  return outlierWeights(
    rows,
    marks.map(() => ""),
  );
}

/** Templates of few lines, where most lines are of templates with many. */
function rareTemplates({ all, of }: Templates): readonly Template[] {
  const repeated = all.reduce((sum, { lines }) => sum + (lines.length >= MANY_LINES ? lines.length : 0), 0);
  const said = of.reduce((sum, template) => sum + Number(template >= 0), 0);
  if (repeated < said * REPEATED_SHARE) return [];
  const few = Math.max(2, Math.floor(said * 0.005));
  return all.filter(({ lines }) => lines.length <= few);
}
