/** The first quarter of a recording, as text for whoever writes the questions: every word, and of long outputs head and tail. */
import type { CutCase } from "../exam/cut-case.ts";
import { renderMessages } from "../measure/render-messages.ts";

/** About what a person or a model reads in one sitting. */
const mostChars = 160_000;

const lengths = [Number.POSITIVE_INFINITY, 16_000, 8000, 4000, 2000, 1000, 500, 200];

export function firstQuarterText({ past }: CutCase): string {
  const fits = (longest: number) => textOf(past, longest).length <= mostChars;
  return textOf(past, lengths.find(fits) ?? lengths.at(-1)!);
}

function textOf(past: CutCase["past"], longestOutput: number): string {
  return renderMessages(past, { longestOutput });
}
