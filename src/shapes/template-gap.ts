/** What the mark of a gap says of the lines left out: that they are like lines in view, where that is so. */
import type { Ranking } from "./choose-lines.ts";
import { countIn, gapMark, SHAPE_GAP } from "./shape-note.ts";

/** Made for one set of kept lines (`kept[index]` is 1). */
export function describeByTemplates(
  { lines, templates, failures, deviations }: Ranking,
  kept: Uint8Array,
): (start: number, end: number) => string {
  const { of } = templates;
  const inView = new Set<number>();
  kept.forEach((mark, index) => {
    if (mark === 1) inView.add(of[index]!);
  });
  const errors = new Set(failures.told);
  const repeated = new Set(failures.repeated);
  const news = new Set([...deviations, ...failures.ends, ...failures.evidence, ...failures.mentions]);
  return (start, end) => {
    const left = lines.slice(start, end);
    const hasMarks = left.some((line) => SHAPE_GAP.test(line));
    const count = hasMarks ? left.reduce((sum, line) => sum + countIn(line), 0) : end - start;
    if (hasMarks) return gapMark(count, "lines");
    const name = count === 1 ? "line" : "lines";
    let told = 0;
    let again = 0;
    let alike = true;
    let above = start > 0;
    for (let index = start; index < end; index++) {
      if (errors.has(index)) told++;
      else if (repeated.has(index)) again++;
      if (of[index]! < 0) continue;
      alike &&= !news.has(index) && inView.has(of[index]!);
      above &&= of[index] === of[start - 1];
    }
    if (told > 0) return gapMark(count, `${name}, ${told + again} of them errors`);
    if (again > 0) return gapMark(count, `${name}, ${again} of them errors like those shown`);
    if (!alike) return gapMark(count, name);
    return gapMark(count, `${name} like ${above ? "the one above" : "those shown"}`);
  };
}
