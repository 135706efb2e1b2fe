/** Doubts: the sentences in which the assistant hesitates, turns round or takes something back (F63). */

import { type Prose, shortLine } from "../reading/calls/said.ts";
import { markerPhrases } from "../sources/synthorg/epistemic-markers.ts";

export function doubtsIn({ text, sentences }: Prose): readonly string[] {
  if (!isDoubt(text)) return [];
  return sentences().flatMap((sentence) =>
    sentence.length < MIN_CHARS || !isDoubt(sentence) ? [] : [shortLine(sentence, MAX_CHARS)],
  );
}

/** "Wait." alone tells nobody what was doubted. */
const MIN_CHARS = 16;
const MAX_CHARS = 300;

/** "Let me check the file" announces a step; by itself it doubts nothing. */
const ANNOUNCEMENTS = new Set(["check", "verify"]);

function isDoubt(text: string): boolean {
  return markerPhrases(text).some((phrase) => !ANNOUNCEMENTS.has(phrase.toLowerCase()));
}
