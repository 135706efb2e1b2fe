/** Lines of what was printed, each with what it is worth: by what of it was taken up later. */
import { oneLine, unit } from "./deed-parts.ts";
import type { Unit } from "./story.ts";

/** Most lines of an answer that are looked at. */
const MOST_LINES = 200;

/** Lines of an answer under its call: the more of one answer is told, the less the next line of it is worth. */
export function printedUnits(
  lines: readonly string[],
  isUsed: (value: string) => boolean,
  factor = 1,
): readonly Unit[] {
  const shown = lines.slice(0, MOST_LINES);
  const worths = shown.map(
    (line, at) => lineWorth(line, isUsed) + (at < 2 || at === lines.length - 1 ? EDGE : 0),
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
  }));
}

/** The first lines say what it is, the last how it ended. */
const EDGE = 0.3;

/** What a line that was printed is worth: by what of it was taken up later; a sentence over a scrap, a failure over both. */
function lineWorth(line: string, isUsed: (value: string) => boolean): number {
  // A line may be a blob without an end.
  const start = line.slice(0, 400);
  const specifics = start.match(SPECIFIC) ?? [];
  const taken = Math.min(3, specifics.filter(isUsed).length);
  const base = SPEAKS_OF_FAILURE.test(line) ? 1.2 : SENTENCE.test(start) ? 0.3 : 0.1;
  return base + taken * 0.7;
}

const SPECIFIC = /[#$€]?\b\w*\d[\w.,:%/-]*|\b[A-Z][a-z]+ [A-Z][a-z]+|\b\w+\.\w{2,4}\b/g;
const SENTENCE = /\p{L}{2}[^.!?]{20,}[.!?]/u;
const SPEAKS_OF_FAILURE = /\b(?:error|fail(?:ed|ure)?|exception|not found|denied|timed? ?out|invalid)\b/i;
