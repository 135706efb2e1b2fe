/** Lines of what was printed, each with what it is worth: by what of it was taken up later. */
import { oneLine, unit } from "./deed-parts.ts";
import type { Unit } from "./story.ts";

/** Most lines of an answer that are looked at. */
const MOST_LINES = 200;

/** Lines of an answer under its call, `isUsed` by what was learned from it: the more of one answer is told, the less the next line of it is worth. */
export function printedUnits(
  lines: readonly string[],
  isUsed: (value: string) => boolean,
  factor = 1,
): readonly Unit[] {
  const shown = lines.slice(0, MOST_LINES);
  const uses = shown.map((line) => useIn(line, isUsed));
  const worths = shown.map(
    (line, at) => lineWorth(line) + uses[at]! * 0.7 + (at < 2 || at === lines.length - 1 ? EDGE : 0),
  );
  const ranks = new Map(
    shown
      .map((_, at) => at)
      .sort((a, b) => worths[b]! - worths[a]!)
      .map((at, rank) => [at, rank]),
  );
  return shown.map((line, at) => ({
    ...unit(`  ${oneLine(line, 220)}`, (worths[at]! * factor) / (1 + ranks.get(at)! / 5)),
    under: 0,
    minor: "printed",
    ...(uses[at]! >= 1 && SAYS.test(line) && { isFact: true }),
  }));
}

/** The first lines say what it is, the last how it ended. */
const EDGE = 0.1;

/** What of a line was taken up later. A line may be a blob without an end. */
function useIn(line: string, isUsed: (value: string) => boolean): number {
  const specifics = new Set(line.slice(0, LOOKED_AT).match(SPECIFIC));
  return Math.min(3, [...specifics].filter(isUsed).length);
}

const LOOKED_AT = 400;
/** A label alone is no fact: it says nothing of what it names. */
const SAYS = /\d{2}|.{40}/;

/** What a line that was printed is worth by itself: a sentence over a scrap, a failure over both. */
function lineWorth(line: string): number {
  if (MARKUP.test(line.slice(0, LOOKED_AT))) return 0;
  return SPEAKS_OF_FAILURE.test(line) ? 1.2 : SENTENCE.test(line.slice(0, LOOKED_AT)) ? 0.3 : 0.1;
}

/** How a page looks, not what it says. */
const MARKUP = /^\s*(?:[{}<]|[.#@][\w-]+[^.!?]*\{)|[;{}]\s*$/;
const SPECIFIC = /[#$€]?\b\w*\d[\w.,:%/-]*|\b[A-Z][a-z]+ [A-Z][a-z]+|\b\w+\.\w{2,4}\b/g;
const SENTENCE = /\p{L}{2}[^.!?]{20,}[.!?]/u;
const SPEAKS_OF_FAILURE = /\b(?:error|fail(?:ed|ure)?|exception|not found|denied|timed? ?out|invalid)\b/i;
