/** Doubts: the sentences in which the assistant hesitates, turns round or takes something back (F63). */
import { markerPhrases } from "../salience/epistemic-markers.ts";
import type { Draft } from "./draft.ts";
import { putFact } from "./recent-facts.ts";
import { cutLine, sentencesOf } from "./said.ts";

/** Notes the doubts in what the assistant said or thought. */
export function noteDoubts(draft: Draft, prose: string): void {
  if (!isDoubt(prose)) return;
  for (const sentence of sentencesOf(prose)) {
    if (sentence.length < MIN_CHARS || !isDoubt(sentence)) continue;
    const text = cutLine(sentence, MAX_CHARS);
    putFact(draft.doubts, text, { text, role: "assistant", at: draft.messages });
  }
}

/** "Wait." alone tells nobody what was doubted. */
const MIN_CHARS = 16;
const MAX_CHARS = 300;

/** "Let me check the file" announces a step; by itself it doubts nothing. */
const ANNOUNCEMENTS = new Set(["check", "verify"]);

function isDoubt(text: string): boolean {
  return markerPhrases(text).some((phrase) => !ANNOUNCEMENTS.has(phrase));
}
