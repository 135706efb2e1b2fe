/** putBackEarlier: what a text that tells an earlier story on should have copied from it and did not, as far as there is room. */
import { type Paragraph, paragraphsOf } from "../text/paragraphs.ts";
import { specificsOf } from "../text/specifics.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { EarlierStory } from "./earlier-story.ts";

export interface PutBackOptions {
  readonly earlier: EarlierStory;
  /** What all of the text may take. */
  readonly maxTokens: number;
  readonly counter: TokenCounter;
}

/** The oldest first. A paragraph that adds to the earlier one stays as it is; one that says half of it gives way to it. */
export function putBackEarlier(
  lines: readonly string[],
  { earlier, maxTokens, counter }: PutBackOptions,
): readonly string[] {
  const said = specificsOf(lines.join("\n"));
  let told = paragraphsOf(lines, 1);
  let left = maxTokens - counter.text(lines.join("\n"));
  for (const paragraph of earlier.paragraphs) {
    const { numbers, tokens, most } = paragraph;
    if (!numbers || most < tokens * NEARLY_ALL || !isLost(paragraph, said)) continue;
    const next = told.findIndex((each) => each.numbers && each.numbers[1] >= numbers[0]);
    const same = next >= 0 && told[next]!.numbers![0] <= numbers[1] ? told[next] : undefined;
    if (same && (same.numbers!.join() !== numbers.join() || addsTo(same, paragraph))) continue;
    const more = tokens - (same ? counter.text(same.lines.join("\n")) : 0);
    if (more > left) continue;
    left -= more;
    const at = next >= 0 ? next : 1 + told.findLastIndex((each) => each.numbers);
    told = told.toSpliced(at, same ? 1 : 0, paragraph);
  }
  return told.flatMap((each) => each.lines);
}

/** Of a paragraph that was to lose more, nobody can say what should be there. */
const NEARLY_ALL = 0.8;

/** Of what is specific in it, the text says less than two thirds. */
function isLost({ lines }: Paragraph, said: ReadonlySet<string>): boolean {
  const own = [...specificsOf(lines.join("\n"))];
  return own.filter((each) => !said.has(each)).length > own.length / 3;
}

function addsTo(told: Paragraph, { lines }: Paragraph): boolean {
  const known = specificsOf(lines.join("\n"));
  return [...specificsOf(told.lines.join("\n"))].some((each) => !known.has(each));
}
