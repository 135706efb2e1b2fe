/** Paragraphs: what a model wrote, in the pieces that stay or are made shorter as one: all that is under a number, or a line. */

export interface Paragraph {
  /** `4.` is told by 4 and 4, `1–3.` by 1 and 3; absent where it has no number. */
  readonly numbers?: readonly [first: number, last: number];
  readonly lines: readonly string[];
}

/** By their numbers, and what closes the text by its labels (`State: …`); of a text with fewer numbers than that every line is one. */
export function paragraphsOf(
  lines: readonly string[],
  fewestNumbered = FEWEST_NUMBERED,
): readonly Paragraph[] {
  const starts = new Map<number, readonly [number, number]>();
  let last = 0;
  for (const [at, line] of lines.entries()) {
    const numbers = numbersOf(line);
    // A list inside of a paragraph begins anew.
    if (!numbers || numbers[0] <= last) continue;
    starts.set(at, numbers);
    last = numbers[1];
  }
  if (starts.size < fewestNumbered) return lines.map((line) => ({ lines: [line] }));
  const lastStart = Math.max(...starts.keys());
  const paragraphs: { numbers?: readonly [number, number]; lines: string[] }[] = [];
  for (const [at, line] of lines.entries()) {
    const numbers = starts.get(at);
    if (numbers) paragraphs.push({ numbers, lines: [line] });
    else if (paragraphs.length === 0 || (at > lastStart && LABEL.test(line)))
      paragraphs.push({ lines: [line] });
    else paragraphs.at(-1)!.lines.push(line);
  }
  return paragraphs;
}

/** One or two may be a list. */
const FEWEST_NUMBERED = 3;
const NUMBER = /^ {0,3}(?:\*\*)?(\d{1,3})(?: ?[–-] ?(\d{1,3}))?[.)](?:\*\*)?\s/;
/** `Rules (of the repository): never …`, in whatever language. */
const LABEL = /^(?:\*\*)?\p{L}[\p{L} ]{1,30}(?:\([^)]{1,80}\))?(?:\*\*)?: /u;

function numbersOf(line: string): readonly [number, number] | undefined {
  const [, first, last = first] = NUMBER.exec(line) ?? [];
  return first === undefined ? undefined : [Number(first), Number(last)];
}
