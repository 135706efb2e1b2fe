/** What the mark of a gap says of the lines left out: that they are like lines in view, errors, passing tests. */
import type { Ranking } from "./choose-lines.ts";
import { saidBy } from "./repetitions.ts";
import { countIn, gapMark, isGap } from "./shape-note.ts";

/** Of fewer lines their form is not worth the words. */
const FEW_LINES = 4;

/** Made for one set of kept lines (`kept[index]` is 1). */
export function describeByTemplates(
  { lines, templates, failures, deviations, passes, sameAs }: Ranking,
  kept: Uint8Array,
): (start: number, end: number) => string {
  const { of } = templates;
  const odd = new Set(deviations);
  const { told, retold, repeated, ends, evidence, mentions } = failures;
  const errors = new Set(told);
  const again = new Set([...repeated, ...retold]);
  const news = new Set([...deviations, ...ends, ...evidence, ...mentions]);
  const inView = new Set<number>();
  const shown = new Set<string>();
  kept.forEach((mark, index) => {
    if (mark === 0) return;
    shown.add(saidBy(lines[index]!));
    if (!odd.has(index)) inView.add(of[index]!);
  });
  /** It is usual itself, and its template has the same words everywhere. */
  const isPlain = (index: number): boolean =>
    !odd.has(index) &&
    (templates.all[of[index]!]?.marks ?? []).every(
      (mark, column) => mark !== undefined || !templates.cells[index]![column]!.isWord,
    );

  return (start, end) => {
    const left = lines.slice(start, end);
    // The marks of an earlier shaping count what they stand for.
    if (left.some((line) => isGap(line))) {
      const stoodFor = left.reduce((sum, line) => sum + countIn(line), 0);
      return gapMark(stoodFor, "lines");
    }
    const unit = left.length === 1 ? "line" : "lines";
    const positions = left.map((_, order) => start + order);
    const toldHere = positions.filter((index) => errors.has(index)).length;
    const againHere = positions.filter((index) => again.has(index)).length;
    const some = (count: number, what: string): string =>
      count === left.length ? `${unit}, all ${what}` : `${unit}, ${count} of them ${what}`;
    if (toldHere > 0) return gapMark(left.length, some(toldHere + againHere, "errors"));
    if (againHere > 0) return gapMark(left.length, some(againHere, "errors like those shown"));
    const passed = positions.filter(
      (index) => passes[index] === 1 && !lines[index]!.startsWith("==="),
    ).length;
    if (passed > 0) return gapMark(left.length, some(passed, "passing"));
    const same = positions.filter((index) => sameAs[index]! >= 0 && sameAs[index] === start - 1).length;
    if (same > 1) return gapMark(left.length, some(same, "the same as the one above"));
    const said = positions.filter((index) => of[index]! >= 0);
    const isUsual = said.every((index) => !news.has(index) && inView.has(of[index]!));
    if (said.length < FEW_LINES || !isUsual) return gapMark(left.length, unit);
    const above = start > 0 && isPlain(start - 1) && said.every((index) => of[index] === of[start - 1]);
    const known = said.filter((index) => shown.has(saidBy(lines[index]!))).length;
    if (known === said.length) return gapMark(left.length, "lines, the same as lines shown");
    const like = above ? "lines as the one above" : "lines as others shown";
    return gapMark(left.length, known === 0 ? `${like}, with other values` : like);
  };
}
