/** Repeats: a summary without the sentences that it has said already, and whether what is left says anything. */
import { splitSentences } from "../../text/sentences.ts";
import { specificsOf } from "../../text/specifics.ts";

/** Of a sentence that is there twice, word for word, only the first is left. Short ones may be headings, or mean another thing each time. */
export function withoutRepeats(text: string): string {
  const said = new Set<string>();
  let left = "";
  let at = 0;
  for (const { start, end } of splitSentences(text)) {
    const sentence = text.slice(start, end).replace(LIST_MARK, "").trim();
    const isTwice = sentence.length > LEAST_CHARS && said.has(sentence);
    said.add(sentence);
    left += isTwice ? text.slice(at, start).trimEnd() : text.slice(at, end);
    at = end;
  }
  return left + text.slice(at);
}

const LEAST_CHARS = 40;
const LIST_MARK = /^\s*(?:[-*•]|\d{1,3}[.)])\s+/;

/**
 * Whether a text of some length names next to nothing, by how much a telling of the same names that needed no model: a reader would
 * know less by it. A short one leaves the room to that telling, and does no harm.
 */
export function saysTooLittle(text: string, telling: string): boolean {
  if (text.length < telling.length * LONG_SHARE) return false;
  const named = specificsOf(telling).size;
  return named >= FEWEST && specificsOf(text).size < named * LEAST_SHARE;
}

const LONG_SHARE = 0.3;
const FEWEST = 20;
const LEAST_SHARE = 0.15;
