/** Failure lines: the lines of a text that tell of a failure. */
import { type Cuts, lineHolding } from "./cut-lines.ts";

/** In words that no language of error messages does without; a look-up for each is far cheaper than a look at each line. */
const FAILURE_WORDS = ["rror", "FAIL"] as const;
/** An output that fails everywhere is told by its first failures. */
const MAX_FAILURES = 4;

export function failuresIn(text: string, cuts: Cuts): readonly number[] {
  let found = NONE;
  for (const word of FAILURE_WORDS) found = withFailures(found, text, cuts, word);
  return found.length < 2 ? found : found.toSorted((a, b) => a - b).slice(0, MAX_FAILURES);
}

const NONE: readonly number[] = [];

function withFailures(known: readonly number[], text: string, cuts: Cuts, word: string): readonly number[] {
  let at = text.indexOf(word);
  if (at < 0) return known;
  const found = [...known];
  for (let times = 0; at >= 0 && times < MAX_FAILURES; times++) {
    const line = lineHolding(cuts, at);
    if (line >= 0 && !found.includes(line)) found.push(line);
    at = text.indexOf(word, line >= 0 ? cuts.ends.items[line]! : at + word.length);
  }
  return found;
}
