/** Deviations: the lines of an output that are unlike the many others, the farthest off first. */
import { isSkipped, isWarning } from "./line-roles.ts";
import type { Template, Templates } from "./templates.ts";
import { unlikeCells } from "./unlike-cells.ts";

/** Templates with so many lines have a usual. */
const MANY_LINES = 12;
/** In a text of which this share repeats, what does not repeat is news. */
const REPEATED_SHARE = 0.5;

/** A test that did not run is news where nearly all did. */
const SKIPPED_WEIGHT = 9;

/** `passes` has a 1 for each line about a test that passed. */
export function findDeviations(
  lines: readonly string[],
  templates: Templates,
  passes: Uint8Array,
): readonly number[] {
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
    // The first line of an output is a heading as often as not, and in view in any case.
    if (passes[first] === 0 && first > 0) add(first, weight);
  }
  const isRun = passes.includes(1);
  const skipped = isRun ? lines.flatMap((line, index) => (isSkipped(line) ? [index] : [])) : [];
  if (skipped.length <= MANY_LINES) for (const index of skipped) add(index, SKIPPED_WEIGHT);
  return [...weights].sort(([a, x], [b, y]) => y - x || a - b).map(([index]) => index);
}

/** The rows of a template as a table: which of them stand out in a column. */
function unlikeLines({ lines, marks }: Template, { cells }: Templates): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (let column = 0; column < marks.length; column++) {
    // A word that all lines have has no other.
    if (marks[column] !== undefined && cells[lines[0]!]![column]!.isWord) continue;
    for (const [row, weight] of unlikeCells(lines.map((index) => cells[index]![column]!.cell))) {
      found.set(row, Math.max(weight, found.get(row) ?? 0));
    }
  }
  return found;
}

/** Templates of few lines, where most lines are of templates with many. */
function rareTemplates({ all, of }: Templates): readonly Template[] {
  const repeated = all.reduce((sum, { lines }) => sum + (lines.length >= MANY_LINES ? lines.length : 0), 0);
  const said = of.reduce((sum, template) => sum + Number(template >= 0), 0);
  if (repeated < said * REPEATED_SHARE) return [];
  const few = Math.max(2, Math.floor(said * 0.005));
  const rare = all.filter(({ lines }) => lines.length <= few);
  // Many different lines between the repeated ones are headings and names: those of a word or two are no news.
  return rare.length <= Math.max(10, said * 0.04) ? rare : rare.filter(({ marks }) => marks.length > 2);
}
